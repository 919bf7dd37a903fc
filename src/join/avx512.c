/* Matcher `avx512`: for the AVX-512 of Ice Lake and Zen 4. src/meson.build gives this file its
 * flags.
 *
 * A leaf compares 8 signatures of T (an octet) with 64 of U at once. The bits that both lists
 * have go in groups of six. The bits of a group that a signature of U has are a number from 0
 * to 63 (its code). For each octet and group, a table of 64 bytes, one for each code, says
 * which signatures of the octet lack all bits of the code (the method of Four Russians): one
 * vpermb looks up 64 codes. The AND over all groups says of 512 pairs which ones fit, and a
 * vpopcntq counts them. The tables stay in registers while a loop runs over U.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "join/half.h"

typedef __m512i vec;

enum {
    LEAF = 768, /* docs/performance.md has the sizes tried */
    FASTER_FROM = 16,
    GROUP_BITS = 6, /* 64 codes, which one vpermb can look up */
    MOST_GROUPS = (2 * NQ_MAX_N + GROUP_BITS - 1) / GROUP_BITS,
    MOST_T = 1024, /* signatures of T whose tables are prepared at once */
    MOST_U = 8192, /* signatures of U whose codes are kept */
    TABLES = 24    /* tables in registers, at most */
};
_Static_assert(HALF_SLACK >= 64, "find_lacking reads 64 signatures at once");

struct leaf_memory {
    uint8_t code[MOST_GROUPS][MOST_U]; /* [group][signature of U] */
    /* [group][octet * 8 + bit of the group]: which signatures of the octet lack the bit, the
     * first one in the highest bit. */
    uint8_t lack[MOST_GROUPS][MOST_T + 64];
};

static inline vec load(const void *from) {
    return _mm512_loadu_si512(from);
}
static inline vec bit_of(int bit) {
    return _mm512_set1_epi64((long long)(UINT64_C(1) << bit));
}

/* Returns the lanes of the vector at list[i] that are within the list. */
static inline __mmask8 lanes_at(size_t i, size_t count) {
    return count - i >= 8 ? 0xff : (__mmask8)((1u << (count - i)) - 1);
}

static size_t partition(int bit, uint64_t *list, size_t count, uint64_t *with) {
    const vec wanted = bit_of(bit);
    size_t taken = 0, left = 0;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 lanes = lanes_at(i, count);
        vec v = load(list + i);
        __mmask8 has = _mm512_mask_test_epi64_mask(lanes, v, wanted);
        __mmask8 lacks = (__mmask8)(lanes & ~has);
        _mm512_storeu_si512(with + taken, _mm512_maskz_compress_epi64(has, v));
        _mm512_storeu_si512(list + left, _mm512_maskz_compress_epi64(lacks, v));
        taken += (size_t)__builtin_popcount(has);
        left += (size_t)__builtin_popcount(lacks);
    }
    return taken;
}

static size_t filter_without(int bit, const uint64_t *list, size_t count, uint64_t *out) {
    const vec unwanted = bit_of(bit);
    size_t copied = 0;
    for (size_t i = 0; i < count; i += 8) {
        vec v = load(list + i);
        __mmask8 lacks = _mm512_mask_testn_epi64_mask(lanes_at(i, count), v, unwanted);
        _mm512_storeu_si512(out + copied, _mm512_maskz_compress_epi64(lacks, v));
        copied += (size_t)__builtin_popcount(lacks);
    }
    return copied;
}

/* Samples eight runs of eight signatures each, at equal distances. */
static void sample_bits(const uint64_t *list, size_t count, uint8_t *in) {
    vec run[8];
    for (size_t i = 0; i < 8; i++)
        run[i] = load(list + (count - 8) * i / 7);
    for (int byte = 0; byte < 8; byte++) {
        uint8_t bytes[64];
        for (int i = 0; i < 8; i++)
            _mm_storel_epi64((__m128i *)(bytes + 8 * i), _mm512_cvtepi64_epi8(_mm512_srli_epi64(
                                                             run[i], (unsigned)(8 * byte))));
        vec v = load(bytes);
        for (int bit = 0; bit < 8; bit++)
            in[8 * byte + bit] = (uint8_t)__builtin_popcountll(
                _mm512_test_epi8_mask(v, _mm512_set1_epi8((char)(1 << bit))));
    }
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    size_t count = 0;
    for (size_t j = 0; j < b_count; j += 8) {
        vec right = load(b + j);
        __mmask8 lanes = lanes_at(j, b_count);
        for (size_t i = 0; i < a_count; i++) {
            vec left = _mm512_set1_epi64((long long)a[i]);
            __mmask8 fits = _mm512_mask_testn_epi64_mask(lanes, left, right);
            _mm512_storeu_si512(
                out + count, _mm512_maskz_compress_epi64(fits, _mm512_or_si512(left, right)));
            count += (size_t)__builtin_popcount(fits);
        }
    }
    return count;
}

