/* Results: a table to read, and a JSON document in the format of Google Benchmark. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "cli/bench/conditions.h"

void report_table(const struct bench *bench, const struct trials *trials);

/* The document that results/README.md describes. Returns NULL if memory runs out. */
json_t *report_json(const struct bench *bench, const struct conditions *conditions,
                    const struct trials *trials);

#endif
