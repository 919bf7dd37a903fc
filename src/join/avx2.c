/* Matcher `avx2`: blocks of 256 signatures. src/meson.build gives this file its flags. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "join/group.h"
#include "join/half.h"

typedef uint64_t word __attribute__((vector_size(32)));
enum { LANES = 4, LEAF = 512, FASTER_FROM = 17 };

static inline uint64_t pack(uint64_t signature, uint64_t bits) {
    return _pext_u64(signature, bits);
}

/* Packed bits have no gaps, so that the groups in use are the first ones. */
static inline uint64_t codes_of(uint64_t packed, const struct groups *used) {
    (void)used;
    return _pdep_u64(packed, UINT64_C(0x7f7f7f7f7f7f7f7f));
}

static inline uint64_t bits_in(word w) {
    uint64_t count = 0;
    for (int i = 0; i < LANES; i++)
        count += (uint64_t)__builtin_popcountll(w[i]);
    return count;
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

static inline __m256i load(const uint64_t *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

/* Stores the lanes of v in `lanes`, compressed; returns their number. Overwrites to[0..3]. */
static inline size_t store_lanes(uint64_t *to, __m256i v, unsigned lanes) {
    __m256i order = _mm256_loadu_si256((const __m256i *)to_front[lanes]);
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, order));
    return (size_t)__builtin_popcount(lanes);
}

/* Returns the lanes whose highest bit is set. */
static inline unsigned highest_bits(__m256i v) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

/* Returns the lanes of the vector at list[i] that are within the list. */
static inline unsigned lanes_at(size_t i, size_t count) {
    return count - i >= 4 ? 15 : (1u << (count - i)) - 1;
}

static size_t partition(int bit, uint64_t *list, size_t count, uint64_t *with) {
    const __m128i to_top = _mm_cvtsi32_si128(63 - bit);
    size_t taken = 0, left = 0;
    for (size_t i = 0; i < count; i += 4) {
        __m256i v = load(list + i);
        unsigned lanes = lanes_at(i, count),
                 has = highest_bits(_mm256_sll_epi64(v, to_top)) & lanes;
        taken += store_lanes(with + taken, v, has);
        left += store_lanes(list + left, v, lanes & ~has);
    }
    return taken;
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    const __m256i zero = _mm256_setzero_si256();
    size_t count = 0;
    for (size_t j = 0; j < b_count; j += 4) {
        __m256i right = load(b + j);
        unsigned lanes = lanes_at(j, b_count);
        for (size_t i = 0; i < a_count; i++) {
            __m256i left = _mm256_set1_epi64x((long long)a[i]);
            __m256i fits = _mm256_cmpeq_epi64(_mm256_and_si256(left, right), zero);
            count += store_lanes(out + count, _mm256_or_si256(left, right),
                                 highest_bits(fits) & lanes);
        }
    }
    return count;
}

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    const __m256i looked_at = _mm256_set1_epi64x((long long)diagonals),
                  wanted = _mm256_set1_epi64x((long long)held);
    size_t copied = 0;
    for (size_t i = 0; i < count; i += 4) {
        __m256i v = load(list + i);
        __m256i fits = _mm256_cmpeq_epi64(_mm256_and_si256(v, looked_at), wanted);
        copied += store_lanes(out + copied, v, highest_bits(fits) & lanes_at(i, count));
    }
    return copied;
}

#define MATCHER_NAME   "avx2"
#define MATCHER_SYMBOL nqi_matcher_avx2
#include "join/leaf.h"
#include "join/split.h"
