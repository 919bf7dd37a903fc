/* Leaves of lists as codes (join/codes.h) for the splitter (join/split.h): 8 signatures of T
 * (an *octet*) against 64 of U at once.
 *
 * For each octet and plane, a table of 64 bytes, one for each code, says which signatures of
 * the octet lack all bits of the code (the method of Four Russians): one vpermb looks up 64
 * codes of U. The AND over all planes says of 512 pairs which ones fit. The tables stay in
 * registers while a loop goes over U. Carry-save adders add up the words of fits before bits
 * are counted (Harley-Seal).
 */
#ifndef JOIN_OCTETS_H
#define JOIN_OCTETS_H

#include "join/codes.h"

static inline vec v_bits_in(vec v) {
    return _mm512_popcnt_epi64(v);
}
#include "join/counter.h"

enum {
    MOST_T = 1024,    /* a tile: signatures of T whose tables are made at once */
    MOST_U = 1 << 20, /* signatures of U that are looked up at once */
    MOST_OCTETS = 4,  /* that are looked up at once */
    MOST_TABLES = 24  /* that registers have room for */
};

/* A table for the codes of three bits, low or high ones, and each octet: [8 octet + code]. */
struct tables {
    uint8_t low[MOST_PLANES][MOST_T + 8 * MOST_OCTETS];
    uint8_t high[MOST_PLANES][MOST_T + 8 * MOST_OCTETS];
    size_t count; /* of signatures */
};

/* has: for eight octets, and each bit, the signatures that have it. Returns, for each octet and
 * each code of the bits first to first + 2, the signatures that lack them all. */
static inline vec octets_lacking(vec has, int first) {
    vec byte = _mm512_add_epi8(_mm512_and_si512(codes_0_to_63(), _mm512_set1_epi8(8)),
                               _mm512_set1_epi8((char)first)),
        any = _mm512_and_si512(_mm512_shuffle_epi8(has, byte),
                               _mm512_set1_epi64((long long)UINT64_C(0xff00ff00ff00ff00)));
    byte = _mm512_add_epi8(byte, _mm512_set1_epi8(1));
    any = _mm512_ternarylogic_epi64(/* any | has & codes with the bit */
                                    any, _mm512_shuffle_epi8(has, byte),
                                    _mm512_set1_epi64((long long)UINT64_C(0xffff0000ffff0000)),
                                    0xf8);
    byte = _mm512_add_epi8(byte, _mm512_set1_epi8(1));
    return _mm512_ternarylogic_epi64(/* the same, inverted */
                                     any, _mm512_shuffle_epi8(has, byte),
                                     _mm512_set1_epi64((long long)UINT64_C(0xffffffff00000000)),
                                     0x07);
}

/* Makes MOST_OCTETS - 1 more tables, of octets that hold no signatures. */
static void tables_make(int planes, uint64_t live, const struct list *t, size_t begin,
                        size_t end, struct tables *tables) {
    (void)live;
    tables->count = end - begin;
    for (size_t i = begin; i < end; i += BLOCK)
        for (int p = 0; p < planes; p++) {
            const vec has = codes_transpose(v_load(codes_block_at(t, planes, i) + p * BLOCK));
            v_store(tables->low[p] + (i - begin), octets_lacking(has, 0));
            v_store(tables->high[p] + (i - begin), octets_lacking(has, 3));
        }
    const size_t whole = (end - begin) / 8 * 8;
    uint8_t *rest = tables->low[0] + whole; /* the last octet, which is not full */
    for (int code = 0; code < 8; code++)
        rest[code] = (uint8_t)(rest[code] & 0xff00 >> (end - begin - whole));
    memset(rest + 8, 0, 8 * (MOST_OCTETS - 1));
}

/* Returns the table of an octet. */
static inline vec octets_table(const struct tables *tables, int plane, size_t octet) {
    uint64_t low, high;
    memcpy(&low, tables->low[plane] + 8 * octet, sizeof low);
    memcpy(&high, tables->high[plane] + 8 * octet, sizeof high);
    const vec high_code =
        _mm512_and_si512(_mm512_srli_epi16(codes_0_to_63(), 3), _mm512_set1_epi8(7));
    return _mm512_and_si512(_mm512_shuffle_epi8(_mm512_set1_epi64((long long)high), high_code),
                            _mm512_set1_epi64((long long)low));
}

