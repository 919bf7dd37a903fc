/* Matcher `avx2`: lists as words, eight in a vector. src/meson.build gives this file its flags.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compress_avx2.h"

/* docs/tried.md has the sizes tried. */
enum { LEAF_T = 256, LEAF_U = 512, FASTER_FROM = 16, AKIN = 0, TILES = 1 };
typedef __m256i vec;
typedef uint64_t lanes_64 __attribute__((vector_size(32)));
typedef __m256i moved;

/* Shifts that move the bit to the top, from where a mask is made. */
typedef __m128i bit_test;
static inline bit_test bit_test_of(int bit) {
    return _mm_cvtsi32_si128(31 - bit);
}
static inline unsigned lanes_with(bit_test to_top, moved v) {
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sll_epi32(v, to_top)));
}

static inline moved v_compress(compression p, moved v) {
    return compress_32(p, v);
}

static inline vec v_and_3(vec a, vec b, vec c) {
    return a & b & c;
}
static inline vec v_carry(vec *digit, vec a, vec b) {
    const vec half = *digit ^ a, both = *digit & a;
    *digit = half ^ b;
    return both | (half & b);
}

static inline vec v_bits_in(vec v) {
    const vec of_four = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                                         1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4),
              four = _mm256_set1_epi8(15),
              low = _mm256_shuffle_epi8(of_four, _mm256_and_si256(v, four)),
              high =
                  _mm256_shuffle_epi8(of_four, _mm256_and_si256(_mm256_srli_epi16(v, 4), four));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}

static inline vec v_load(const void *from) {
    return _mm256_loadu_si256(from);
}

/* Returns the lanes of 64 bits whose highest bit is set, as pairs of lanes of 32 bits. */
static inline unsigned highest_bits_64(vec v) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

/* [m]: permutes 32-bit lanes so that the 64-bit lanes in m move to the front. */
#define PAIR(lane) 2 * (lane), 2 * (lane) + 1
#define TO_FRONT(a, b, c, d)                                                                   \
    { PAIR(a), PAIR(b), PAIR(c), PAIR(d) }
static const uint32_t to_front[16][8] = {
    TO_FRONT(0, 0, 0, 0), TO_FRONT(0, 0, 0, 0), TO_FRONT(1, 0, 0, 0), TO_FRONT(0, 1, 0, 0),
    TO_FRONT(2, 0, 0, 0), TO_FRONT(0, 2, 0, 0), TO_FRONT(1, 2, 0, 0), TO_FRONT(0, 1, 2, 0),
    TO_FRONT(3, 0, 0, 0), TO_FRONT(0, 3, 0, 0), TO_FRONT(1, 3, 0, 0), TO_FRONT(0, 1, 3, 0),
    TO_FRONT(2, 3, 0, 0), TO_FRONT(0, 2, 3, 0), TO_FRONT(1, 2, 3, 0), TO_FRONT(0, 1, 2, 3),
};

/* Stores the lanes of v in `chosen`, compressed; returns their number. Overwrites to[0..3]. */
static inline size_t store_lanes(uint64_t *to, vec v, unsigned chosen) {
    _mm256_storeu_si256((vec *)to, _mm256_permutevar8x32_epi32(v, v_load(to_front[chosen])));
    return (size_t)__builtin_popcount(chosen);
}

enum { LANES = 4 };
static inline vec lanes_load(const uint64_t *from) {
    return v_load(from);
}
static inline unsigned lanes_inside(size_t count) {
    return count >= LANES ? 15 : (1U << count) - 1;
}
static inline unsigned lanes_lacking(vec v, uint64_t diagonals) {
    const vec held = v & _mm256_set1_epi64x((long long)diagonals);
    return highest_bits_64(_mm256_cmpeq_epi64(held, _mm256_setzero_si256()));
}
static inline size_t lanes_store(vec v, unsigned chosen, uint64_t *out) {
    return store_lanes(out, v, chosen);
}
static inline size_t lanes_union(uint64_t a, vec v, unsigned inside, uint64_t *out) {
    return store_lanes(out, v | _mm256_set1_epi64x((long long)a), lanes_lacking(v, a) & inside);
}
#include "join/crossings.h"

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    const vec looked_at = _mm256_set1_epi64x((long long)diagonals),
              wanted = _mm256_set1_epi64x((long long)held);
    const size_t whole = count / 4 * 4;
    size_t copied = 0;
    for (size_t i = 0; i < whole; i += 4) {
        vec v = v_load(list + i);
        vec fits = _mm256_cmpeq_epi64(_mm256_and_si256(v, looked_at), wanted);
        copied += store_lanes(out + copied, v, highest_bits_64(fits));
    }
    for (size_t i = whole; i < count; i++) {
        out[copied] = list[i];
        copied += (list[i] & diagonals) == held;
    }
    return copied;
}

#define FOUND 4
static inline void find_entries(const uint32_t *word, uint32_t mask, uint16_t *to) {
    const __m128i bytes = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)word),
                                        _mm_set1_epi32((int)mask));
    _mm256_storeu_si256((vec *)(void *)to, _mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 5));
}

#include "join/counter.h"

#define MATCHER_NAME   "avx2"
#define MATCHER_SYMBOL nqi_matcher_avx2
#include "join/bytes.h"
#include "join/match.h"
