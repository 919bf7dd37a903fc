/* SPDX-License-Identifier: MIT */
/* Method `colours`: counts the placements on black and on white squares apart. */
#ifndef COLOURS_COLOURS_H
#define COLOURS_COLOURS_H

#include "colours/board.h"
#include "core/method.h"
#include "core/sets.h"

/* The method's name, the measure of its work, and the version of its units, which a change of
 * them raises. */
#define COLOURS_NAME "colours"
#define COLOURS_WORK "completions"
enum { COLOURS_VERSION = 2 };

/* For struct method. */
struct partition *nqi_colours_partition(int n);
uint64_t nqi_colours_workspace_bytes(int n);
void nqi_colours_describe_unit(const struct partition *partition, uint64_t id, FILE *stream);

/* Makes a solver as nqi_colours_solver_new() does, which chooses the last two parameters.
 * Threads share a cache of lists of first placements up to n = max_shared_n; beyond, each has
 * its own, of cache_limit bytes. */
struct solver *nqi_colours_solver(const struct partition *partition,
                                  const struct kernel *kernel, int max_shared_n,
                                  size_t cache_limit);

/* The X of a unit: `count` with a weight above 0, in the order of colours_next_x. They share
 * their rows on one first class, that of the longer list of first placements, which is made
 * once. */
struct x_range {
    struct x first;
    uint32_t count;
};

struct colours_partition {
    struct partition partition; /* first, so that a pointer to it is one to this */
    struct colours_board board;
    struct x_range *ranges; /* [id] */
};

/* Moves on to the next X of weight above 0 that shares these rows. False: there is none. */
static inline bool colours_next_x(const struct colours_board *board, struct x *x) {
    const bool even_shared = colours_even_shared(board, *x);
    bool found;
    do
        found = even_shared ? next_subset(&x->odd, board->odds)
                            : next_subset(&x->even, board->evens);
    while (found && nqi_colours_x_weight(board, *x) == 0);
    return found;
}

/* Adds an X of weight above 0, times that, to *sum, whose work goes to the heartbeat.
 * workspace: of method `colours`. Fails as solver_calls.solve does. */
nq_status nqi_colours_add_x(void *workspace, struct x x, const struct heartbeat *heartbeat,
                            struct unit_result *sum);

#endif
