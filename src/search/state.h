/* SPDX-License-Identifier: MIT */
/* States: placements of queens on the first rows, seen from the next row to fill.
 *
 * Bit c of a word is the square in column c of that row. Of the queens above, a state keeps
 * only the squares of this row that they attack. One row further down, attacks along one
 * direction of diagonals have moved one column to the left, along the other one column to the
 * right. What leaves the board on the high side stays in the word, outside every mask of
 * squares.
 */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include <stdint.h>

struct state {
    uint64_t cols;  /* columns taken */
    uint64_t left;  /* squares attacked along diagonals that go down and to the left */
    uint64_t right; /* squares attacked along diagonals that go down and to the right */
};

/* Returns the squares of the row that no queen attacks. open: squares that may be used. */
static inline uint64_t state_free(struct state s, uint64_t open) {
    return ~(s.cols | s.left | s.right) & open;
}

/* Returns the same for the row `down` rows below. */
static inline uint64_t state_free_below(struct state s, int down, uint64_t open) {
    return ~(s.cols | s.left >> down | s.right << down) & open;
}

/* Returns the state after a queen on `square` (one bit), as the next row sees it. */
static inline struct state state_place(struct state s, uint64_t square) {
    return (struct state){s.cols | square, (s.left | square) >> 1, (s.right | square) << 1};
}

#endif
