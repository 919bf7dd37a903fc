/* SPDX-License-Identifier: MIT */
/* Completer `scalar64`: the frontier with vectors of one lane, in plain C, for any CPU.
 *
 * Even without vectors the frontier is fast. No CPU can predict how many free columns a single
 * state has, and in the frontier no branch depends on this number. A depth-first walk, where
 * branches do, takes twice as long.
 *
 * The lane has 32 bits in spite of the name. The name is kept because ledgers contain it. A
 * kernel of `search` has the same name. */
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
/* To look up a queen's reach takes four instructions; to compute it takes sixteen. */
struct reach {
    uint32_t halves[17]; /* [column of the queen]; [16] is 0, for no queen */
};
static inline uint32_t reach_half(uint32_t queen, int distance) {
    return queen | ((queen << distance) & 0xffff) | queen >> distance;
}
static inline struct reach reach_of(int high, int low) {
    struct reach reach = {{0}};
    for (int column = 0; column < 16; column++)
        reach.halves[column] = reach_half(UINT32_C(1) << column, high) << 16 |
                               reach_half(UINT32_C(1) << column, low);
    return reach;
}
static inline vec v_reach(const struct reach *reach, vec queen) {
    return reach->halves[__builtin_ctz(queen >> 16 | 0x10000)];
}
static inline vec v_reach_high(const struct reach *reach, vec queen) {
    return v_reach(reach, queen);
}
static inline vec v_halves(vec high, vec low) {
    return (high & 0xffff0000) | (low & 0xffff);
}
static inline mask v_nonzero(vec v) {
    return v != 0;
}
static inline mask v_high_nonzero(vec v) {
    return v > 0xffff;
}
static inline mask v_full(vec v) {
    return v_high_nonzero(v) & ((v & 0xffff) != 0);
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
