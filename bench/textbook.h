/* SPDX-License-Identifier: MIT */
/* The textbook recursion, which finds the solutions one by one: the baseline of all speeds. No
 * symmetry and no forward checking; bit masks after M. Richards, "Backtracking algorithms in
 * MCPL using bit patterns and recursion", 1997. It is compiled with the project's own flags. */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include <stdint.h>

static uint64_t textbook_place(uint32_t cols, uint32_t left, uint32_t right, uint32_t board) {
    if (cols == board)
        return 1;
    uint64_t solutions = 0;
    uint32_t free = ~(cols | left | right) & board;
    while (free != 0) {
        uint32_t queen = free & -free;
        free ^= queen;
        solutions +=
            textbook_place(cols | queen, (left | queen) << 1, (right | queen) >> 1, board);
    }
    return solutions;
}

/* n = 0..28. */
static uint64_t textbook_count(int n) {
    return textbook_place(0, 0, 0, (UINT32_C(1) << n) - 1);
}

#endif
