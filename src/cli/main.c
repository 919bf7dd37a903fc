/* The program `nqueens`: a client of libnqueens that uses only its public header. */
#include "cli/ending.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/stack.h"

const struct program this_program = {.name = "nqueens", .commands = ~0u};

/* Before the constructors of libraries, some of which give up, too. */
__attribute__((section(".preinit_array"),
               used)) static void (*const first)(void) = ending_watch;

int main(int argc, char **argv) {
    struct call call;
    signals_outlive_file_limit();
    int code = stack_check();
    if (code == EXIT_DONE)
        code = options_parse(argc, argv, &call);
    if (code == -1)
        code = command_run(&call);
    code = output_close(code);
    ending_allow();
    return code;
}
