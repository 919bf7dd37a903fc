/* SPDX-License-Identifier: MIT */
/* Compression of vectors: chosen lanes move to the front, in order. For the files that are
 * compiled for AVX-512, and for those that are compiled for AVX2. */
#ifndef CORE_COMPRESS_H
#define CORE_COMPRESS_H

#include <immintrin.h>
#include <stdint.h>

#ifdef __AVX512F__

/* Zeros follow the chosen lanes.
 *
 * Zen 5 treats the instruction's output register as an input: a chain of writes to one register
 * takes 5.5 cycles each instead of 1.1 (docs/tried.md). Compilers do not know that, and reuse
 * registers. So the result replaces the vector here, for which the instruction waits anyway.
 *
 * For lanes of 16 bits (these need VBMI2) and of 32. */
static inline __m512i compress_16(__mmask32 chosen, __m512i v) {
    __asm__("vpcompressw %0, %0%{%1%}%{z%}" : "+v"(v) : "Yk"(chosen));
    return v;
}
static inline __m512i compress_32(__mmask16 chosen, __m512i v) {
    __asm__("vpcompressd %0, %0%{%1%}%{z%}" : "+v"(v) : "Yk"(chosen));
    return v;
}

#else

/* AVX2 has no such instruction: a permutation for each choice stands in.
 *
 * Entry m of the table holds the numbers of the lanes in m, a byte each, lowest first. The
 * bytes after them do not matter. Lane i comes after the lanes of m below it. */
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
#undef ENTRIES64
#undef ENTRIES16
#undef ENTRIES4
#undef ENTRY
#undef LANE
#undef BELOW

typedef __m256i compression;

/* Returns the permutation that moves these lanes of 32 bits to the front, in order. */
static inline compression compression_of(unsigned lanes) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&lanes_of[lanes]));
}

static inline __m256i compress_32(compression p, __m256i v) {
    return _mm256_permutevar8x32_epi32(v, p);
}

#endif

#endif
