/* What each of `bench kernels|plans|methods|scaling` compares. */
#ifndef BENCH_SUITES_H
#define BENCH_SUITES_H

#include "bench/trial.h"

enum { MAX_LISTED_THREADS = 256 };

/* A call of `bench`, and the machine. */
struct bench {
    const struct call *call;
    const char *suite;
    int n;
    int threads[MAX_LISTED_THREADS]; /* numbers of threads to compare, from --threads */
    size_t thread_count;             /* 0: not given */
    nq_machine machine;
    nq_place *places; /* [0..machine.threads-1]: all PUs that a count may use, cores first */
};

/* Adds the trials of a suite. Says what is wrong. Returns an exit code. */
int make_trials(enum action_id suite, const struct bench *bench, struct trials *trials);

/* The trials of suite `scaling`: several numbers of threads, in several orders of PUs. */
int make_scaling(const struct bench *bench, struct trials *trials);

#endif
