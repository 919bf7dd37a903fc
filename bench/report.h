/* Results: a table to read, and a JSON document in the format of Google Benchmark. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/conditions.h"

/* The first trial, with which all are compared: the textbook recursion; for scaling, the fewest
 * threads of the first series. */
const struct trial *baseline_of(const struct trials *trials);

/* Over the baseline; for scaling, over one thread at the baseline's rate. */
double speedup(const struct trials *trials, const struct trial *trial);

/* By Amdahl's law, of the first series, the order in which a count fills PUs; negative: nothing
 * to fit. */
double serial_share_of(const struct trials *trials);

/* Prints a table, and lines such as "join is 1.70 times as fast as search (1.65 to 1.75)": the
 * fastest trial against each other one of the same n; for scaling, against the baseline. */
void report_table(const struct bench *bench, const struct trials *trials);

/* The document that results/README.md describes. Returns NULL if memory runs out. */
json_t *report_json(const struct bench *bench, const struct conditions *conditions,
                    const struct trials *trials);

#endif
