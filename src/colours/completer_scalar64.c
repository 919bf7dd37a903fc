/* SPDX-License-Identifier: MIT */
/* Completer `scalar64`: the frontier with vectors of one lane, in plain C. No branch depends on
 * a single state, whose number of free columns no CPU predicts: a depth-first walk takes twice
 * as long. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL scalar64
enum { LANES = 1 };
typedef uint32_t vec;
typedef unsigned mask;
typedef int shift;
typedef int compression;

static inline vec v_load(const uint32_t *from) {
    return *from;
}
static inline void v_store(uint32_t *to, vec v) {
    *to = v;
}
static inline vec v_broadcast(uint32_t word) {
    return word;
}
static inline shift shift_by(int bits) {
    return bits;
}
static inline vec v_shift_right(vec v, shift by) {
    return v >> by;
}
static inline vec v_shift_left(vec v, shift by) {
    return v << by;
}
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}
/* A product with 1 + 2^d + 2^2d moves both ways at once, d too far to the left. */
struct reach {
    uint64_t low, high;
    int low_shift, high_shift;
};
static inline struct reach reach_of(int low, int high) {
    return (struct reach){UINT64_C(1) | UINT64_C(1) << low | UINT64_C(1) << 2 * low,
                          UINT64_C(1) | UINT64_C(1) << high | UINT64_C(1) << 2 * high, low,
                          high};
}
static inline vec v_reach(struct reach reach, vec v) {
    return ((v & 0xffff) * reach.low >> reach.low_shift & 0xffff) |
           (vec)((v >> 16) * reach.high >> reach.high_shift) << 16;
}
static inline vec v_halves(vec high, vec low) {
    return (high & 0xffff0000) | (low & 0xffff);
}
static inline mask v_nonzero(vec v) {
    return v != 0;
}
static inline mask v_low_nonzero(vec v) {
    return (v & 0xffff) != 0;
}
static inline mask v_full(vec v) {
    return ((v & 0xffff) != 0) & (v >> 16 != 0);
}
static inline unsigned mask_lanes(mask m) {
    return m;
}
static inline compression compression_of(mask m) {
    return (int)m;
}
static inline vec v_compress(compression c, vec v) {
    (void)c;
    return v;
}

#include "colours/frontier.h"
