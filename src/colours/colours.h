/* SPDX-License-Identifier: MIT */
/* Method `colours` counts placements of queens on black squares and on white squares
 * separately. This header declares what the method gives to core/method.h, its units, and how
 * one X is counted; board.h explains X and the other letters. */
#ifndef COLOURS_COLOURS_H
#define COLOURS_COLOURS_H

#include "colours/board.h"
#include "core/method.h"
#include "core/sets.h"

/* The method's name, the measure of its work, and the version of its units. Whoever changes the
 * units or their costs raises the version. */
#define COLOURS_NAME "colours"
#define COLOURS_WORK "completions"
enum { COLOURS_VERSION = 2 };

/* Members of this method's struct method. */
struct partition *nqi_colours_partition(int n);
uint64_t nqi_colours_workspace_bytes(int n);
void nqi_colours_describe_unit(const struct partition *partition, uint64_t id, FILE *stream);

/* Makes a solver, or returns NULL if memory runs out. Up to n = max_shared_n, all threads share
 * one cache of lists of first placements. For larger n each thread has its own cache, which
 * evicts lists once they take more than cache_limit bytes. nqi_colours_solver_new() calls this
 * function with the limits that are best; tests choose others. */
struct solver *nqi_colours_solver(const struct partition *partition,
                                  const struct kernel *kernel, int max_shared_n,
                                  size_t cache_limit);

/* The X of a unit: from `first` on, `count` X whose weight is above 0, in the order of
 * colours_next_x(). They have the same rows on the odd half of one colour, the colour with the
 * longer list of first placements, so that this list is made once. */
struct x_range {
    struct x first;
    uint32_t count;
};

struct colours_partition {
    struct partition partition; /* first, so that a pointer to it can be cast to the whole */
    struct colours_board board;
    struct x_range *ranges; /* [id] */
};

/* Moves on to the next X that has the same shared rows and a weight above 0. Returns false if
 * there is none. */
static inline bool colours_next_x(const struct colours_board *board, struct x *x) {
    const bool even_shared = colours_even_shared(board, *x);
    bool found;
    do
        found = even_shared ? next_subset(&x->odd, board->odds)
                            : next_subset(&x->even, board->evens);
    while (found && nqi_colours_x_weight(board, *x) == 0);
    return found;
}

/* Counts an X whose weight is above 0, and adds its solutions, times that weight, and its
 * completions to *sum. The heartbeat is told the work in *sum. `workspace` was made by a solver
 * of this method for the CPU. Fails as solver_calls.solve does. */
nq_status nqi_colours_add_x(void *workspace, struct x x, const struct heartbeat *heartbeat,
                            struct unit_result *sum);

#endif
