/* SPDX-License-Identifier: MIT */
/* Completer `avx512` for CPUs without VBMI2: the frontier on 16 lanes of 32 bits.
 * src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress.h"

enum { LANES = 16, TOGETHER = 4, PASS = 1024, ROUND_LANES = LANES * TOGETHER };
typedef uint32_t vec __attribute__((vector_size(64)));
typedef __mmask16 mask;
typedef __m128i shift;
typedef mask compression;

static inline vec v_load(const uint32_t *from) {
    return (vec)_mm512_loadu_si512(from);
}
static inline void v_store(uint32_t *to, vec v) {
    _mm512_storeu_si512(to, (__m512i)v);
}
static inline vec v_broadcast(uint32_t word) {
    return (vec){0} + word;
}
static inline shift shift_by(int bits) {
    return _mm_cvtsi32_si128(bits);
}
static inline vec v_shift_right(vec v, shift by) {
    return (vec)_mm512_srl_epi32((__m512i)v, by);
}
static inline vec v_shift_left(vec v, shift by) {
    return (vec)_mm512_sll_epi32((__m512i)v, by);
}
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}
static inline vec v_first_lanes(size_t k, vec v) {
    return (vec)_mm512_maskz_mov_epi32((mask)(k < LANES ? (1u << k) - 1 : 0xffff), (__m512i)v);
}
static inline mask v_nonzero(vec v) {
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v);
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(m);
}
static inline compression compression_of(mask m) {
    return m;
}
static inline vec v_compress(compression lanes, vec v) {
    return (vec)compress_32(lanes, (__m512i)v);
}

#define KERNEL avx512
#include "colours/states_32.h"

#include "colours/frontier.h"