static size_t halves_without(const uint64_t *list, size_t count, uint64_t excluded,
                             uint64_t *out) {
    const vec unwanted = _mm512_set1_epi64((long long)excluded);
    size_t copied = 0;
    for (size_t i = 0; i < count; i += 8) {
        vec v = load(list + i);
        __mmask8 lacks = _mm512_mask_testn_epi64_mask(lanes_at(i, count), v, unwanted);
        _mm512_storeu_si512(out + copied, _mm512_maskz_compress_epi64(lacks, v));
        copied += (size_t)__builtin_popcount(lacks);
    }
    return copied;
}

/* Returns the bits that are set in any signature of a list. */
static uint64_t bits_of(const uint64_t *list, size_t count) {
    vec bits = _mm512_setzero_si512();
    for (size_t i = 0; i < count; i += 8)
        bits = _mm512_or_si512(bits, _mm512_maskz_loadu_epi64(lanes_at(i, count), list + i));
    return (uint64_t)_mm512_reduce_or_epi64(bits);
}

/* Puts the bits in groups; returns the number of groups. collect[group]: the vector with which
 * vpshufbitqmb collects the group's bits of each signature as the lowest six of a byte. Where
 * there are fewer it collects bit 63, which no signature has. */
static int choose_groups(uint64_t bits, vec *collect) {
    int groups = 0;
    for (; bits != 0; groups++) {
        uint64_t positions = 0;
        for (int i = 0; i < 8; i++) {
            uint64_t position = 63;
            if (i < GROUP_BITS && bits != 0) {
                position = (uint64_t)__builtin_ctzll(bits);
                bits &= bits - 1;
            }
            positions |= position << (8 * i);
        }
        collect[groups] = _mm512_set1_epi64((long long)positions);
    }
    return groups;
}

/* Writes the codes of signatures, a byte each. collect: of the group. */
static void encode(const uint64_t *list, size_t count, vec collect, uint8_t *code) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t codes = _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(load(list + i), collect));
        memcpy(code + i, &codes, sizeof codes);
    }
}

/* Fills in the group's row of leaf_memory.lack: for each octet, 8 codes of 8 bits, transposed
 * (bit slicing) and inverted. */
static void find_lacking(const uint64_t *list, size_t count, vec collect, uint8_t *lack) {
    const vec diagonal = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    for (size_t i = 0; i < count; i += 64) {
        uint8_t code[64];
        encode(list + i, 64, collect, code);
        vec has = _mm512_gf2p8affine_epi64_epi8(diagonal, load(code), 0);
        _mm512_storeu_si512(lack + i, _mm512_xor_si512(has, _mm512_set1_epi64(-1)));
    }
}

/* [bit]: 64 bytes; byte i is 0xff if the number i lacks the bit, else 0. */
static const uint64_t number_lacks[GROUP_BITS][8] = {
#define EIGHT(word)                                                                            \
    { word, word, word, word, word, word, word, word }
    EIGHT(UINT64_C(0x00ff00ff00ff00ff)),  EIGHT(UINT64_C(0x0000ffff0000ffff)),
    EIGHT(UINT64_C(0x00000000ffffffff)),
#undef EIGHT
#define ONES UINT64_MAX
    {ONES, 0, ONES, 0, ONES, 0, ONES, 0}, {ONES, ONES, 0, 0, ONES, ONES, 0, 0},
    {ONES, ONES, ONES, ONES, 0, 0, 0, 0},
#undef ONES
};

static inline __attribute__((always_inline)) vec and3(vec a, vec b, vec c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x80);
}

/* Makes the tables of one octet. present: which of its signatures there are. */
static inline __attribute__((always_inline)) void make_tables(int groups,
                                                              const struct leaf_memory *memory,
                                                              size_t octet, uint8_t present,
                                                              vec *table) {
    for (int g = 0; g < groups; g++) {
        const uint8_t *lack = memory->lack[g] + 8 * octet;
        vec t = _mm512_set1_epi8((char)(g == 0 ? present : 0xff));
#pragma GCC unroll 6
        for (int bit = 0; bit < GROUP_BITS; bit++) /* t & (lack | number_lacks) */
            t = _mm512_ternarylogic_epi64(t, _mm512_set1_epi8((char)lack[bit]),
                                          load(number_lacks[bit]), 0xe0);
        table[g] = t;
    }
}

