/* SPDX-License-Identifier: MIT */
/* Sets of rows or columns as bits of a word, and the walk over all subsets of one size. */
#ifndef CORE_BITS_H
#define CORE_BITS_H

#include <stdint.h>

/* Returns the n lowest bits, n = 0..31. */
static inline uint32_t low_bits(int n) {
    return (UINT32_C(1) << n) - 1;
}

/* Returns the next larger number with as many bits set: Gosper's hack (HAKMEM, item 175). set:
 * not 0, and below 2^31. A walk over all subsets of n elements that have one size starts at
 * low_bits(size) and ends when the result exceeds low_bits(n). */
static inline uint32_t next_subset(uint32_t set) {
    uint32_t next = set + (set & -set);
    return next | (set ^ next) >> 2 >> __builtin_ctz(set);
}

/* Returns the lowest `count` bits in reverse order. */
static inline uint32_t mirrored_bits(uint32_t set, int count) {
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f);
    return (uint32_t)((uint64_t)__builtin_bswap32(set) >> (32 - count));
}

#endif
