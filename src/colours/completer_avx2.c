/* SPDX-License-Identifier: MIT */
/* Completer `avx2`: the frontier on 8 lanes of 32 bits. src/meson.build gives this file its
 * flags. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress.h"

enum { LANES = 8, TOGETHER = 4, PASS = 1024, ROUND_LANES = LANES * TOGETHER };
typedef uint32_t vec __attribute__((vector_size(32)));
typedef unsigned mask;
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
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}
static inline vec v_first_lanes(size_t k, vec v) {
    static const int32_t lane[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    return (vec)_mm256_and_si256((__m256i)v,
                                 _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k),
                                                    _mm256_loadu_si256((const __m256i *)lane)));
}
static inline mask v_nonzero(vec v) {
    const __m256i zero = _mm256_cmpeq_epi32((__m256i)v, _mm256_setzero_si256());
    return 0xff ^ (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(m);
}
static inline vec v_compress(compression lanes, vec v) {
    return (vec)compress_32(lanes, (__m256i)v);
}

#define KERNEL avx2
#include "colours/states_32.h"

#include "colours/frontier.h"
