/* A partial placement, seen from the next row to fill.
 *
 * Bit c of a word is the square in column c of that row. Queens are placed row by row, from top
 * to bottom. Of the queens above, a state keeps only the squares of the next row that they
 * attack. One row further down, attacks along one direction of diagonals have moved one column
 * to the left, along the other one column to the right. 32 bits hold boards up to 28 x 28.
 */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "core/bits.h"

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

#endif
