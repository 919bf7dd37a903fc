/* Matcher `neon`, for 64-bit Arm: lists as words, two tiles of 128 signatures at once.
 *
 * Tables in registers, which the matcher avx512 uses, model far worse: `tbl` looks up no more
 * than 16 codes at a time (docs/tried.md).
 */
#include <arm_neon.h>
#include <stdint.h>

#include "join/listing.h"
#include "join/word_moves.h"

/* FASTER_FROM: by instructions, not by time (docs/tried.md). */
enum { LEAF_T = 256, LEAF_U = 512, FASTER_FROM = 14, AKIN = 0, TILES = 2 };
typedef uint64x2_t vec;
typedef uint64x2_t lanes_64;

static inline vec v_and_3(vec a, vec b, vec c) {
    return a & b & c;
}

/* NEON counts the bits of each byte in one instruction, which takes fewer than carry-save
 * adders (join/counter.h). Registers have no room for 8 vectors of each tile. */
enum { ADDED = 4 };
struct counter {
    uint16x8_t sums;
};

static inline void counter_add(struct counter *counter, const vec *v) {
    uint8x16_t bits = vdupq_n_u8(0); /* 8 x ADDED at most */
#pragma GCC unroll 4
    for (int i = 0; i < ADDED; i++)
        bits = vaddq_u8(bits, vcntq_u8(vreinterpretq_u8_u64(v[i])));
    counter->sums = vpadalq_u8(counter->sums, bits);
}

static inline uint64_t counter_total(const struct counter *counter) {
    return vaddlvq_u16(counter->sums);
}

/* One load of NEON sorts bytes. */
#define SORTED 16
static inline void sort_bytes(const uint32_t *word, vec *row) {
    const uint8x16x4_t sorted = vld4q_u8((const uint8_t *)word);
    for (int b = 0; b < 4; b++)
        row[8 * b] = vreinterpretq_u64_u8(sorted.val[b]);
}

#define FOUND 4
static inline void find_entries(const uint32_t *word, uint32_t mask, uint16_t *to) {
    const uint8x16_t bytes =
        vreinterpretq_u8_u32(vandq_u32(vld1q_u32(word), vdupq_n_u32(mask)));
    vst1q_u16(to, vshll_n_u8(vget_low_u8(bytes), 4));
    vst1q_u16(to + 8, vshll_high_n_u8(bytes, 4));
}

#define MATCHER_NAME   "neon"
#define MATCHER_SYMBOL nqi_matcher_neon
#include "join/bytes.h"
#include "join/match.h"
