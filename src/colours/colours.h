/* SPDX-License-Identifier: MIT */
/* Method `colours`: counts the placements on black and on white squares apart. */
#ifndef COLOURS_COLOURS_H
#define COLOURS_COLOURS_H

#include "colours/board.h"
#include "core/method.h"
#include "core/sets.h"

extern const struct method nqi_method_colours;

enum { COLOURS_VERSION = 2 }; /* of its units */

/* For struct method.partition and struct method.plain. */
struct partition *nqi_colours_partition(int n);
struct solver *nqi_colours_plain_solver(const struct partition *partition,
                                        const struct implementation *kernel);

/* Makes a solver as the method does, which sets the last two. Threads share their lists of
 * first placements up to n = max_shared_n; beyond, each sheds its own above lists_bytes. */
struct solver *nqi_colours_solver(const struct partition *partition,
                                  const struct implementation *kernel, int max_shared_n,
                                  size_t lists_bytes);

/* All X of a unit have the same rows on one first class, the one with more queens: its list,
 * the longer one, is made once. Their rows of the other parity are `sets` sets of one size, in
 * the order of next_subset. Those of weight 0 count nothing. */
struct colours_unit {
    struct x first;
    uint32_t sets;
};

struct colours_partition {
    struct partition partition; /* first, so that a pointer to it is one to this */
    struct colours_board board;
    struct colours_unit *unit; /* [id] */
    struct unit *units;
};

/* Moves on to the next X that may be of the same unit. False: there is none. */
static inline bool colours_next_x(const struct colours_board *board, struct x *x) {
    return colours_even_shared(board, *x) ? next_subset(&x->odd, board->odds)
                                          : next_subset(&x->even, board->evens);
}

/* Adds an X, times its weight, to *sum, whose work goes to the heartbeat. workspace: of method
 * `colours`. Fails as solver_calls.solve does. */
nq_status nqi_colours_add_x(void *workspace, struct x x, const struct heartbeat *heartbeat,
                            struct unit_result *sum);

#endif
