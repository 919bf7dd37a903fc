/* SPDX-License-Identifier: MIT */
/* The program `nqueens`: prepares the process, and runs the command. */
#include "cli/help.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

extern const struct program nqueens; /* in commands.c, from which the manual is made, too */

int main(int argc, char **argv) {
    program = &nqueens;
    output_begin();
    signals_begin();
    /* hwloc's plugins look for graphics cards and networks. Loading them takes as long as a
     * count of n = 14, so hwloc gets an empty list of the folders that have plugins. */
    (void)setenv("HWLOC_PLUGINS_PATH", "", 0);
    output_prepare_threads();
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of a file's size then fails */
    if (argc > 2 && strcmp(argv[1], "__complete") == 0)
        return output_close(complete(argc - 1, argv + 1));
    return output_close(program_run(argc, argv));
}
