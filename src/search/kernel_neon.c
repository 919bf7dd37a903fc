/* Kernel `neon`: the wavefront on 4 lanes, for 64-bit Arm. */
#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 4, PASS_MIN = 24 * LANES, PASS_MAX = 48 * LANES };
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

/* Returns a number for each set of lanes: bit i says whether it has lane i, and from bit 4 on
 * stands how many it has. */
static inline uint32_t mask_number(mask m) {
    static const uint32_t lane[LANES] = {1 << 4 | 1, 1 << 4 | 2, 1 << 4 | 4, 1 << 4 | 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(lane)));
}
static inline size_t mask_lanes(mask m) {
    return mask_number(m) >> 4;
}

typedef uint32x4_t sum; /* four numbers; all that a stack can add fits in 32 bits */
/* A lane of a mask is 0 or -1. */
static inline sum sum_add_lanes(sum s, mask a, mask b) {
    return vsubq_u32(vsubq_u32(s, a), vaddq_u32(b, b));
}
static inline uint64_t sum_total(sum s) {
    return vaddvq_u32(s);
}

/* [m]: for vqtbl1q_u8, the bytes of the lanes in m, lowest first, and the first lane after
 * them. */
#define LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define ENTRY(a, b, c, d)                                                                      \
    { LANE(a), LANE(b), LANE(c), LANE(d) }
static const uint8_t bytes_of[1 << LANES][16] = {
    ENTRY(0, 0, 0, 0), ENTRY(0, 0, 0, 0), ENTRY(1, 0, 0, 0), ENTRY(0, 1, 0, 0),
    ENTRY(2, 0, 0, 0), ENTRY(0, 2, 0, 0), ENTRY(1, 2, 0, 0), ENTRY(0, 1, 2, 0),
    ENTRY(3, 0, 0, 0), ENTRY(0, 3, 0, 0), ENTRY(1, 3, 0, 0), ENTRY(0, 1, 3, 0),
    ENTRY(2, 3, 0, 0), ENTRY(0, 2, 3, 0), ENTRY(1, 2, 3, 0), ENTRY(0, 1, 2, 3),
};

typedef uint8x16_t compression;
static inline compression compression_of(mask m) {
    return vld1q_u8(bytes_of[mask_number(m) & 15]);
}
static inline vec v_compress(compression p, vec v) {
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), p));
}

#define KERNEL_NAME   "neon"
#define KERNEL_SYMBOL nqi_kernel_neon
#include "search/wavefront.h"
