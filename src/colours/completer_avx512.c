/* SPDX-License-Identifier: MIT */
/* Completer `avx512`: the frontier on vectors of 16 lanes. frontier.h lists the operations that
 * are defined here. src/meson.build has the compiler flags of this file. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL avx512
enum { LANES = 16 };
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
struct reach {
    vec distance;
};
static inline struct reach reach_of(int high, int low) {
    return (struct reach){v_broadcast((uint32_t)high << 16 | (uint32_t)low)};
}
static inline vec v_reach_high(const struct reach *reach, vec queen) {
    return (vec)_mm512_ternarylogic_epi32(
        (__m512i)queen, _mm512_sllv_epi16((__m512i)queen, (__m512i)reach->distance),
        _mm512_srlv_epi16((__m512i)queen, (__m512i)reach->distance), 0xfe);
}
static inline vec v_reach(const struct reach *reach, vec queen) {
    return v_reach_high(reach, queen | v_shift_right(queen, shift_by(16)));
}
static inline vec v_halves(vec high, vec low) {
    return (vec)_mm512_mask_mov_epi16((__m512i)low, 0xaaaaaaaa, (__m512i)high);
}
static inline mask v_nonzero(vec v) {
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v);
}
static inline mask v_high_nonzero(vec v) {
    return _mm512_test_epi32_mask((__m512i)v, _mm512_set1_epi32(~0xffff));
}
static inline mask v_full(vec v) {
    return _mm512_mask_test_epi32_mask(v_high_nonzero(v), (__m512i)v,
                                       _mm512_set1_epi32(0xffff));
}
static inline unsigned mask_lanes(mask m) {
    return (unsigned)__builtin_popcount(m);
}
static inline compression compression_of(mask m) {
    return m;
}
/* A Zen 5 treats the output register of vpcompressd as an input, too, so each of several writes
 * to one register waits for the write before it. Each then takes 5.5 cycles instead of 1.1.
 * Compilers do not know that, and reuse registers. Here the result replaces v, because the
 * instruction has to wait for v anyway. */
static inline vec v_compress(compression lanes, vec v) {
    __asm__("vpcompressd %0, %0%{%1%}%{z%}" : "+v"(v) : "Yk"(lanes));
    return v;
}

#include "colours/frontier.h"
