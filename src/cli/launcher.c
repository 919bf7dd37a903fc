/* SPDX-License-Identifier: MIT */
/* Launchers of several processes, by the environment that they set. */
#include "cli/launcher.h"

#include <stdlib.h>

int launched_processes(const char **variable) {
    /* Slurm's comes last: its step may have started only the launchers. */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};
    int i = 0;
    while (i < 2 && getenv(sizes[i]) == NULL)
        i++;
    const char *size = getenv(sizes[i]);
    const long processes = size != NULL ? strtol(size, NULL, 10) : 1;
    *variable = sizes[i];
    return processes > 1 ? (int)processes : 1;
}
