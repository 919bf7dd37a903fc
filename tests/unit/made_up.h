/* SPDX-License-Identifier: MIT */
/* Boards and numbers that tests make up, the same in every run. */
#ifndef TESTS_MADE_UP_H
#define TESTS_MADE_UP_H

#include "search/plan.h"
#include "search/state.h"

#include <stdlib.h>

/* The n x n board with nothing on it. */
static inline struct family empty_board(int n) {
    struct family f = {.weight = 1, .rows = n, .board = low_bits(n), .parts = 1};
    for (int row = 0; row < n; row++) {
        f.open[row] = f.board;
        f.step[row] = 1;
    }
    return f;
}

/* The states at row `row` that belong to part `part` of `parts`, as search/state.h defines it:
 * every parts-th one, beginning with number `part`. The caller frees them. */
static inline struct state *states_of_part(const struct family *f, int row, uint32_t part,
                                           uint32_t parts, size_t *count) {
    const size_t all = nqi_family_expand(f, row, NULL);
    struct state *states = malloc((all + 1) * sizeof *states);
    nqi_family_expand(f, row, states);
    *count = 0;
    for (size_t i = part; i < all; i += parts)
        states[(*count)++] = states[i];
    return states;
}

/* 32 random bits: the upper half of a linear congruential generator with the multiplier and the
 * increment of D. Knuth's MMIX. */
static inline uint32_t random_bits(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* A random number from 0 to limit - 1. */
static inline int random_below(uint64_t *seed, int limit) {
    return (int)(random_bits(seed) % (uint32_t)limit);
}

/* A family with random rows, steps and squares. There need not be a stem that leads to it. */
static inline struct family random_family(int n, int rows, uint64_t *seed) {
    struct family f = {.weight = 1, .rows = rows, .board = low_bits(n), .parts = 1};
    for (int taken = 0; taken < n - rows;) {
        uint32_t column = UINT32_C(1) << random_below(seed, n);
        taken += (f.cols & column) == 0;
        f.cols |= column;
    }
    int spare = n - rows; /* rows of the stem, some of them between the rows to fill */
    for (int row = 0; row < rows; row++) {
        int skip = random_below(seed, 3) == 0 ? random_below(seed, spare + 1) : 0;
        spare -= skip;
        f.step[row] = (uint8_t)(1 + skip);
        f.open[row] = (random_bits(seed) | random_bits(seed)) & f.board;
    }
    return f;
}

#endif
