/* SPDX-License-Identifier: MIT */
/* Sets of rows or columns as bits of a word, with the walk over all subsets of one size. */
#ifndef CORE_SETS_H
#define CORE_SETS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the n lowest bits, n = 0..31. */
static inline uint32_t low_bits(int n) {
    return (UINT32_C(1) << n) - 1;
}

/* Moves on to the next subset of n elements, 0..30, that has as many, by number: Gosper's hack
 * (HAKMEM, item 175). The first one is low_bits(size). False: there is no other. */
static inline bool next_subset(uint32_t *set, int n) {
    if (*set == 0)
        return false;
    const uint32_t next = *set + (*set & -*set);
    *set = next | (*set ^ next) >> 2 >> __builtin_ctz(*set);
    return *set <= low_bits(n);
}

/* Returns the lowest `count` bits in reverse order. */
static inline uint32_t mirrored_bits(uint32_t set, int count) {
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x0f0f0f0f) << 4 | (set >> 4 & 0x0f0f0f0f);
    return (uint32_t)((uint64_t)__builtin_bswap32(set) >> (32 - count));
}

#endif
