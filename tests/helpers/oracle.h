/* SPDX-License-Identifier: MIT */
/* Brute force to compare the library with. It looks at plain squares, without shifted masks,
 * pruning or symmetry: slow, but simple enough to be trusted. */
#ifndef HELPERS_ORACLE_H
#define HELPERS_ORACLE_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Totals as published in A000170, n = 0..15. A second copy on purpose. */
enum { PUBLISHED = 16 };
extern const uint64_t published[PUBLISHED];

/* Whether queens on these two squares attack each other. */
bool attack(int row_a, int column_a, int row_b, int column_b);

/* Calls `visit` with the columns of placements of non-attacking queens on the first `rows` rows
 * of the n x n board, in lexicographic order: with the first `most` of them. */
typedef void (*visit_fn)(const int *column, void *context);
void each_placement(int n, int rows, uint64_t most, visit_fn visit, void *context);

/* Whether no two queens attack each other. */
bool is_solution(int n, const int *column);

#endif
