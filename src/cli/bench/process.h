/* Counts timed as whole processes: those of other programs, and this program's beside them. */
#ifndef CLI_BENCH_PROCESS_H
#define CLI_BENCH_PROCESS_H

#include "cli/bench/trial.h"

/* Runs the trial's command, or this program with the trial's options, and looks for the count
 * in the output. Says what went wrong. Returns an exit code. */
int process_run(struct trial *trial, double *seconds, double *cpu_seconds);

/* The command with each "{n}" replaced, to be freed by the caller. Returns NULL if memory runs
 * out or there is no "{n}". */
char *command_for(const char *command, int n);

#endif
