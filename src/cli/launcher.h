/* SPDX-License-Identifier: MIT */
/* Launchers, such as mpirun and srun, start several processes. */
#ifndef CLI_LAUNCHER_H
#define CLI_LAUNCHER_H

/* How many processes a launcher started, this one included; 1: there is none. *variable: the
 * environment variable that says so. */
int launched_processes(const char **variable);

#endif
