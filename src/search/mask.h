/* SPDX-License-Identifier: MIT */
/* Sets of lanes as integers, with bit i for lane i: for instruction sets that have masks, or
 * can turn a comparison into one. The including file of search/wavefront.h includes it, too. */
#ifndef SEARCH_MASK_H
#define SEARCH_MASK_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t mask;
typedef uint64_t sum;

static inline size_t mask_lanes(mask m) {
    return (size_t)__builtin_popcount(m);
}
static inline sum sum_add_lanes(sum s, mask a, mask b) {
    return s + mask_lanes(a) + 2 * mask_lanes(b);
}
static inline uint64_t sum_total(sum s) {
    return s;
}

#endif
