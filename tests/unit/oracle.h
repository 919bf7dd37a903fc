/* Brute force to compare the library with, written on plain squares: nothing here moves masks
 * about, prunes, or uses symmetry. Slow, and simple enough to be believed. */
#ifndef UNIT_ORACLE_H
#define UNIT_ORACLE_H

#include "board/family.h"
#include "kernel/kernel.h"
#include "plan/plan.h"

/* Totals as published in A000170, n = 0..15; typed here once more on purpose. */
enum { PUBLISHED = 16 };
extern const uint64_t published[PUBLISHED];

/* Whether queens on these two squares attack each other. */
bool attack(int row_a, int column_a, int row_b, int column_b);

/* Calls `visit` with the columns of every placement of non-attacking queens on the first `rows`
 * rows of the n x n board, in lexicographic order. Returns how many there are; visit: or NULL.
 */
typedef void (*visit_fn)(const int *column, void *context);
uint64_t each_placement(int n, int rows, visit_fn visit, void *context);

/* Calls `visit` with every permutation of the columns first..first + n - 1; n <= 8. */
void each_permutation(int n, int first, visit_fn visit, void *context);

/* Whether no two queens attack each other. */
bool is_solution(int n, const int *column);

/* Completions of a state at row `row` of a family, and the nodes by kernel.h's definition. */
struct tally complete_naively(const struct family *family, int row, struct state state);

/* The states at row `row` that belong to part `part` of `parts`, by family.h: every parts-th,
 * from the part's own number on. The caller frees them. */
struct state *states_of_part(const struct family *family, int row, uint32_t part,
                             uint32_t parts, size_t *count);

/* What a kernel makes of a list of states, or false when it stopped because the heartbeat said
 * no. Checks that it adds to the tally and stays within its scratch memory, which it gets full
 * of rubbish and aligned to no more than kernel.h says. */
bool try_kernel(const struct kernel *kernel, const struct family *family, int row,
                const struct state *states, size_t count, const struct heartbeat *heartbeat,
                struct tally *tally);

/* The same without a heartbeat. */
struct tally run_kernel(const struct kernel *kernel, const struct family *family, int row,
                        const struct state *states, size_t count);

#endif
