/* How trials compare: their speedups, and sentences that say which is the fastest. */
#ifndef CLI_BENCH_SUMMARY_H
#define CLI_BENCH_SUMMARY_H

#include "cli/bench/trial.h"

#include <stdbool.h>
#include <stdio.h>

/* The first trial, with which all are compared: the textbook recursion where it is timed; for
 * scaling, the fewest threads of the first series. */
const struct trial *baseline_of(const struct trials *trials);

/* Over the baseline; for scaling, over one thread at the baseline's rate. */
double speedup(const struct trials *trials, const struct trial *trial);

/* Per second of the median run; 0 if that took no time. */
double rate(double number, const struct trial *trial);

/* By Amdahl's law, of the first series, the order in which a count fills PUs; negative: nothing
 * to fit. */
double serial_share_of(const struct trials *trials);

/* Writes lines such as "join is 1.70 times as fast as search (1.65 to 1.75)", each after
 * `prefix`: the fastest trial against each other trial of the same n; for scaling, against the
 * baseline. `put` writes the name of a trial. Returns whether there was anything to compare. */
bool summary_write(FILE *stream, const struct trials *trials, const char *prefix,
                   void (*put)(const char *name, FILE *stream));

/* Writes what the figures in these sentences are. */
void summary_explain(FILE *stream, const struct trials *trials);

#endif
