/* SPDX-License-Identifier: MIT */
/* Completer `avx2`: the frontier on vectors of 8 lanes. frontier.h lists the operations that
 * are defined here. src/meson.build has the compiler flags of this file. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL avx2
enum { LANES = 8 };
typedef uint32_t vec __attribute__((vector_size(32)));
typedef vec mask; /* all bits of a lane, or none */
typedef __m128i shift;

static inline vec v_load(const uint32_t *from) {
    return (vec)_mm256_loadu_si256((const __m256i *)from);
}
static inline void v_store(uint32_t *to, vec v) {
    _mm256_storeu_si256((__m256i *)to, (__m256i)v);
}
static inline vec v_broadcast(uint32_t word) {
    return (vec){0} + word;
}
static inline shift shift_by(int bits) {
    return _mm_cvtsi32_si128(bits);
}
static inline vec v_shift_right(vec v, shift by) {
    return (vec)_mm256_srl_epi32((__m256i)v, by);
}
static inline vec v_shift_left(vec v, shift by) {
    return (vec)_mm256_sll_epi32((__m256i)v, by);
}
/* AVX2 cannot shift each half of a lane by its own distance, but it can multiply halves. For a
 * distance d > 0, the product of a queen's bit and 2^d + 1 has this bit and the one d places to
 * its left. The upper half of the product of the queen's bit and 2^(16 - d) is the bit d places
 * to its right. */
struct reach {
    vec here_and_left, right;
};
static inline struct reach reach_of(int high, int low) {
    return (struct reach){v_broadcast((UINT32_C(1) << high | 1) << 16 | UINT32_C(1) << low | 1),
                          v_broadcast((high > 0 ? UINT32_C(0x10000) >> high : 0) << 16 |
                                      (low > 0 ? UINT32_C(0x10000) >> low : 0))};
}
static inline vec v_reach_high(const struct reach *reach, vec queen) {
    return (vec)_mm256_mullo_epi16((__m256i)queen, (__m256i)reach->here_and_left) |
           (vec)_mm256_mulhi_epu16((__m256i)queen, (__m256i)reach->right);
}
static inline vec v_reach(const struct reach *reach, vec queen) {
    return v_reach_high(reach, queen | v_shift_right(queen, shift_by(16)));
}
static inline vec v_halves(vec high, vec low) {
    return (vec)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xaa);
}
/* Comparisons treat lanes as signed numbers, so frontier.h keeps lanes below 2^31. */
static inline mask v_nonzero(vec v) {
    return (mask)_mm256_cmpgt_epi32((__m256i)v, _mm256_setzero_si256());
}
static inline mask v_high_nonzero(vec v) {
    return (mask)_mm256_cmpgt_epi32((__m256i)v, _mm256_set1_epi32(0xffff));
}
static inline mask v_full(vec v) {
    const __m256i zero = _mm256_setzero_si256();
    return (mask)_mm256_cmpeq_epi32(_mm256_cmpeq_epi16((__m256i)v, zero), zero);
}
static inline unsigned mask_bits(mask m) { /* bit i for lane i */
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps((__m256i)m));
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(mask_bits(m));
}
/* AVX2 has no instruction that compresses, so lanes_of[] has a permutation for each set of
 * lanes.
 *
 * Entry m holds the numbers of the lanes in the set m, lowest first, one in each byte; the
 * bytes after them do not matter. Lane i's number is in byte BELOW, because m has that many
 * lanes below lane i. */
#define BELOW(m, i) __builtin_popcount((m) & ((1 << (i)) - 1))
#define LANE(m, i)  ((m) >> (i)&1 ? (uint64_t)(i) << (8 * BELOW(m, i)) : 0)
#define ENTRY(m)                                                                               \
    (LANE(m, 0) | LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) |             \
     LANE(m, 6) | LANE(m, 7))
#define ENTRIES4(m)  ENTRY(m), ENTRY((m) + 1), ENTRY((m) + 2), ENTRY((m) + 3)
#define ENTRIES16(m) ENTRIES4(m), ENTRIES4((m) + 4), ENTRIES4((m) + 8), ENTRIES4((m) + 12)
#define ENTRIES64(m) ENTRIES16(m), ENTRIES16((m) + 16), ENTRIES16((m) + 32), ENTRIES16((m) + 48)
static const uint64_t lanes_of[256] = {ENTRIES64(0), ENTRIES64(64), ENTRIES64(128),
                                       ENTRIES64(192)};

typedef __m256i compression;
static inline compression compression_of(mask m) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&lanes_of[mask_bits(m)]));
}
static inline vec v_compress(compression lanes, vec v) {
    return (vec)_mm256_permutevar8x32_epi32((__m256i)v, lanes);
}

#include "colours/frontier.h"
