/* SPDX-License-Identifier: MIT */
/* Kernel `neon`: the wavefront on 4 lanes, for 64-bit Arm. */
#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 4, MIN_PASS = 24 * LANES, MAX_PASS = 48 * LANES };
typedef uint32x4_t vec;
typedef uint32x4_t mask; /* a lane that is in the set is all ones, the others are 0 */

static inline vec v_or_3(vec a, vec b, vec c) {
    return a | b | c;
}
static inline vec v_both(vec a, vec b) {
    return vminq_u32(a, b);
}
static inline vec v_shift_right(vec v, vec count) {
    return v >> count;
}
static inline vec v_shift_left(vec v, vec count) {
    return v << count;
}
static inline mask v_nonzero(vec v) {
    return vtstq_u32(v, v);
}
static inline mask v_equal(vec a, vec b) {
    return vceqq_u32(a, b);
}
/* The test is all ones, which no word exceeds, where a & b is not 0; else it is 0. */
static inline mask v_nonzero_disjoint(vec v, vec a, vec b) {
    return vcgtq_u32(v, vtstq_u32(a, b));
}
static inline bool v_any(vec v) {
    return vmaxvq_u32(v) != 0;
}

/* Returns the byte of `entries`, below, at which the entry of a set of lanes begins. The
 * entry's number is 8 for each lane, and 0, 1, 2 or 4 more, which tells sets of as many lanes
 * apart. A sum of 64 bits, unlike one of 32, is part of an address without another instruction.
 */
enum { ENTRY_BYTES = 16 };
static inline uint64_t mask_entry(mask m) {
    static const uint32_t lane[LANES] = {ENTRY_BYTES * 8, ENTRY_BYTES * 9, ENTRY_BYTES * 10,
                                         ENTRY_BYTES * 12};
    return vaddlvq_u32(vandq_u32(m, vld1q_u32(lane)));
}
static inline size_t mask_lanes(mask m) {
    return mask_entry(m) / (ENTRY_BYTES * 8);
}

typedef uint32x4_t sum; /* four numbers; all that a stack can add fits in 32 bits */
/* A lane of a mask is 0 or -1. */
static inline sum sum_add_lanes(sum s, mask a, mask b) {
    return vsubq_u32(vsubq_u32(s, a), vaddq_u32(b, b));
}
static inline uint64_t sum_total(sum s) {
    return vaddvq_u32(s);
}

/* For vqtbl1q_u8: the bytes of the lanes in a set, lowest first, then any. */
#define LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define ENTRY(a, b, c, d)                                                                      \
    { LANE(a), LANE(b), LANE(c), LANE(d) }
static const uint8_t entries[40][ENTRY_BYTES] = {
    [8] = ENTRY(0, 0, 0, 0),  [9] = ENTRY(1, 0, 0, 0),  [10] = ENTRY(2, 0, 0, 0),
    [12] = ENTRY(3, 0, 0, 0), [17] = ENTRY(0, 1, 0, 0), [18] = ENTRY(0, 2, 0, 0),
    [19] = ENTRY(1, 2, 0, 0), [20] = ENTRY(0, 3, 0, 0), [21] = ENTRY(1, 3, 0, 0),
    [22] = ENTRY(2, 3, 0, 0), [27] = ENTRY(0, 1, 2, 0), [29] = ENTRY(0, 1, 3, 0),
    [30] = ENTRY(0, 2, 3, 0), [31] = ENTRY(1, 2, 3, 0), [39] = ENTRY(0, 1, 2, 3),
};

typedef uint8x16_t compression;
static inline compression compression_of(mask m) {
    return vld1q_u8((const uint8_t *)entries + mask_entry(m));
}
static inline vec v_compress(compression p, vec v) {
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), p));
}

#define KERNEL neon
#include "search/wavefront.h"
