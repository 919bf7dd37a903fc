/* Counts made by whole processes: other programs, and ourselves beside them. */
#ifndef CLI_BENCH_PROCESS_H
#define CLI_BENCH_PROCESS_H

#include "cli/bench/trial.h"

/* Runs the trial's command, or this program with the trial's options, from start to end, and
 * looks for the count in what it prints. Says what went wrong. Returns an exit code. */
int process_run(struct trial *trial, double *seconds, double *cpu_seconds);

/* A command with each "{n}" replaced; NULL: out of memory, or there is none in it. The caller
 * frees it. */
char *command_for(const char *command, int n);

#endif
