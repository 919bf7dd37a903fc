/* SPDX-License-Identifier: MIT */
/* Kernel `avx2`: the wavefront on 8 lanes. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress.h"
#include "search/mask.h"

enum { LANES = 8, MIN_PASS = 24 * LANES, MAX_PASS = 48 * LANES };
typedef uint32_t vec __attribute__((vector_size(32)));

static inline vec v_or_3(vec a, vec b, vec c) {
    return a | b | c;
}
static inline vec v_both(vec a, vec b) {
    return (vec)_mm256_min_epu32((__m256i)a, (__m256i)b);
}
/* By C's operators, gcc 12 makes a shift by one count for all lanes of these, which is slower.
 */
static inline vec v_shift_right(vec v, vec count) {
    return (vec)_mm256_srlv_epi32((__m256i)v, (__m256i)count);
}
static inline vec v_shift_left(vec v, vec count) {
    return (vec)_mm256_sllv_epi32((__m256i)v, (__m256i)count);
}
static inline mask v_equal(vec a, vec b) {
    return (mask)_mm256_movemask_ps((__m256)(a == b));
}
static inline mask v_nonzero(vec v) {
    return v_equal(v, (vec){0}) ^ 0xff;
}
static inline mask v_nonzero_disjoint(vec v, vec a, vec b) {
    return v_nonzero(v) & v_equal(a & b, (vec){0});
}
static inline bool v_any(vec v) {
    return v_nonzero(v) != 0;
}

static inline vec v_compress(compression p, vec v) {
    return (vec)compress_32(p, (__m256i)v);
}

#define KERNEL avx2
#include "search/wavefront.h"
