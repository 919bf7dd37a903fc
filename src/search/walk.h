/* SPDX-License-Identifier: MIT */
/* The walk counts the ways to complete a state, row by row. It does not know symmetry, units or
 * threads. */
#ifndef SEARCH_WALK_H
#define SEARCH_WALK_H

#include "core/method.h"
#include "search/state.h"

/* Below the last row, a board has further rows in which all squares are allowed, even beyond
 * the board's columns, so that one is always free. So looking ahead from the last rows needs no
 * special case. solutions/list.c looks ahead farthest, namely by three rows. */
enum { ROWS_BELOW = 3 };

struct walk_board {
    int n;
    uint64_t allowed[NQ_MAX_N + ROWS_BELOW]; /* squares of each row that queens may take */
};

/* Returns a board of n rows. allowed: squares of each row that queens may take; NULL for all.
 */
struct walk_board nqi_walk_board(int n, const uint32_t *allowed);

/* What a walk found. Additions are not checked, because no sum can wrap around;
 * docs/algorithm.md has the proof ("Every unit counts once, and no sum wraps around"). */
struct tally {
    uint64_t solutions;
    uint64_t nodes; /* queens placed that leave a free square in the next row and in the one
                       below it, if the board has these rows */
};

/* Memory for a walk: 1.6 MB, of which a walk uses the first part of each row. Release it with
 * free(). nqi_walk_memory_new returns NULL if memory runs out. */
struct walk_memory;
struct walk_memory *nqi_walk_memory_new(void);

/* Counts the ways to complete a state whose next row to fill is `row`, 0..n, and adds them to
 * the tally. heartbeat: may be NULL. Returns false if the heartbeat stopped the walk; the tally
 * is then meaningless. */
bool nqi_walk(const struct walk_board *board, int row, struct state state,
              struct walk_memory *memory, const struct heartbeat *heartbeat,
              struct tally *tally);

#endif
