/* SPDX-License-Identifier: MIT */
/* Kernel `avx512`: the wavefront on 16 lanes. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress.h"
#include "search/mask.h"

enum { LANES = 16, MIN_PASS = 24 * LANES, MAX_PASS = 48 * LANES };
typedef uint32_t vec __attribute__((vector_size(64)));

static inline vec v_or_3(vec a, vec b, vec c) {
    return (vec)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0xfe);
}
static inline vec v_both(vec a, vec b) {
    return (vec)_mm512_min_epu32((__m512i)a, (__m512i)b);
}
/* By C's operators, gcc 12 makes a shift by one count for all lanes of these, which is slower.
 */
static inline vec v_shift_right(vec v, vec count) {
    return (vec)_mm512_srlv_epi32((__m512i)v, (__m512i)count);
}
static inline vec v_shift_left(vec v, vec count) {
    return (vec)_mm512_sllv_epi32((__m512i)v, (__m512i)count);
}
static inline mask v_nonzero(vec v) {
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v);
}
static inline mask v_equal(vec a, vec b) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
static inline mask v_nonzero_disjoint(vec v, vec a, vec b) {
    return _mm512_mask_testn_epi32_mask((__mmask16)v_nonzero(v), (__m512i)a, (__m512i)b);
}
static inline bool v_any(vec v) {
    return v_nonzero(v) != 0;
}

/* Compressing the lane numbers once and permuting four words by them takes fewer cycles of the
 * shuffle units than compressing four words (docs/tried.md). */
typedef __m512i compression;
static inline compression compression_of(mask m) {
    return compress_32((__mmask16)m,
                       _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}
static inline vec v_compress(compression p, vec v) {
    return (vec)_mm512_permutexvar_epi32(p, (__m512i)v);
}

#define KERNEL avx512
#include "search/wavefront.h"
