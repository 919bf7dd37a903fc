/* The rule by which method join counts one of two solutions that are a quarter turn apart, on
 * squares. */
#ifndef UNIT_QUARTER_TURN_H
#define UNIT_QUARTER_TURN_H

#include "halves.h"

/* No middle queen: n is even. */
enum { NONE = -1 };

/* How often a pair of halves counts if it fits: 0, 1 or 2. */
int times_counted(int n, const struct half *upper, const struct half *lower, int middle);

/* Whether an upper half is in any pair that counts. */
bool may_count(int n, const struct half *upper);

#endif
