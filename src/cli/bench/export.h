/* Results as tables for other programs and for documents. */
#ifndef CLI_BENCH_EXPORT_H
#define CLI_BENCH_EXPORT_H

#include "cli/bench/conditions.h"

#include <stdio.h>

/* One line for each trial, with the columns that results/README.md describes. */
void export_csv(const struct trials *trials, FILE *stream);

/* What was measured, a table, the summary and the warnings. */
void export_markdown(const struct bench *bench, const struct conditions *conditions,
                     const struct trials *trials, FILE *stream);

#endif
