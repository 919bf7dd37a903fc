/* SPDX-License-Identifier: MIT */
/* The walk: counts the completions of a state, row by row. It knows nothing of symmetry, units
 * or threads. */
#ifndef SEARCH_WALK_H
#define SEARCH_WALK_H

#include "core/method.h"
#include "search/state.h"

/* A board: the squares of each row that may be used. Below the last row lie rows that are free
 * everywhere, even beyond the board's columns, so that no look ahead ends there. */
enum { ROWS_BELOW = 3 };

struct walk_board {
    int n;
    uint64_t open[NQ_MAX_N + ROWS_BELOW]; /* [row] */
};

/* Returns a board of n rows; open: NULL, all squares of its n columns may be used. */
struct walk_board nqi_walk_board(int n, const uint32_t *open);

/* What a walk found. Additions are not checked: docs/algorithm.md shows why no sum wraps around
 * ("Every unit counts once, and no sum wraps around"). */
struct tally {
    uint64_t solutions;
    uint64_t nodes; /* queens placed that leave a free square in the next row and in the one
                       below, as far as the board has them */
};

/* Memory for a walk: some 2 MB, of which a walk touches the first part of each row. */
struct walk_memory;
struct walk_memory *nqi_walk_memory_new(void); /* NULL: out of memory; release with free() */

/* Adds the completions of a state that stands at row `row`, 0..n. heartbeat: NULL, never stop.
 * False: the heartbeat said stop, and the tally is meaningless. */
bool nqi_walk(const struct walk_board *board, int row, struct state state,
              struct walk_memory *memory, const struct heartbeat *heartbeat,
              struct tally *tally);

#endif
