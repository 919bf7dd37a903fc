/* SPDX-License-Identifier: MIT */
/* Totals: sums of solutions over units, in two halves of 64 bits, since not all machines have
 * integers of 128. They are written by nq_total_text.
 *
 * No sum needs a check: a job has fewer than 2^32 units, with fewer than 2^64 solutions each
 * and weights below 2^32. */
#ifndef CORE_TOTAL_H
#define CORE_TOTAL_H

#include <stdbool.h>
#include <stdint.h>

struct total {
    uint64_t low, high;
};

static inline void total_add(struct total *into, struct total more) {
    into->low += more.low;
    into->high += more.high + (into->low < more.low);
}

/* Adds weight x solutions. */
static inline void total_add_weighted(struct total *into, uint32_t weight, uint64_t solutions) {
    const uint64_t lower = weight * (solutions & UINT32_MAX),
                   upper = weight * (solutions >> 32) + (lower >> 32);
    total_add(into, (struct total){upper << 32 | (lower & UINT32_MAX), upper >> 32});
}

/* No board up to n = 28 has 2^64 solutions: such a total is wrong. */
static inline bool total_is_false(int n, struct total total) {
    return n <= 28 && total.high > 0;
}

static inline bool total_equal(struct total a, struct total b) {
    return a.low == b.low && a.high == b.high;
}

#endif
