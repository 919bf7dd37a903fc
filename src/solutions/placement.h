/* SPDX-License-Identifier: MIT */
/* Placements: how many queens attack each other, and the class of a solution. */
#ifndef SOLUTIONS_PLACEMENT_H
#define SOLUTIONS_PLACEMENT_H

#include "core/failure.h"

/* Counts the pairs of queens that attack each other: those that share a column or a diagonal,
 * even if another queen stands between them. It takes time proportional to n and 8 n bytes of
 * memory.
 *
 * n: 0..NQ_MAX_SIDE. columns: any numbers. attacked[0..n-1]: whether the queen in each row is
 * one of a pair; may be NULL. *pairs: the number of pairs; 0 for a solution, and on failure.
 *
 * Returns NQ_OK, whatever the number; NQ_NO_PLACEMENT: a column is not in 1..n; NQ_BAD_N;
 * NQ_NO_MEMORY. `failure` may be NULL. */
nq_status nqi_count_attacks(int n, const int *columns, bool *attacked, uint64_t *pairs,
                            struct failure *failure);

/* Finds the class of a solution, as nq_classify_solution() does. `failure` may be NULL. */
nq_status nqi_classify(int n, const int *columns, nq_class *class_of, struct failure *failure);

#endif
