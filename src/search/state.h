/* SPDX-License-Identifier: MIT */
/* A state is what the next row to fill must know about the queens in the rows above: the
 * squares of this row that they attack. The queens' own places are not kept.
 *
 * Bit c of a word is the square in column c of the row. One row further down, attacks along one
 * direction of diagonals have moved one column to the left, and attacks along the other one
 * column to the right. To the right, attacks that leave the board stay in the word, beyond the
 * board's columns, where the mask of a row's squares hides them. */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include <stdint.h>

struct state {
    uint64_t cols;  /* columns that have a queen */
    uint64_t left;  /* squares attacked along diagonals that go down and to the left */
    uint64_t right; /* squares attacked along diagonals that go down and to the right */
};

/* Returns the free squares of the row: those that are allowed, and that no queen attacks. */
static inline uint64_t state_free(struct state s, uint64_t allowed) {
    return ~(s.cols | s.left | s.right) & allowed;
}

/* Returns the free squares of the row that is `down` rows further down. */
static inline uint64_t state_free_below(struct state s, int down, uint64_t allowed) {
    return ~(s.cols | s.left >> down | s.right << down) & allowed;
}

/* Places a queen on `square`, which is one bit, and returns the state for the next row. */
static inline struct state state_place(struct state s, uint64_t square) {
    return (struct state){s.cols | square, (s.left | square) >> 1, (s.right | square) << 1};
}

#endif
