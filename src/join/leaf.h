/* Leaves by tables: a template for matchers whose `word` has 1 or more lanes of 64 bits.
 *
 * A block of T, one signature for each bit of a word, is transposed: for each bit of a
 * signature, one word says which of the block have it. The bits go in groups of seven; for each
 * group a table holds, for every code (what a signature may have of the group), the word of
 * those that lack all of it. A signature of U costs one look-up a group, ANDs, and counting
 * bits.
 *
 * The includer defines, besides `word` and LANES:
 *   compact(signature, bits)     the signature's `bits` moved together at the low end, or as
 *                                they are
 *   spread(compacted, used)      a byte for every group in use, the first group's lowest
 *   bits_in(word)                how many bits are set in it
 */
#include "join/group.h"

#include <string.h>

enum {
    BLOCK = 64 * LANES,
    MOST_U = 4096 /* signatures of U whose codes are kept */
};

struct leaf_memory {
    word table[MOST_GROUPS][CODES];
    word row[64];          /* of the transposition */
    uint64_t code[MOST_U]; /* a byte for every group */
};

/* The groups that have any of these bits. */
static struct groups groups_of(uint64_t compacted) {
    struct groups used = {0};
    for (int g = 0; g < MOST_GROUPS; g++)
        if ((compacted >> (GROUP_BITS * g) & (CODES - 1)) != 0)
            used.number[used.count++] = g;
    return used;
}

/* Transposes 64 x 64 bits in every lane: exchanges ever smaller squares. Afterwards bit i of
 * row[j] is what bit j of row[i] was. */
static void transpose(word *row) {
    uint64_t low = UINT64_C(0x00000000ffffffff); /* columns of the left squares */
    for (int size = 32; size != 0; size /= 2, low ^= low << size)
        for (int i = 0; i < 64; i = (i + size + 1) & ~size) {
            word exchange = ((row[i] >> size) ^ row[i + size]) & low;
            row[i] ^= exchange << size;
            row[i + size] ^= exchange;
        }
}

/* Makes the tables of a block of T, for the groups in use one after the other. */
static void make_tables(const uint64_t *t, size_t count, uint64_t bits,
                        const struct groups *used, struct leaf_memory *memory) {
    uint64_t rows[BLOCK];
    word present;
    uint64_t lanes[LANES] = {0};
    for (size_t i = 0; i < BLOCK; i++) {
        rows[i] = i < count ? compact(t[i], bits) : 0;
        lanes[i % LANES] |= (uint64_t)(i < count) << (i / LANES);
    }
    memcpy(&present, lanes, sizeof present);
    memcpy(memory->row, rows, sizeof rows);
    transpose(memory->row);
    for (int i = 0; i < used->count; i++) {
        word *table = memory->table[i];
        if (i == 0)
            table[0] = present;
        else
            memset(table, 0xff, sizeof *table);
        for (int bit = 0; bit < GROUP_BITS; bit++) {
            word lack = ~memory->row[GROUP_BITS * used->number[i] + bit];
            for (int code = 0; code < 1 << bit; code++)
                table[code | 1 << bit] = table[code] & lack;
        }
    }
}

/* A sum of the bits of many words, place by place: its three lowest digits for each place, and
 * what has been carried beyond them. So bits are counted in one word of eight. */
struct counter {
    word one, two, four;
    uint64_t eights;
};

/* Adds a and b to a digit; the result is what is carried. */
static inline word carry(word *digit, word a, word b) {
    word half = *digit ^ a, both = *digit & a;
    *digit = half ^ b;
    return both | (half & b);
}

static inline __attribute__((always_inline)) void add_words(struct counter *counter,
                                                            const word *w) {
    word two_a = carry(&counter->one, w[0], w[1]), two_b = carry(&counter->one, w[2], w[3]);
    word four_a = carry(&counter->two, two_a, two_b);
    two_a = carry(&counter->one, w[4], w[5]);
    two_b = carry(&counter->one, w[6], w[7]);
    word four_b = carry(&counter->two, two_a, two_b);
    counter->eights += bits_in(carry(&counter->four, four_a, four_b));
}

static inline __attribute__((always_inline)) word
look_up(int groups, const struct leaf_memory *memory, uint64_t code) {
    word fits = memory->table[0][(uint8_t)code];
    for (int g = 1; g < groups; g++)
        fits &= memory->table[g][(uint8_t)(code >> (8 * g))];
    return fits;
}

/* Pairs of the block's signatures and those whose codes are given. */
static inline __attribute__((always_inline)) uint64_t
look_up_all(int groups, const struct leaf_memory *memory, size_t count) {
    struct counter counter = {0};
    uint64_t pairs = 0;
    size_t u = 0;
    for (; u + 8 <= count; u += 8) {
        word fits[8];
        for (size_t i = 0; i < 8; i++)
            fits[i] = look_up(groups, memory, memory->code[u + i]);
        add_words(&counter, fits);
    }
    for (; u < count; u++)
        pairs += bits_in(look_up(groups, memory, memory->code[u]));
    return pairs + bits_in(counter.one) + 2 * bits_in(counter.two) + 4 * bits_in(counter.four) +
           8 * counter.eights;
}

static uint64_t match_block(int groups, const struct leaf_memory *memory, size_t count) {
    switch (groups) {
#define CASE(groups)                                                                           \
    case groups:                                                                               \
        return look_up_all(groups, memory, count)
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
#undef CASE
    }
    __builtin_unreachable();
}

static uint64_t bits_of(const uint64_t *list, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= list[i];
    return bits;
}

static uint64_t match_leaf(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
                           struct leaf_memory *memory) {
    uint64_t bits = bits_of(t, t_count) & bits_of(u, u_count), pairs = 0;
    if (bits == 0)
        return t_count * u_count;
    const struct groups used = groups_of(compact(bits, bits));
    for (size_t j = 0; j < u_count; j += MOST_U) {
        size_t us = u_count - j < MOST_U ? u_count - j : MOST_U;
        for (size_t k = 0; k < us; k++)
            memory->code[k] = spread(compact(u[j + k], bits), &used);
        for (size_t i = 0; i < t_count; i += BLOCK) {
            size_t ts = t_count - i < BLOCK ? t_count - i : BLOCK;
            make_tables(t + i, ts, bits, &used, memory);
            pairs += match_block(used.count, memory, us);
        }
    }
    return pairs;
}

/* 64 signatures spread over the list. */
static void sample_bits(const uint64_t *list, size_t count, uint8_t *in) {
    /* Numbers of seven binary digits, one for each bit, their digits in seven words. */
    uint64_t digit[7] = {0};
    for (size_t i = 0; i < 64; i++) {
        uint64_t carry = list[(count - 1) * i / 63];
        for (int d = 0; d < 7; d++) {
            uint64_t both = digit[d] & carry;
            digit[d] ^= carry;
            carry = both;
        }
    }
    for (int bit = 0; bit < 64; bit++) {
        unsigned number = 0;
        for (int d = 0; d < 7; d++)
            number |= (unsigned)(digit[d] >> bit & 1) << d;
        in[bit] = (uint8_t)number;
    }
}
