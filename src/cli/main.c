/* SPDX-License-Identifier: MIT */
/* The program `nqueens`. */
#include "cli/commands.h"
#include "cli/output.h"

#include <signal.h>
#include <string.h>

const char program_name[] = "nqueens";

int main(int argc, char **argv) {
    struct call call;
    /* hwloc's plugins look for graphics cards and networks. To load them takes as long as a
     * count of n = 14. */
    (void)setenv("HWLOC_PLUGINS_PATH", "", 0);
    output_prepare_threads();
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of a file's size fails */
    int code = argc > 2 && strcmp(argv[1], "__complete") == 0
                   ? complete(argc - 1, argv + 1)
                   : options_parse(argc, argv, &call);
    if (code == -1) {
        take_environment(&call);
        code = command_run(&call);
    }
    return output_close(code);
}
