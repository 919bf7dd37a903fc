/* What came out: a table for people, a document in the form of Google Benchmark's for programs.
 */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "cli/bench/conditions.h"

void report_table(const struct bench *bench, const struct trials *trials);

/* results/README.md describes it. NULL: out of memory. */
json_t *report_json(const struct bench *bench, const struct conditions *conditions,
                    const struct trials *trials);

#endif