/* Returns, for each signature of a block of U, the byte of the octet's signatures that fit
 * it. */
static ALWAYS_INLINE vec octets_look_up(int planes, const vec *table, const uint8_t *block) {
    vec fits = _mm512_permutexvar_epi8(v_load(block), table[0]);
    int p = 1;
#pragma GCC unroll 8
    for (; p + 1 < planes; p += 2)
        fits = _mm512_ternarylogic_epi64(
            fits, _mm512_permutexvar_epi8(v_load(block + p * BLOCK), table[p]),
            _mm512_permutexvar_epi8(v_load(block + (p + 1) * BLOCK), table[p + 1]), 0x80);
    if (p < planes)
        fits = _mm512_and_si512(fits,
                                _mm512_permutexvar_epi8(v_load(block + p * BLOCK), table[p]));
    return fits;
}

/* Counts the pairs of some octets, from `first` to last - 1, and the signatures of U from
 * `begin`, a multiple of BLOCK, to end - 1. `at_once` octets, two or four, are looked up at
 * once in so many blocks that there are four words. */
static ALWAYS_INLINE uint64_t octets_count_pairs(int planes, int at_once,
                                                 const struct tables *tables, size_t first,
                                                 size_t last, const struct list *u,
                                                 size_t begin, size_t end) {
    const int blocks = 4 / at_once;
    struct counter counter = {0};
    vec rest = _mm512_setzero_si512();
    for (; first < last; first += (size_t)at_once) {
        vec table[MOST_TABLES];
        for (int i = 0; i < at_once; i++)
            for (int p = 0; p < planes; p++)
                table[i * planes + p] = octets_table(tables, p, first + (size_t)i);
        const uint8_t *block = codes_block_at(u, planes, begin);
        size_t remaining = end - begin;
        for (; remaining >= (size_t)(BLOCK * blocks); remaining -= (size_t)(BLOCK * blocks)) {
            vec fits[4];
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                fits[i] = octets_look_up(planes, table + i % at_once * planes,
                                         block + i / at_once * planes * BLOCK);
            counter_add_4(&counter, fits);
            block += blocks * planes * BLOCK;
        }
        for (; remaining > 0; remaining -= remaining < BLOCK ? remaining : BLOCK) {
            for (int i = 0; i < at_once; i++)
                rest = _mm512_add_epi64(
                    rest, _mm512_popcnt_epi64(_mm512_maskz_mov_epi8(
                              codes_before(remaining, 0),
                              octets_look_up(planes, table + i * planes, block))));
            block += planes * BLOCK;
        }
    }
    return counter_total(&counter) + (uint64_t)_mm512_reduce_add_epi64(rest);
}

/* Looks up as many octets at once as registers allow: the tables, the counter's digits and a
 * few codes and words of fits are at most 32. Of the octets that remain, three count as
 * four: the last one is empty. */
static ALWAYS_INLINE uint64_t octets_match_in(int planes, const struct tables *tables,
                                              const struct list *u, size_t begin, size_t end) {
    const size_t count = (tables->count + 7) / 8, in_fours = (count + 1) / 4 * 4;
    if (planes > MOST_TABLES / 4)
        return octets_count_pairs(planes, 2, tables, 0, count, u, begin, end);
    uint64_t pairs = octets_count_pairs(planes, 4, tables, 0, in_fours, u, begin, end);
    if (in_fours < count)
        pairs += octets_count_pairs(planes, 2, tables, in_fours, count, u, begin, end);
    return pairs;
}

static uint64_t tables_match(int planes, uint64_t live, const struct tables *tables,
                             const struct list *u, size_t begin, size_t end) {
    (void)live;
    switch (planes) {
#define CASE(number)                                                                           \
    case number:                                                                               \
        return octets_match_in(number, tables, u, begin, end);
        FOR_EACH_NUMBER_OF_PLANES(CASE)
#undef CASE
    }
    __builtin_unreachable();
}

#endif
