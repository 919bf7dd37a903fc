/* SPDX-License-Identifier: MIT */
/* Inside `nqueens bench`: counts timed against each other, in turns. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli/commands.h"

#include <jansson.h>
#include <stddef.h>

/* Statistics of a few samples. */
struct statistics {
    double median, mean, minimum, maximum, deviation; /* deviation: standard, of the sample */
    double relative_mad; /* median absolute deviation (MAD), scaled to a standard deviation of
                            normal samples, over the median: how much a run differs, outliers
                            aside; JSON calls it "spread" */
    size_t outliers;     /* samples more than 3 % off, with a modified z-score beyond 3.5 */
};

/* Of samples[0..count-1] >= 0, count >= 1. */
struct statistics statistics_of(const double *samples, size_t count);

/* Fits Amdahl's law, time(p) = a + b / p, to times at several thread counts by least squares of
 * relative errors. Returns the serial share of the work, a / (a + b), 0..1; negative if there
 * are fewer than two different thread counts, or if more threads gain more than in proportion.
 */
double serial_share(const int *threads, const double *seconds, size_t count);

enum { MAX_LISTED_THREADS = 256 };

/* A way to count. */
struct trial {
    char name[96];      /* "kernels/avx512/n:17" */
    char label[32];     /* for the table: "search avx512", "rows 2" */
    const char *series; /* scaling: trials that differ only in threads; else NULL */
    bool textbook;      /* counts by the textbook recursion */
    int n, threads;
    nq_options options;
    char *bind_list;  /* owned; NULL: none */
    nq_result result; /* of the last run */
    double *seconds;  /* of each run */
    double *cpu_seconds;
    size_t runs;                  /* that have ended; all, unless a signal came */
    struct statistics statistics; /* of `seconds` */
    bool doubtful;                /* a warning says why */
};

/* A call of `bench`, the machine, and the trials. */
struct bench {
    const struct call *call;
    const char *suite;
    int n;
    int threads[MAX_LISTED_THREADS]; /* numbers of threads to compare, from --threads */
    size_t thread_count;             /* 0: not given */
    nq_machine machine;
    nq_place *places;  /* [0..machine.threads-1]: all PUs that a count may use, cores first */
    char governor[32]; /* of the first CPU's frequency; empty: unknown */
    char smt[32];      /* "on", "off", ...; empty: unknown */
    double load;       /* load average of the last minute; negative: unknown */
    json_t *warnings;  /* texts, each with a remedy */
    struct trial *trial;
    size_t count, capacity;
    int repeat;       /* timed runs of each trial, after one to warm up */
    bool interrupted; /* a signal came: there are fewer runs, and perhaps fewer trials */
};

/* trial_add adds a trial for n with these options, the others add all trials of the suite. If
 * they fail, they say what is wrong, and return NULL or an exit code. The pointer is valid
 * until the next trial is added. */
struct trial *trial_add(struct bench *bench, int n, const nq_options *options);
int suite_make(struct bench *bench);
int scaling_make(struct bench *bench);

void trial_free(struct trial *trial);

/* Runs each trial once to warm up, then all in turns, `repeat` rounds. Checks every count. Says
 * what went wrong. If a signal comes after the first run, the trials that have a run remain,
 * and `interrupted` is set. Returns an exit code. */
int trials_run(struct bench *bench);

/* The first trial, with which all are compared: the textbook recursion, if the suite has it;
 * for scaling, the fewest threads of the first series. */
static inline const struct trial *baseline_of(const struct bench *bench) {
    return &bench->trial[0];
}

/* Returns how many times as fast as the baseline a trial is; for scaling, as one thread at the
 * baseline's rate. */
double speedup(const struct bench *bench, const struct trial *trial);

/* Returns the serial share by Amdahl's law of the first series, which fills PUs in the order of
 * a count. Negative: there is nothing to fit, its runs are doubtful, or more threads gain too
 * little to tell the share from noise. */
double serial_share_of(const struct bench *bench);

/* Finds out whether the machine is fit for measurements now, and warns if not. */
void conditions_look(struct bench *bench);

/* Warns of doubtful samples. */
void conditions_judge(struct bench *bench);

/* Reads the first line of a file, without the newline. Returns false, with an empty text, if
 * there is none. */
bool system_line(const char *file, char *text, size_t size);

/* Prints a table, and lines such as "colours is 1.70 times as fast as search (1.65 to 1.75)":
 * the fastest trial against each other one of the same n; for scaling, against the baseline. */
void report_table(const struct bench *bench);

/* The document that results/README.md describes: Google Benchmark's, with more members. Not
 * whole (json_is_whole) if memory runs out. */
json_t *report_json(const struct bench *bench);

#endif
