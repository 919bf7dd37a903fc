/* Matcher `neon`, for 64-bit Arm: lists as words, tiles of 128 signatures.
 *
 * Tables in registers, which the matcher avx512 uses, model far worse: `tbl` looks up no more
 * than 16 codes at a time (docs/performance.md).
 */
#include <arm_neon.h>
#include <stdint.h>

#include "join/listing.h"
#include "join/word_moves.h"

/* FASTER_FROM: by instructions, not by time (docs/performance.md). */
enum { LEAF_T = 512, LEAF_U = 512, FASTER_FROM = 14, AKIN = 0 };
typedef uint64x2_t vec;
typedef uint64x2_t lanes_64;

static inline vec v_and_3(vec a, vec b, vec c) {
    return a & b & c;
}

static inline vec v_carry(vec *digit, vec a, vec b) {
    const vec half = *digit ^ a, carries = vbslq_u64(half, b, a);
    *digit = half ^ b;
    return carries;
}

static inline vec v_bits_in(vec v) {
    return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u64(v)))));
}

#define WIDENED(word, mask)                                                                    \
    vreinterpretq_u64_u16(                                                                     \
        vmovl_u8(vreinterpret_u8_u32(vand_u32(vld1_u32(word), vdup_n_u32((uint32_t)(mask))))))
#define MATCHER_NAME   "neon"
#define MATCHER_SYMBOL nqi_matcher_neon
#include "join/bytes.h"
#include "join/split.h"
