/* Trials: counts timed against each other. */
#ifndef CLI_BENCH_TRIAL_H
#define CLI_BENCH_TRIAL_H

#include "cli/bench/statistics.h"
#include "cli/commands.h"

#include <stdint.h>

struct trial {
    char name[96];      /* "kernels/avx512/n:17" */
    char label[192];    /* the same, short, for the table; escaped (nqi_escape_text) */
    const char *series; /* scaling: trials that differ only in threads; else NULL */
    char *command;      /* a shell command that prints the count, owned; NULL: this program */
    bool textbook;      /* counts by the textbook recursion */
    bool whole_process; /* this program, in a process of its own */
    int n, threads;
    nq_options options;
    char *bind_list;  /* owned; NULL: none */
    nq_result result; /* of this program's last run */
    double *seconds;  /* of each run */
    double *cpu_seconds;
    struct statistics statistics; /* of `seconds` */
};

struct trials {
    struct trial *trial;
    size_t count;
    int repeat; /* timed runs of each, after one to warm up */
};

/* Adds a trial for n with these options. Returns NULL if memory runs out. The pointer is valid
 * until the next trial is added. */
struct trial *trials_add(struct trials *trials, int n, const nq_options *options);
void trials_free(struct trials *trials);

/* Runs each trial once to warm up, then all in turns, `repeat` rounds. Checks every count. Says
 * what went wrong. Returns an exit code. */
int trials_run(struct trials *trials, const struct call *call);

#endif
