/* No symmetry and no forward checking, as in textbooks; bit masks after M. Richards,
 * "Backtracking algorithms in MCPL using bit patterns and recursion", 1997. It is compiled with
 * the project's own flags.
 */
#include "bench/textbook.h"

static uint64_t place(uint32_t cols, uint32_t left, uint32_t right, uint32_t board) {
    if (cols == board)
        return 1;
    uint64_t solutions = 0;
    uint32_t free = ~(cols | left | right) & board;
    while (free != 0) {
        uint32_t queen = free & -free;
        free ^= queen;
        solutions += place(cols | queen, (left | queen) << 1, (right | queen) >> 1, board);
    }
    return solutions;
}

uint64_t textbook_count(int n) {
    return place(0, 0, 0, (UINT32_C(1) << n) - 1);
}
