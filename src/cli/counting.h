/* One count, as `count` and `verify` both make it: with progress, timing and warnings. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include "cli/commands.h"

#include <jansson.h>

/* Checks the options of a call without counting, and says on stderr what is wrong with them.
 * Returns an exit code. */
int try_options(const struct call *call);

/* Counts n, and says on stderr what went wrong. Returns an exit code; result is always filled
 * in. */
int count_one(const struct call *call, int n, nq_result *result);

/* The same, and then the classes under the square's symmetries. Where the count is not complete
 * classes is left empty. */
int count_classes(const struct call *call, int n, nq_result *result, nq_classes *classes);

/* All of a result as a JSON object; classes: NULL for none. NULL: out of memory. */
json_t *json_result(const struct call *call, const nq_result *result,
                    const nq_classes *classes);

#endif
