/* Matcher `avx512bw`: lists as words, sixteen in a vector, for AVX-512 without VBMI (Skylake-X,
 * Cascade Lake). src/meson.build gives this file its flags.
 */
#include "join/vector_512.h"

/* LEAF_U: as that of avx2. AKIN: to avx2 by its template, to avx512 by how halves are listed.
 */
enum { LEAF_T = 512, LEAF_U = 512, FASTER_FROM = 17, AKIN = 1, TILES = 1 };
typedef uint64_t lanes_64 __attribute__((vector_size(64)));
typedef vec moved;

typedef vec bit_test;
static inline bit_test bit_test_of(int bit) {
    return _mm512_set1_epi32((int)(UINT32_C(1) << bit));
}
static inline unsigned lanes_with(bit_test bit, vec v) {
    return _mm512_test_epi32_mask(v, bit);
}

typedef __mmask16 compression;
static inline compression compression_of(unsigned chosen) {
    return (compression)chosen;
}
static inline vec v_compress(compression chosen, vec v) {
    return compress_32(chosen, v);
}

static inline vec v_bits_in(vec v) {
    const vec of_four = _mm512_broadcast_i32x4(
                  _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)),
              four = _mm512_set1_epi8(15),
              low = _mm512_shuffle_epi8(of_four, _mm512_and_si512(v, four)),
              high =
                  _mm512_shuffle_epi8(of_four, _mm512_and_si512(_mm512_srli_epi16(v, 4), four));
    return _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
}

#define FOUND 8
static inline void find_entries(const uint32_t *word, uint32_t mask, uint16_t *to) {
    const __m256i bytes = _mm256_and_si256(
        _mm256_loadu_si256((const __m256i *)(const void *)word), _mm256_set1_epi32((int)mask));
    v_store(to, _mm512_slli_epi16(_mm512_cvtepu8_epi16(bytes), 6));
}

#include "join/counter.h"

#define MATCHER_NAME   "avx512bw"
#define MATCHER_SYMBOL nqi_matcher_avx512bw
#include "join/bytes.h"
#include "join/match.h"
