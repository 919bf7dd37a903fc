/* SPDX-License-Identifier: MIT */
/* The program `textbook N`: counts by the textbook recursion, so that nqueens can be compared
 * with what everybody knows.
 *
 * It visits the solutions one by one, so its time grows with their number. Rows are filled from
 * the first to the last, and bit masks hold the attacked columns and diagonals (M. Richards,
 * "Backtracking algorithms in MCPL using bit patterns and recursion", 1997). It does not use
 * symmetry, and does not look ahead. It is compiled with the project's flags. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

int main(int argc, char **argv) {
    char *end = "";
    const long n = argc == 2 ? strtol(argv[1], &end, 10) : -1;
    if (argc != 2 || end == argv[1] || *end != '\0' || n < 0 || n > 28) {
        fputs("usage: textbook N, N = 0..28\n", stderr);
        return 2;
    }
    printf("%" PRIu64 "\n", textbook_place(0, 0, 0, (UINT32_C(1) << n) - 1));
    return 0;
}
