/* SPDX-License-Identifier: MIT */
/* Random numbers, the same in every run. */
#ifndef TESTS_MADE_UP_H
#define TESTS_MADE_UP_H

#include <stdint.h>

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

#endif
