/* Kernel `avx512`: the wavefront on 16 lanes. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress_avx512.h"
#include "search/mask.h"

enum { LANES = 16 };
typedef __m512i vec;

static inline vec broadcast(uint32_t word) {
    return _mm512_set1_epi32((int)word);
}
static inline vec load(const uint32_t *from) {
    return _mm512_loadu_si512(from);
}
static inline void store(uint32_t *to, vec v) {
    _mm512_storeu_si512(to, v);
}
static inline vec v_and(vec a, vec b) {
    return _mm512_and_si512(a, b);
}
static inline vec v_or(vec a, vec b) {
    return _mm512_or_si512(a, b);
}
static inline vec v_xor(vec a, vec b) {
    return _mm512_xor_si512(a, b);
}
static inline vec v_andnot(vec a, vec b) {
    return _mm512_andnot_si512(a, b);
}
static inline vec v_or3(vec a, vec b, vec c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0xfe);
}
static inline vec v_min(vec a, vec b) {
    return _mm512_min_epu32(a, b);
}
static inline vec shift_right(vec v, vec count) {
    return _mm512_srlv_epi32(v, count);
}
static inline vec shift_left(vec v, vec count) {
    return _mm512_sllv_epi32(v, count);
}
static inline vec minus_one(vec v) {
    return _mm512_add_epi32(v, _mm512_set1_epi32(-1));
}
static inline mask nonzero(vec v) {
    return _mm512_test_epi32_mask(v, v);
}
static inline mask equal(vec a, vec b) {
    return _mm512_cmpeq_epi32_mask(a, b);
}

static inline mask disjoint(mask m, vec a, vec b) {
    return _mm512_mask_testn_epi32_mask((__mmask16)m, a, b);
}

static inline bool any(vec v) {
    return nonzero(v) != 0;
}

/* Compressing the lane numbers once and permuting four words by them takes fewer cycles of the
 * shuffle units than compressing four words (docs/performance.md). */
typedef __m512i compression;
static inline compression compression_of(mask m) {
    return compress_32((__mmask16)m,
                       _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}
static inline vec compress(compression p, vec v) {
    return _mm512_permutexvar_epi32(p, v);
}

#define KERNEL_NAME   "avx512"
#define KERNEL_SYMBOL nqi_kernel_avx512
#include "search/wavefront.h"
