/* SPDX-License-Identifier: MIT */
/* The kernels of this build, and what they share. */
#include "search/kernel.h"

const struct implementation *const nqi_kernel_list[] = {
    &nqi_kernel_scalar64.impl,
#ifdef __x86_64__
    &nqi_kernel_avx2.impl,
    &nqi_kernel_avx512.impl,
#endif
#ifdef __AARCH64EL__
    &nqi_kernel_neon.impl,
#endif
    NULL,
};

/* Counts the completions of a state with two rows to fill, `gap` rows apart, with free squares
 * p and q. Two columns remain, and each takes one queen: |p| |q| - |p & q| ways. There is none
 * if the columns are `gap` apart, since the queens would share a diagonal. For subsets of two
 * columns this is 2 if both rows have both columns free, else 1 if p and q differ and neither
 * is empty, else 0. */
static uint64_t kernel_last_two(uint64_t columns, uint64_t p, uint64_t q, unsigned gap) {
    uint64_t both = (p == columns) & (q == columns);
    uint64_t differ = (p != q) & (p != 0) & (q != 0);
    uint64_t apart = (columns & columns >> gap) == 0;
    return apart * (2 * both + differ);
}

/* Counts the completions of a state at row `row` with fewer than three rows to fill. */
static uint64_t kernel_finish(const struct family *f, int row, struct state s) {
    if (row == f->rows)
        return 1;
    uint64_t p = state_free(s, f->open[row]);
    if (row + 1 == f->rows)
        return (uint64_t)__builtin_popcountll(p);
    unsigned gap = f->step[row];
    uint64_t q = ~(s.cols | s.left >> gap | (uint64_t)s.right << gap) & f->open[row + 1];
    return kernel_last_two(~s.cols & f->board, p, q, gap);
}

uint64_t nqi_kernel_last_rows(const struct family *family, int row, const struct state *states,
                              size_t count) {
    uint64_t solutions = 0;
    for (size_t i = 0; i < count; i++)
        solutions += kernel_finish(family, row, states[i]);
    return solutions;
}
