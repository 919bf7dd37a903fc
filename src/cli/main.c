/* The program `nqueens`: a client of libnqueens that uses only its public header. */
#include "cli/commands.h"
#include "cli/output.h"

const struct program this_program = {.name = "nqueens", .commands = ~0u};

int main(int argc, char **argv) {
    struct call call;
    int code = options_parse(argc, argv, &call);
    if (code == -1)
        code = command_run(&call);
    return output_close(code);
}
