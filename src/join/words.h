/* Lists of signatures as words of 32 bits: a part of the template join/split_words.h.
 *
 * A list keeps only those bits of its signatures that both lists of a match have, packed: in
 * one word for each signature if they fit, else in two, which lie in arrays of their own
 * (planes). So a vector has words of several signatures. Functions are compiled for each number
 * of planes.
 */
#ifndef JOIN_WORDS_H
#define JOIN_WORDS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/bits.h"
#include "join/half.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { WORD_BITS = 32, MOST_PLANES = 2 };
_Static_assert(8 * sizeof(vec) == VECTOR * WORD_BITS, "a vector is full of words");
_Static_assert(2 * NQ_MAX_N <= WORD_BITS * MOST_PLANES, "two words have all bits");

struct words {
    uint32_t *word[MOST_PLANES]; /* with memory for a vector behind the last word */
    size_t count;                /* of signatures */
};

/* Returns the lanes of the vector at i that are before `end`. */
static inline unsigned lanes_before(size_t end, size_t i) {
    return end - i >= VECTOR ? low_bits(VECTOR) : low_bits((int)(end - i));
}

/* Returns the number of words that a plane of a list takes. */
static inline size_t words_of_plane(size_t count) {
    return (count / VECTOR + 2) * VECTOR;
}

/* Returns an empty list in memory for the planes of `count` signatures. */
static inline struct words words_at(uint32_t *memory, size_t count) {
    return (struct words){.word = {memory, memory + words_of_plane(count)}};
}

/* Appends signatures from one place of a list to another list, or to an earlier or the same
 * place of the list itself. Returns their number. */
static ALWAYS_INLINE size_t move(int planes, const struct words *from, size_t i, unsigned lanes,
                                 const struct words *to, size_t at) {
    const compression order = compression_of(lanes);
    for (int p = 0; p < planes; p++)
        store(to->word[p] + at, compress(order, load(from->word[p] + i)));
    return (size_t)__builtin_popcount(lanes);
}

/* Appends to `out` the signatures from `begin` to end - 1 that lack the bit. */
static ALWAYS_INLINE void copy_without_of(int planes, const struct words *list, size_t begin,
                                          size_t end, int bit, struct words *out) {
    const uint32_t *tested = list->word[bit / WORD_BITS];
    const bit_test test = bit_test_of(bit % WORD_BITS);
    const struct words from = *list, to = *out;
    size_t count = to.count;
    for (size_t i = begin; i < end; i += VECTOR) {
        const unsigned has = lanes_with(test, load(tested + i));
        count += move(planes, &from, i, lanes_before(end, i) & ~has, &to, count);
    }
    out->count = count;
}

/* Of the signatures from `begin` to end - 1, appends those that have the bit to `out`, and the
 * others to the list itself, whose end is at or before `begin`. */
static ALWAYS_INLINE void take_with_of(int planes, struct words *list, size_t begin, size_t end,
                                       int bit, struct words *out) {
    const uint32_t *tested = list->word[bit / WORD_BITS];
    const bit_test test = bit_test_of(bit % WORD_BITS);
    const struct words from = *list, to = *out;
    size_t left = from.count, taken = to.count;
    for (size_t i = begin; i < end; i += VECTOR) {
        const unsigned all = lanes_before(end, i),
                       has = lanes_with(test, load(tested + i)) & all;
        taken += move(planes, &from, i, has, &to, taken);
        left += move(planes, &from, i, all & ~has, &from, left);
    }
    list->count = left;
    out->count = taken;
}

static void copy_without(int planes, const struct words *list, size_t begin, size_t end,
                         int bit, struct words *out) {
    if (planes == 1)
        copy_without_of(1, list, begin, end, bit, out);
    else
        copy_without_of(2, list, begin, end, bit, out);
}
static void take_with(int planes, struct words *list, size_t begin, size_t end, int bit,
                      struct words *out) {
    if (planes == 1)
        take_with_of(1, list, begin, end, bit, out);
    else
        take_with_of(2, list, begin, end, bit, out);
}

/* Writes these bits of the signatures from `begin` to end - 1, packed, to the same places of a
 * list. */
static void pack(const uint64_t *signature, size_t begin, size_t end, uint64_t bits,
                 const struct words *list) {
    if (__builtin_popcountll(bits) <= WORD_BITS)
        for (size_t i = begin; i < end; i++)
            list->word[0][i] = (uint32_t)_pext_u64(signature[i], bits);
    else
        for (size_t i = begin; i < end; i++) {
            const uint64_t packed = _pext_u64(signature[i], bits);
            list->word[0][i] = (uint32_t)packed;
            list->word[1][i] = (uint32_t)(packed >> WORD_BITS);
        }
}

/* Packs these bits, at most 32, of two planes to one. */
static void drop_plane(const struct words *list, size_t begin, size_t end, uint64_t bits) {
    for (size_t i = begin; i < end; i++)
        list->word[0][i] = (uint32_t)_pext_u64(
            list->word[0][i] | (uint64_t)list->word[1][i] << WORD_BITS, bits);
}

/* Counts for each bit how many of SAMPLE signatures, at equal distances, have it: in[plane] has
 * a byte for each bit, 32 in all, whatever the width of `vec`. */
enum { SAMPLE = 64, NUMBERS = 8 };
typedef __m256i sample;
static void sample_words(int planes, const struct words *list, sample *in) {
    const sample byte_of_bit = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                                  0x0303030303030303),
                 bit_of_byte = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    for (int p = 0; p < planes; p++) {
        sample lacking = _mm256_setzero_si256();
        for (size_t i = 0; i < SAMPLE; i++) {
            const uint32_t word = list->word[p][(list->count - 1) * i / (SAMPLE - 1)];
            const sample bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word), byte_of_bit),
                         lacks = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of_byte),
                                                   _mm256_setzero_si256());
            lacking = _mm256_sub_epi8(lacking, lacks);
        }
        in[p] = _mm256_sub_epi8(_mm256_set1_epi8(SAMPLE), lacking);
    }
}

/* Returns the bytes from i on, i = 0, 8, 16 or 24, as a vector of words. */
static inline sample bytes_from(sample v, int i) {
    const sample front = _mm256_permutevar8x32_epi32(
        v, _mm256_set1_epi64x((long long)((uint64_t)(i / 4 + 1) << 32 | (uint64_t)(i / 4))));
    return _mm256_cvtepu8_epi32(_mm256_castsi256_si128(front));
}

/* Returns the bits that any signature has. */
static uint64_t bits_of_words(int planes, const struct words *list) {
    uint64_t bits = 0;
    for (int p = 0; p < planes; p++) {
        uint32_t any = 0;
        for (size_t i = 0; i < list->count; i++)
            any |= list->word[p][i];
        bits |= (uint64_t)any << (WORD_BITS * p);
    }
    return bits;
}

#endif
