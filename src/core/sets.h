/* SPDX-License-Identifier: MIT */
/* Sets of rows or columns as bits of a word: bit i is set if line i is in the set. */
#ifndef CORE_SETS_H
#define CORE_SETS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the n lowest bits, n = 0..31. */
static inline uint32_t low_bits(int n) {
    return (UINT32_C(1) << n) - 1;
}

/* Replaces a subset of {0..n-1} by the next larger number that has the same number of bits, by
 * Gosper's hack (HAKMEM, item 175). To visit all subsets of `size` elements, begin with
 * low_bits(size). Returns false if there is no further subset. n: 0..30. */
static inline bool next_subset(uint32_t *set, int n) {
    if (*set == 0)
        return false;
    const uint32_t next = *set + (*set & -*set);
    *set = next | (*set ^ next) >> 2 >> __builtin_ctz(*set);
    return *set <= low_bits(n);
}

/* Returns the lowest `count` bits of a set in reverse order. count: 0..32. */
static inline uint32_t mirrored_bits(uint32_t set, int count) {
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f);
    return (uint32_t)((uint64_t)__builtin_bswap32(set) >> (32 - count));
}

#endif
