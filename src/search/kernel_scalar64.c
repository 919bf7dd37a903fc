/* SPDX-License-Identifier: MIT */
/* Kernel `scalar64`: portable C, the wavefront on one lane. The reference for all other
 * kernels, and the fallback on CPUs without their vectors.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 1, MIN_PASS = 128, MAX_PASS = 128 };
typedef uint32_t vec;
typedef uint32_t mask; /* 0 or 1 */
typedef mask compression;
typedef uint64_t sum;

static inline vec v_or_3(vec a, vec b, vec c) {
    return a | b | c;
}
static inline vec v_both(vec a, vec b) {
    return (a != 0) & (b != 0);
}
static inline vec v_shift_right(vec v, vec count) {
    return v >> count;
}
static inline vec v_shift_left(vec v, vec count) {
    return v << count;
}
/* Tested words never have their top bit set. So the top bit of -v says that v is not 0, and the
 * top bit of v - 1 says that v is 0, without a comparison. */
static inline mask v_nonzero(vec v) {
    return -v >> 31;
}
static inline mask v_equal(vec a, vec b) {
    return a == b;
}
static inline mask v_nonzero_disjoint(vec v, vec a, vec b) {
    return v_nonzero(v) & ((a & b) - 1) >> 31;
}
static inline bool v_any(vec v) {
    return v != 0;
}
static inline size_t mask_lanes(mask m) {
    return m;
}
static inline sum sum_add_lanes(sum s, mask a, mask b) {
    return s + a + 2 * b;
}
static inline uint64_t sum_total(sum s) {
    return s;
}
static inline compression compression_of(mask m) {
    return m;
}
static inline vec v_compress(compression p, vec v) {
    (void)p;
    return v;
}

#define KERNEL scalar64
#include "search/wavefront.h"
