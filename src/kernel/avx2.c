/* Kernel `avx2`: the wavefront on 8 lanes. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/mask.h"

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

/* AVX2 has no compress instruction; a permutation for each mask replaces it. Entry m of the
 * table holds the numbers of the lanes in m, a byte each, lowest first. The bytes after them do
 * not matter. BELOW(m, i) counts the lanes of m below lane i. */
#define BIT(m, i) ((m) >> (i)&1)
#define BELOW(m, i)                                                                            \
    ((i > 0 ? BIT(m, 0) : 0) + (i > 1 ? BIT(m, 1) : 0) + (i > 2 ? BIT(m, 2) : 0) +             \
     (i > 3 ? BIT(m, 3) : 0) + (i > 4 ? BIT(m, 4) : 0) + (i > 5 ? BIT(m, 5) : 0) +             \
     (i > 6 ? BIT(m, 6) : 0))
#define LANE(m, i) ((uint64_t)(BIT(m, i) * (i)) << (8 * BELOW(m, i)))
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
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&lanes_of[m]));
}
static inline vec compress(compression p, vec v) {
    return _mm256_permutevar8x32_epi32(v, p);
}

#define KERNEL_NAME   "avx2"
#define KERNEL_SYMBOL nqi_kernel_avx2
#include "kernel/wavefront.h"
