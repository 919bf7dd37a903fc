/* SPDX-License-Identifier: MIT */
/* Counts the attacks of a placement, and finds the class of a solution, for other folders. */
#ifndef SOLUTIONS_PLACEMENT_H
#define SOLUTIONS_PLACEMENT_H

#include "core/failure.h"

/* Counts the pairs of queens that attack each other: those that share a column or a diagonal,
 * even if another queen stands between them. It takes time proportional to n, and 8 n bytes of
 * memory.
 *
 * n: 0..NQ_MAX_SIDE.
 * columns[0..n-1]: any numbers.
 * attacked[0..n-1]: receives whether the queen of each row attacks another one. May be NULL.
 * pairs: receives the number of pairs, or 0 after a failure.
 * failure: may be NULL.
 *
 * Returns NQ_OK, whatever the number of pairs; NQ_NO_PLACEMENT if a column is not in 1..n;
 * NQ_BAD_N or NQ_NO_MEMORY. */
nq_status nqi_count_attacks(int n, const int *columns, bool *attacked, uint64_t *pairs,
                            struct failure *failure);

/* Does what nq_classify_solution() does. failure: may be NULL. */
nq_status nqi_classify(int n, const int *columns, nq_class *class_of, struct failure *failure);

#endif
