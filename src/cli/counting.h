/* SPDX-License-Identifier: MIT */
/* A count with progress, timing and warnings, for `count`, `verify` and `bench`. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include "cli/commands.h"

#include <jansson.h>

/* From there on, planning takes long enough to speak of them. */
enum { LARGE_N = 21 };

/* Has the library check the call's options without counting, and says on stderr what is wrong
 * with them. Returns an exit code. */
int try_options(const struct call *call);

/* Counts n, and says on stderr what went wrong. Returns an exit code; fills in `result` in any
 * case. */
int count_one(const struct call *call, int n, nq_result *result);

/* The same, then counts the classes under the square's symmetries. An incomplete count leaves
 * `classes` empty. */
int count_classes(const struct call *call, int n, nq_result *result, nq_classes *classes);

/* A result as a JSON object; classes: NULL for none. Returns NULL if memory runs out. */
json_t *json_result(const struct call *call, const nq_result *result,
                    const nq_classes *classes);

#endif
