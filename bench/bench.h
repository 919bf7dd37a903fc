/* SPDX-License-Identifier: MIT */
/* `nqueens bench`: compares the speed of ways to count a board, by different kernels, numbers
 * of threads or devices.
 *
 * The speed of a machine changes with its temperature and with what else it does. So each way,
 * a trial, is timed several times, and the trials take turns, so that a change hits all alike.
 * Medians and a robust spread keep single disturbed timings from mattering. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli/command.h"
#include "cli/report.h"

#include <nqueens.h>

extern const struct command command_bench;

enum { MAX_REPEAT = 1000 }; /* the largest number that --repeat accepts */

/* Statistics of a few samples, which are timings in seconds. */
struct statistics {
    double median, minimum, maximum;
    /* The median absolute deviation (MAD), scaled so that it equals the standard deviation of
     * normally distributed samples, and divided by the median. Outliers hardly change it. JSON
     * calls it "spread". */
    double relative_mad;
    /* Samples that are more than 3 % off the median and have a modified z-score above 3.5. */
    size_t outliers;
};

/* A way to count: by a kernel with a number of threads, or by devices. */
struct trial {
    char label[48];                                      /* "avx512, 2 threads", or "opencl" */
    nq_options options;                                  /* the kernel is NULL for devices */
    nq_result result;                                    /* what the last timing counted */
    double seconds[MAX_REPEAT], cpu_seconds[MAX_REPEAT]; /* each timing */
    struct statistics statistics;                        /* statistics of `seconds` */
};

/* What a call of `bench` measures. The first trial is the baseline. */
struct bench {
    int n;
    nq_options options; /* the options given, for all trials */
    uint64_t signature; /* the completions of n, the same with every kernel and machine */
    nq_machine machine;
    double load; /* load average of the minute before the timings; negative if unknown */
    struct trial *trial;
    size_t count;   /* number of trials */
    size_t timings; /* timings of each trial that have ended */
    bool saved;     /* JSON was written to the file of --output */
};

/* Computes the statistics of each trial's timings. Warns of doubtful timings, and of a machine
 * that other programs used before: prints the warnings on stderr unless --quiet is given, and
 * adds them to the list. */
void bench_add_statistics(struct bench *bench, struct report *warnings);

/* Returns the statistics of samples[0..count-1], which are 0 or more; count = 1..MAX_REPEAT. */
struct statistics statistics_of(const double *samples, size_t count);

/* Returns a report as results/README.md describes it: Google Benchmark's JSON, with more
 * fields. It has no trials yet. Stores its list of warnings in *warnings, for
 * bench_add_statistics(), which must be called before benchmark_add_trials() adds the trials.
 */
struct report *benchmark_report(const struct bench *bench, struct report **warnings);
void benchmark_add_trials(struct report *report, const struct bench *bench);

/* Prints a table of the trials, and the signature below it. */
void benchmark_print_table(const struct bench *bench);

#endif
