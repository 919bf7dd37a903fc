/* Made-up lists of signatures, and a naive way to match them. */
#ifndef TESTS_SIGNATURES_H
#define TESTS_SIGNATURES_H

#include "join/matcher.h"
#include "made_up.h"

#include <stdlib.h>

enum { SIGNATURE_BITS = 2 * NQ_MAX_N };

/* Room that matcher.h recommends for lists of these lengths, whichever is passed first. */
static inline size_t ample_room(size_t a, size_t b) {
    const size_t one = matcher_room(a, b), other = matcher_room(b, a);
    return one > other ? one : other;
}

static inline uint64_t random_64(uint64_t *seed) {
    uint64_t high = random_bits(seed);
    return high << 32 | random_bits(seed);
}

/* 64 bits, each set with a probability of `eighths` / 8. */
static inline uint64_t random_eighths(uint64_t *seed, int eighths) {
    uint64_t bits = 0;
    for (int digit = 0; digit < 3; digit++)
        bits = (eighths >> digit & 1) != 0 ? bits | random_64(seed) : bits & random_64(seed);
    return bits;
}

/* What the signatures of a pair of lists look like. */
enum likeness {
    SPARSE,      /* 1 bit in 64 is set */
    LIGHT,       /* 1 in 8 */
    MEDIUM,      /* 1 in 4 */
    DENSE,       /* 1 in 2 */
    HEAVY,       /* 7 in 8: hardly any pair fits */
    UNEVEN,      /* the lowest 4 bits are set most often */
    LOW_BITS,    /* only the lowest 28 bits are used */
    HIGH_BITS,   /* only the highest 28 bits */
    TOP_BIT,     /* only the highest bit */
    APART,       /* one list has low bits, the other high ones: all pairs fit */
    ALL_EQUAL,   /* each list repeats one signature; the two differ */
    ALL_ZERO,    /* no bits at all */
    ONE_ZERO,    /* no bits in one list */
    ALL_ONES,    /* every bit in both lists: no pair fits */
    FEW,         /* four signatures in all, many times each */
    SORTED,      /* rising, so that like signatures are neighbours */
    ODD_ONE_OUT, /* no bits, but for one signature in 611 */
    LIKENESSES
};

static inline uint64_t random_signature(enum likeness likeness, uint64_t *seed, size_t i,
                                        int list) {
    const uint64_t all = (UINT64_C(1) << SIGNATURE_BITS) - 1;
    const uint64_t low = (UINT64_C(1) << NQ_MAX_N) - 1, high = all ^ low;
    uint64_t few = (i * 7 + (size_t)list * 13) % 4;
    switch (likeness) {
    case SPARSE:
        return random_eighths(seed, 1) & random_eighths(seed, 1) & all;
    case LIGHT:
        return random_eighths(seed, 1) & all;
    case MEDIUM:
        return random_eighths(seed, 2) & all;
    case DENSE:
        return random_64(seed) & all;
    case HEAVY:
        return random_eighths(seed, 7) & all;
    case UNEVEN:
        return random_64(seed) & (random_eighths(seed, 1) | 0xf) & all;
    case LOW_BITS:
        return random_eighths(seed, 2) & low;
    case HIGH_BITS:
        return random_eighths(seed, 2) & high;
    case TOP_BIT:
        return random_64(seed) & UINT64_C(1) << (SIGNATURE_BITS - 1);
    case APART:
        return random_64(seed) & (list == 0 ? low : high);
    case ALL_EQUAL:
        return list == 0 ? UINT64_C(0x00a5000000f00f01) : UINT64_C(0x005a0ff0000f00f0);
    case ALL_ZERO:
        return 0;
    case ONE_ZERO:
        return list == 0 ? 0 : random_64(seed) & all;
    case ALL_ONES:
        return all;
    case FEW:
        return (UINT64_C(0x11) << (few + 3) | UINT64_C(1) << (40 + few)) & all;
    case SORTED:
        return (i * UINT64_C(0x10001) ^ i << 30) & all;
    case ODD_ONE_OUT:
        return i % 611 == 77 ? all & random_64(seed) : 0;
    case LIKENESSES:
        break;
    }
    return 0;
}

static inline void make_up_signatures(enum likeness likeness, uint64_t *seed, int list,
                                      uint64_t *signature, size_t count) {
    for (size_t i = 0; i < count; i++)
        signature[i] = random_signature(likeness, seed, i, list);
}

static inline int signature_order(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static inline void sort_signatures(uint64_t *signature, size_t count) {
    qsort(signature, count, sizeof *signature, signature_order);
}

/* The number of pairs without a common bit. */
static inline uint64_t match_naively(const uint64_t *a, size_t a_count, const uint64_t *b,
                                     size_t b_count) {
    uint64_t pairs = 0;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++)
            pairs += (a[i] & b[j]) == 0;
    return pairs;
}

#endif
