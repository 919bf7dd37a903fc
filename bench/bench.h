/* SPDX-License-Identifier: MIT */
/* Inside `nqueens bench`: counts timed against each other, in turns. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli/commands.h"

#include <jansson.h>
#include <stddef.h>

enum { MAX_REPEAT = 1000 }; /* as --repeat has it */

/* Statistics of a few samples. */
struct statistics {
    double median, minimum, maximum;
    double relative_mad; /* median absolute deviation (MAD), scaled to a standard deviation of
                            normal samples, over the median: how much a run differs, outliers
                            aside; JSON calls it "spread" */
    size_t outliers;     /* samples more than 3 % off, with a modified z-score beyond 3.5 */
};

/* A way to count. */
struct trial {
    char name[96];  /* "kernels/avx512/n:17" */
    char label[32]; /* for the table: "search avx512", "2 threads" */
    nq_options options;
    nq_result result;             /* of the last run */
    double *seconds;              /* of each run, then the CPU seconds of each; owned */
    struct statistics statistics; /* of `seconds` */
};

/* A call of `bench`, the machine, and the trials. */
struct bench {
    const struct call *call;
    const char *suite; /* score, kernels or scaling */
    int n;
    int threads[NQ_MAX_THREADS]; /* numbers of threads to compare, from --threads */
    size_t thread_count;         /* 0: not given */
    nq_machine machine;
    char governor[32]; /* of the first CPU's frequency; empty: unknown */
    double load;       /* load average of the last minute; negative: unknown */
    json_t *warnings;  /* texts, each with a remedy */
    struct trial *trial;
    size_t count, capacity;
    int repeat;       /* timed runs of each trial, after one to warm up */
    size_t runs;      /* of each trial, that have ended */
    bool scaling;     /* trials differ in threads alone */
    bool score;       /* one thread and all, or devices, for a score and a signature */
    bool judged;      /* the work is known, and compared */
    bool saved;       /* as JSON in the file of --output */
    bool interrupted; /* a signal came: whole rounds of runs remain; if none, the runs of one */
};

/* Adds all trials of the suite. The first one is the baseline: kernel scalar64, or the fewest
 * threads. If it fails, it says what is wrong, and returns an exit code. */
int suite_make(struct bench *bench);

/* Finds out whether the machine is fit for measurements now, and warns if not. */
void doubts_of_machine(struct bench *bench);

/* Computes the statistics of each trial's runs, and warns of doubtful ones. */
void doubts_of_runs(struct bench *bench);

/* Of samples[0..count-1] >= 0, count = 1..MAX_REPEAT. */
struct statistics statistics_of(const double *samples, size_t count);

/* Prints a table; as text also the warnings. */
void report_table(const struct bench *bench);

/* Prints the warnings, the score, the signature, and a row of the table in results/README.md.
 */
void report_score(const struct bench *bench);

/* The document that results/README.md describes: Google Benchmark's, with more members. */
json_t *report_json(const struct bench *bench);

#endif
