/* Sets of rows or columns as bits of a word, and the walk over all subsets of one size. */
#ifndef CORE_BITS_H
#define CORE_BITS_H

#include <stdint.h>

/* Returns the n lowest bits, n = 0..31. */
static inline uint32_t low_bits(int n) {
    return (UINT32_C(1) << n) - 1;
}

/* Returns the n lowest bits, n = 0..63. */
static inline uint64_t low_bits_64(int n) {
    return (UINT64_C(1) << n) - 1;
}

/* Returns the next larger number with as many bits set: Gosper's hack (HAKMEM, item 175). set:
 * not 0, and below 2^31. A walk over all subsets of n elements that have one size starts at
 * low_bits(size) and ends when the result exceeds low_bits(n). */
static inline uint32_t next_subset(uint32_t set) {
    uint32_t lowest = set & -set, next = set + lowest;
    return next | ((set ^ next) >> 2) / lowest;
}

/* Returns the lowest `count` bits in reverse order. */
static inline uint32_t mirrored_bits(uint32_t set, int count) {
    uint32_t result = 0;
    for (int i = 0; i < count; i++)
        result |= (set >> i & 1) << (count - 1 - i);
    return result;
}

#endif
