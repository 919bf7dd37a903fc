/* SPDX-License-Identifier: MIT */
/* Completer `neon`: the frontier on vectors of 4 lanes, for 64-bit Arm. frontier.h lists the
 * operations that are defined here. */
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL neon
enum { LANES = 4 };
typedef uint32x4_t vec;
typedef unsigned mask;
typedef int32x4_t shift; /* distance to the left, in each lane */

static inline vec v_load(const uint32_t *from) {
    return vld1q_u32(from);
}
static inline void v_store(uint32_t *to, vec v) {
    vst1q_u32(to, v);
}
static inline vec v_broadcast(uint32_t lane) {
    return vdupq_n_u32(lane);
}
static inline shift shift_by(int bits) {
    return vdupq_n_s32(bits);
}
static inline vec v_shift_right(vec v, shift by) {
    return vshlq_u32(v, vnegq_s32(by));
}
static inline vec v_shift_left(vec v, shift by) {
    return vshlq_u32(v, by);
}
struct reach {
    int16x8_t left, right; /* distances to the left, so those of `right` are negative */
};
static inline struct reach reach_of(int high, int low) {
    const int16x8_t left =
        vreinterpretq_s16_u32(v_broadcast((uint32_t)high << 16 | (uint32_t)low));
    return (struct reach){left, vnegq_s16(left)};
}
static inline vec v_reach_high(const struct reach *reach, vec queen) {
    const uint16x8_t halves = vreinterpretq_u16_u32(queen);
    return queen | vreinterpretq_u32_u16(vorrq_u16(vshlq_u16(halves, reach->left),
                                                   vshlq_u16(halves, reach->right)));
}
static inline vec v_reach(const struct reach *reach, vec queen) {
    return v_reach_high(reach, queen | v_shift_right(queen, shift_by(16)));
}
static inline vec v_halves(vec high, vec low) {
    return vbslq_u32(v_broadcast(0xffff), low, high);
}
/* Returns the set of lanes in which a and b have a bit in common. */
static inline mask v_common(vec a, vec b) {
    static const uint32_t bit[LANES] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vtstq_u32(a, b), vld1q_u32(bit)));
}
static inline mask v_nonzero(vec v) {
    return v_common(v, v);
}
static inline mask v_high_nonzero(vec v) {
    return v_common(v, v_broadcast(0xffff0000));
}
static inline mask v_full(vec v) {
    return v_high_nonzero(v) & v_common(v, v_broadcast(0xffff));
}

/* [set of lanes]: the permutation for vqtbl1q_u8. It begins with the numbers of the bytes of
 * these lanes, lowest first; the numbers after them do not matter. */
#define LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define ENTRY(a, b, c, d)                                                                      \
    { LANE(a), LANE(b), LANE(c), LANE(d) }
static const uint8_t lanes_of[16][16] = {
    ENTRY(0, 0, 0, 0), ENTRY(0, 0, 0, 0), ENTRY(1, 0, 0, 0), ENTRY(0, 1, 0, 0),
    ENTRY(2, 0, 0, 0), ENTRY(0, 2, 0, 0), ENTRY(1, 2, 0, 0), ENTRY(0, 1, 2, 0),
    ENTRY(3, 0, 0, 0), ENTRY(0, 3, 0, 0), ENTRY(1, 3, 0, 0), ENTRY(0, 1, 3, 0),
    ENTRY(2, 3, 0, 0), ENTRY(0, 2, 3, 0), ENTRY(1, 2, 3, 0), ENTRY(0, 1, 2, 3),
};
typedef uint8x16_t compression;
static inline compression compression_of(mask m) {
    return vld1q_u8(lanes_of[m]);
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(m);
}
static inline vec v_compress(compression lanes, vec v) {
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), lanes));
}

#include "colours/frontier.h"