/* Returns, for each of 64 signatures of U, the byte of the octet's signatures that fit it. */
static inline __attribute__((always_inline)) vec look_up(int groups, const vec *table,
                                                         const vec *code) {
    vec fits = _mm512_permutexvar_epi8(code[0], table[0]);
    int g = 1;
#pragma GCC unroll 8
    for (; g + 1 < groups; g += 2)
        fits = and3(fits, _mm512_permutexvar_epi8(code[g], table[g]),
                    _mm512_permutexvar_epi8(code[g + 1], table[g + 1]));
    if (g < groups)
        fits = _mm512_and_si512(fits, _mm512_permutexvar_epi8(code[g], table[g]));
    return fits;
}

/* Counts the pairs of T and U that fit, `octets` octets of T at a time. */
static inline __attribute__((always_inline)) uint64_t
count_pairs(int groups, int octets, const struct leaf_memory *memory, size_t t_count,
            size_t u_count) {
    vec sum = _mm512_setzero_si512();
    const __mmask64 rest = (UINT64_C(1) << (u_count % 64)) - 1;
    for (size_t first = 0; 8 * first < t_count; first += (size_t)octets) {
        vec table[TABLES], sums[TABLES];
        for (int i = 0; i < octets; i++) {
            size_t at = 8 * (first + (size_t)i), left = at < t_count ? t_count - at : 0;
            uint8_t present = (uint8_t)(left >= 8 ? 0xff : 0xff00 >> left);
            make_tables(groups, memory, first + (size_t)i, present, table + i * groups);
            sums[i] = _mm512_setzero_si512();
        }
        vec code[MOST_GROUPS];
        size_t u = 0;
        for (; u + 64 <= u_count; u += 64) {
            for (int g = 0; g < groups; g++)
                code[g] = _mm512_load_si512(memory->code[g] + u);
#pragma GCC unroll 8
            for (int i = 0; i < octets; i++)
                sums[i] = _mm512_add_epi64(
                    sums[i], _mm512_popcnt_epi64(look_up(groups, table + i * groups, code)));
        }
        if (rest != 0) {
            for (int g = 0; g < groups; g++)
                code[g] = _mm512_load_si512(memory->code[g] + u);
            for (int i = 0; i < octets; i++)
                sums[i] = _mm512_add_epi64(
                    sums[i], _mm512_popcnt_epi64(_mm512_maskz_mov_epi8(
                                 rest, look_up(groups, table + i * groups, code))));
        }
        for (int i = 0; i < octets; i++)
            sum = _mm512_add_epi64(sum, sums[i]);
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

/* Chooses the loop for this number of groups, with as many octets at a time as registers allow:
 * groups x octets tables, a sum for each octet and a code for each group are at most 32. */
static uint64_t match_octets(int groups, const struct leaf_memory *memory, size_t t_count,
                             size_t u_count) {
    switch (groups) {
#define CASE(groups, octets)                                                                   \
    case groups:                                                                               \
        return count_pairs(groups, octets, memory, t_count, u_count)
        CASE(1, 8);
        CASE(2, 8);
        CASE(3, 6);
        CASE(4, 5);
        CASE(5, 4);
        CASE(6, 3);
        CASE(7, 3);
        CASE(8, 2);
        CASE(9, 2);
        CASE(10, 2);
#undef CASE
    }
    _Static_assert(MOST_GROUPS <= 10, "a case for every number of groups");
    __builtin_unreachable();
}

static uint64_t match_leaf(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
                           struct leaf_memory *memory) {
    uint64_t bits = bits_of(t, t_count) & bits_of(u, u_count), pairs = 0;
    if (bits == 0)
        return t_count * u_count;
    vec collect[MOST_GROUPS];
    int groups = choose_groups(bits, collect);
    for (size_t j = 0; j < u_count; j += MOST_U) {
        size_t us = u_count - j < MOST_U ? u_count - j : MOST_U;
        for (int g = 0; g < groups; g++)
            encode(u + j, us, collect[g], memory->code[g]);
        for (size_t i = 0; i < t_count; i += MOST_T) {
            size_t ts = t_count - i < MOST_T ? t_count - i : MOST_T;
            for (int g = 0; g < groups; g++)
                find_lacking(t + i, ts, collect[g], memory->lack[g]);
            pairs += match_octets(groups, memory, ts, us);
        }
    }
    return pairs;
}

#define MATCHER_NAME   "avx512"
#define MATCHER_SYMBOL nqi_matcher_avx512
#include "join/split.h"
