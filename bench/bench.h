/* SPDX-License-Identifier: MIT */
/* `nqueens bench`: counts timed against each other, in turns. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli/command.h"
#include "cli/report.h"

#include <nqueens.h>

extern const struct command command_bench;

enum { MAX_REPEAT = 1000 }; /* as --repeat has it */

/* Statistics of a few samples. */
struct statistics {
    double median, minimum, maximum;
    double relative_mad; /* median absolute deviation (MAD), scaled to a standard deviation of
                            normal samples, over the median: how much a run differs, outliers
                            aside; JSON calls it "spread" */
    size_t outliers;     /* samples more than 3 % off, with a modified z-score beyond 3.5 */
};

/* A way to count: by a kernel and a number of threads, or by devices. */
struct trial {
    char label[48];                                      /* "avx512, 2 threads", or "opencl" */
    nq_options options;                                  /* kernel: NULL: devices */
    nq_result result;                                    /* of the last run */
    double seconds[MAX_REPEAT], cpu_seconds[MAX_REPEAT]; /* of each run */
    struct statistics statistics;                        /* of `seconds` */
};

/* A call of `bench`, the machine, and the trials. The first trial is the baseline. */
struct bench {
    int n;
    nq_options options; /* as they are given, for all trials */
    uint64_t signature; /* the completions of n: the same for every kernel and machine */
    nq_machine machine;
    double load; /* load average of the minute before the runs; negative: unknown */
    struct trial *trial;
    size_t count;
    size_t runs; /* of each trial, that have ended */
    bool saved;  /* as JSON in the file of --output */
};

/* Computes the statistics of each trial's runs, and warns of doubtful ones, and of a machine
 * that other programs used before: on stderr, and in the list. */
void bench_add_statistics(struct bench *bench, struct report *warnings);

/* Of samples[0..count-1] >= 0, count = 1..MAX_REPEAT. */
struct statistics statistics_of(const double *samples, size_t count);

/* The report that results/README.md describes: Google Benchmark's, with more fields. warnings:
 * gets the list for bench_add_statistics(), which comes next; benchmark_add_trials() needs its
 * statistics. */
struct report *benchmark_report(const struct bench *bench, struct report **warnings);
void benchmark_add_trials(struct report *report, const struct bench *bench);

/* Prints a table, and the signature below it. */
void benchmark_print_table(const struct bench *bench);

#endif
