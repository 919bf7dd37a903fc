/* Matcher `neon`, for 64-bit Arm: lists as words, tiles of 128 signatures.
 *
 * Tables in registers, which the matcher avx512 uses, model far worse: `tbl` looks up no more
 * than 16 codes at a time (docs/tried.md).
 */
#include <arm_neon.h>
#include <stdint.h>

#include "join/listing.h"
#include "join/word_moves.h"

/* FASTER_FROM: by instructions, not by time (docs/tried.md). */
enum { LEAF_T = 512, LEAF_U = 512, FASTER_FROM = 14, AKIN = 0 };
typedef uint64x2_t vec;
typedef uint64x2_t lanes_64;

static inline vec v_and_3(vec a, vec b, vec c) {
    return a & b & c;
}

/* NEON counts the bits of each byte in one instruction, which takes fewer than carry-save
 * adders (join/counter.h). */
struct counter {
    uint16x8_t sums;
};

static inline void counter_add_8(struct counter *counter, const vec *v) {
    uint8x16_t bits = vdupq_n_u8(0); /* 8 x 8 at most */
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        bits = vaddq_u8(bits, vcntq_u8(vreinterpretq_u8_u64(v[i])));
    counter->sums = vpadalq_u8(counter->sums, bits);
}

static inline uint64_t counter_total(const struct counter *counter) {
    return vaddlvq_u16(counter->sums);
}

#define WIDENED(word, mask)                                                                    \
    vreinterpretq_u64_u16(                                                                     \
        vmovl_u8(vreinterpret_u8_u32(vand_u32(vld1_u32(word), vdup_n_u32((uint32_t)(mask))))))
#define MATCHER_NAME   "neon"
#define MATCHER_SYMBOL nqi_matcher_neon
#include "join/bytes.h"
#include "join/split.h"
