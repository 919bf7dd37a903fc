/* Kernel `avx2`: the wavefront on 8 lanes. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress_avx2.h"
#include "search/mask.h"

enum { LANES = 8 };
typedef __m256i vec;

static inline vec broadcast(uint32_t word) {
    return _mm256_set1_epi32((int)word);
}
static inline vec load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}
static inline void store(uint32_t *to, vec v) {
    _mm256_storeu_si256((__m256i *)to, v);
}
static inline vec v_and(vec a, vec b) {
    return _mm256_and_si256(a, b);
}
static inline vec v_or(vec a, vec b) {
    return _mm256_or_si256(a, b);
}
static inline vec v_xor(vec a, vec b) {
    return _mm256_xor_si256(a, b);
}
static inline vec v_andnot(vec a, vec b) {
    return _mm256_andnot_si256(a, b);
}
static inline vec v_or3(vec a, vec b, vec c) {
    return v_or(v_or(a, b), c);
}
static inline vec v_min(vec a, vec b) {
    return _mm256_min_epu32(a, b);
}
static inline vec shift_right(vec v, vec count) {
    return _mm256_srlv_epi32(v, count);
}
static inline vec shift_left(vec v, vec count) {
    return _mm256_sllv_epi32(v, count);
}
static inline vec minus_one(vec v) {
    return _mm256_add_epi32(v, _mm256_set1_epi32(-1));
}
static inline mask equal(vec a, vec b) {
    return (mask)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)));
}
static inline mask nonzero(vec v) {
    return equal(v, _mm256_setzero_si256()) ^ 0xff;
}

static inline mask disjoint(mask m, vec a, vec b) {
    return m & equal(v_and(a, b), _mm256_setzero_si256());
}

static inline bool any(vec v) {
    return nonzero(v) != 0;
}

#define KERNEL_NAME   "avx2"
#define KERNEL_SYMBOL nqi_kernel_avx2
#include "search/wavefront.h"
