/* SPDX-License-Identifier: MIT */
/* Completer `neon`: the frontier on 4 lanes of 32 bits, for 64-bit Arm. */
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 4, TOGETHER = 4, PASS = 64, ROUND_LANES = LANES * TOGETHER };
typedef uint32x4_t vec;
typedef unsigned mask;
typedef int32x4_t shift; /* to the left */

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
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}
static inline vec v_first_lanes(size_t k, vec v) {
    static const uint32_t lane[LANES] = {0, 1, 2, 3};
    return vandq_u32(v, vcgtq_u32(vdupq_n_u32((uint32_t)k), vld1q_u32(lane)));
}
static inline mask v_nonzero(vec v) {
    static const uint32_t bit[LANES] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vtstq_u32(v, v), vld1q_u32(bit)));
}

/* For vqtbl1q_u8, [set of lanes]: the bytes of its lanes, lowest first, then any. */
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

#define KERNEL neon
#include "colours/states_32.h"

#include "colours/frontier.h"
