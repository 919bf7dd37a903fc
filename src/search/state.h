/* SPDX-License-Identifier: MIT */
/* What plans make and kernels complete: states and families.
 *
 * A state is a partial placement, seen from the next row to fill.
 * Bit c of a word is the square in column c of that row. Queens are placed row by row, from top
 * to bottom. Of the queens above, a state keeps only the squares of the next row that they
 * attack. One row further down, attacks along one direction of diagonals have moved one column
 * to the left, along the other one column to the right. 32 bits hold boards up to 28 x 28.
 */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "core/collections.h"

#include <nqueens.h>

struct state {
    uint32_t cols;  /* columns taken */
    uint32_t left;  /* squares attacked along diagonals that go down and to the left */
    uint32_t right; /* squares attacked along diagonals that go down and to the right */
};

/* Returns the squares of the row that no queen placed so far attacks. open: squares that may be
 * used. */
static inline uint32_t state_free(struct state s, uint32_t open) {
    return ~(s.cols | s.left | s.right) & open;
}

/* Returns the state after a queen on `square` (one bit), seen `step` rows further down. Bits
 * that leave the board on the high side are harmless: open masks never have them. */
static inline struct state state_place(struct state s, uint32_t square, unsigned step) {
    return (struct state){s.cols | square, (s.left | square) >> step,
                          (s.right | square) << step};
}

/* A family: a few queens already placed (its stem), and the rows still to fill.
 *
 * Plans make families, kernels complete them, and families are all that the two share. The
 * squares that a stem attacks are the same for all completions. So a constant mask for each row
 * (open) excludes them, and states do not carry them. The stem's columns are taken from the
 * start. A plan may leave out more squares, to break symmetry.
 */
struct family {
    uint32_t weight; /* placements of the board that each completion stands for */
    int rows;        /* rows to fill, 0..NQ_MAX_SEARCH_N, top to bottom */
    uint32_t board;  /* all columns: the n lowest bits */
    uint32_t cols;   /* columns that the stem takes: one for each row that it fills */
    uint32_t open[NQ_MAX_SEARCH_N]; /* [r]: squares of the r-th row to fill that may be used */
    uint8_t step[NQ_MAX_SEARCH_N];  /* [r]: rows from the r-th row to fill down to the next one:
                                1, or  more where stem queens stand on the rows between */
    int expanded;     /* rows expanded to make the states that units start from, 0..rows */
    uint32_t parts;   /* 1 or more; state i of the expansion is in part i % parts. A part is a
                         unit, or shares one with parts of other families (search/plan.h) */
    int32_t log_cost; /* logarithm to base 2 of the expected cost of one part, in units of
                         2^-16, on one scale for all families of the plan; 0 or more */
};

#endif
