/* Trials: things to be timed against each other. */
#ifndef CLI_BENCH_TRIAL_H
#define CLI_BENCH_TRIAL_H

#include "cli/bench/statistics.h"
#include "cli/commands.h"

#include <stdint.h>

struct trial {
    char name[96];      /* "kernels/avx512/n:17" */
    char label[64];     /* the same, short, for the table */
    const char *series; /* scaling: trials that differ in their threads alone; else NULL */
    char *command;      /* a line of shell that prints the count, owned; NULL: ourselves */
    bool textbook;      /* by the textbook recursion */
    bool whole_process; /* ourselves, but as a process of its own */
    int n, threads;
    nq_options options;
    char *bind_list;  /* owned; NULL: none */
    nq_result result; /* of the last run of ourselves */
    double *seconds;  /* of each run */
    double *cpu_seconds;
    struct statistics statistics; /* of `seconds` */
};

struct trials {
    struct trial *trial;
    size_t count;
    int repeat; /* runs of each, not counting the one to warm up */
};

/* Adds a trial for n with these options; NULL: out of memory. What it returns lasts until the
 * next one is added. */
struct trial *trials_add(struct trials *trials, int n, const nq_options *options);
void trials_free(struct trials *trials);

/* Runs all in turns: each once to warm up, then one after the other, `repeat` rounds. Every
 * count is checked. Says what went wrong. Returns an exit code. */
int trials_run(struct trials *trials, const struct call *call);

#endif
