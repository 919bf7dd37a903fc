/* Leaves of lists as words: a part of the template join/split_words.h. As many signatures of T
 * as a vector has bits (a *block*) are matched with one of U at once.
 *
 * A block is transposed (bit slicing): a vector for each bit says which signatures of the block
 * have it. Each byte of a word has a table that holds, for every value that it can take, the
 * vector of the signatures that lack all of its bits (the method of Four Russians). A signature
 * of U costs one look-up a byte and their AND: the vector of the signatures that fit it.
 * Carry-save adders add up these vectors before bits are counted (Harley-Seal).
 */
#ifndef JOIN_BYTES_H
#define JOIN_BYTES_H

#include "join/words.h"

enum {
    BLOCK = WORD_BITS * VECTOR,
    MOST_U = 1024, /* signatures of U whose entries are found at once */
    MOST_BYTES = 4 * MOST_PLANES,
    ENTRY_SHIFT = __builtin_ctz(sizeof(vec)) /* an entry of a table has 2^ENTRY_SHIFT bytes */
};

/* Some signatures of a block, a bit for each. */
typedef vec block_set;
/* A vector as lanes that C's operators shift. */
typedef uint32_t lanes_32 __attribute__((vector_size(sizeof(vec))));
typedef uint16_t lanes_16 __attribute__((vector_size(sizeof(vec))));

struct leaf_memory {
    block_set table[MOST_BYTES][256];
    lanes_32 row[WORD_BITS];
    /* [plane][signature of U][byte]: distance of its entry from the start of the table */
    uint16_t entry[MOST_PLANES][MOST_U][4];
    uint32_t t[MOST_PLANES * (BLOCK + 2 * VECTOR)], u[MOST_PLANES * (MOST_U + 2 * VECTOR)];
};

/* Transposes 32 x 32 bits in every lane, by exchanging ever smaller squares: bit i of row[j]
 * becomes what bit j of row[i] was. */
static void transpose(lanes_32 *row) {
    uint32_t low = UINT32_C(0x0000ffff); /* columns of the left squares */
#pragma GCC unroll 5
    for (int size = 16; size != 0; size /= 2, low ^= low << size)
        for (int i = 0; i < WORD_BITS; i = (i + size + 1) & ~size) {
            lanes_32 exchange = ((row[i] >> size) ^ row[i + size]) & low;
            row[i] ^= exchange << size;
            row[i + size] ^= exchange;
        }
}

/* Returns a vector with a bit for each of the first `count` signatures of a block. */
static block_set present(size_t count) {
    uint32_t in[VECTOR];
    block_set all;
    for (size_t i = 0; i < VECTOR; i++) /* bit j of lane i: signature VECTOR * j + i */
        in[i] = (uint32_t)((UINT64_C(1) << (count + VECTOR - 1 - i) / VECTOR) - 1);
    memcpy(&all, in, sizeof all);
    return all;
}

/* Makes the tables of a block for all values with these bits. */
static void make_tables(int planes, const struct words *t, size_t begin, size_t count,
                        uint64_t bits, struct leaf_memory *memory) {
    for (int p = 0; p < planes; p++) {
        const size_t bytes = (count + VECTOR - 1) / VECTOR * sizeof(block_set);
        memset(memory->row, 0, sizeof memory->row);
        memcpy(memory->row, t->word[p] + begin, bytes);
        transpose(memory->row);
        for (int b = 0; b < 4; b++) {
            block_set *table = memory->table[4 * p + b];
            const lanes_32 *row = memory->row + 8 * b;
            unsigned below = 0; /* the bits whose values are in the table */
            table[0] = p + b == 0 ? present(count) : ~(block_set){0};
            for (unsigned rest = bits >> (WORD_BITS * p + 8 * b) & 0xff; rest != 0;
                 rest &= rest - 1) {
                const unsigned bit = rest & -rest;
                const block_set lack = (block_set)~row[__builtin_ctz(bit)];
                unsigned value = 0; /* every subset of `below` */
                do {
                    table[value | bit] = table[value] & lack;
                    value = (value - below) & below;
                } while (value != 0);
                below |= bit;
            }
        }
    }
}

/* The number of bits in many vectors: one + 2 two + 4 four + 8 eights, where a vector stands
 * for the number of its bits. Carries out of `four` are counted at once, so that no digit
 * overflows; they are one vector for every eight added. */
struct counter {
    block_set one, two, four;
    vec eights; /* a number in each lane of 64 bits */
};

/* Returns twice a number and the bits of a digit. */
static inline vec with_digit(vec number, block_set digit) {
    return number + number + bits_in(digit);
}

static inline uint64_t bits_counted(const struct counter *counter) {
    vec number = with_digit(counter->eights, counter->four);
    number = with_digit(with_digit(number, counter->two), counter->one);
    uint64_t in[VECTOR / 2], sum = 0;
    store(in, number);
    for (size_t i = 0; i < VECTOR / 2; i++)
        sum += in[i];
    return sum;
}

/* Adds eight vectors. */
enum { ADDED = 8 };
static ALWAYS_INLINE void add_words(struct counter *counter, const block_set *w) {
    block_set two_a = carry(&counter->one, w[0], w[1]),
              two_b = carry(&counter->one, w[2], w[3]);
    block_set four_a = carry(&counter->two, two_a, two_b);
    two_a = carry(&counter->one, w[4], w[5]);
    two_b = carry(&counter->one, w[6], w[7]);
    block_set four_b = carry(&counter->two, two_a, two_b);
    counter->eights += bits_in(carry(&counter->four, four_a, four_b));
}

/* Finds the entries of signatures of U. No other bits of theirs are looked up. */
static void find_entries(int planes, const struct words *u, size_t begin, size_t count,
                         uint64_t bits, struct leaf_memory *memory) {
    for (int p = 0; p < planes; p++) {
        const uint32_t mask = (uint32_t)(bits >> (WORD_BITS * p)), *word = u->word[p] + begin;
        for (size_t i = 0; i < count; i += VECTOR) {
            const vec v = (vec)((lanes_32)load(word + i) & mask);
            store(memory->entry[p][i], (vec)((lanes_16)low_bytes(v) << ENTRY_SHIFT));
            store(memory->entry[p][i + VECTOR / 2],
                  (vec)((lanes_16)high_bytes(v) << ENTRY_SHIFT));
        }
    }
}

/* Returns the entry of byte b of signature i of U. */
static ALWAYS_INLINE block_set entry_of(const struct leaf_memory *memory, size_t i, int b) {
    return *(const block_set *)((const char *)memory->table[b] +
                                memory->entry[b / 4][i][b % 4]);
}

/* Returns the vector of the block's signatures that fit a signature of U. */
static ALWAYS_INLINE block_set look_up(int bytes, const struct leaf_memory *memory, size_t i) {
    block_set fits = entry_of(memory, i, 0);
    int b = 1;
    for (; b + 1 < bytes; b += 2)
        fits = and_3(fits, entry_of(memory, i, b), entry_of(memory, i, b + 1));
    if (b < bytes)
        fits &= entry_of(memory, i, b);
    return fits;
}

/* Counts the pairs of the block and the signatures of U whose entries were found that fit. */
static ALWAYS_INLINE uint64_t count_pairs(int bytes, const struct leaf_memory *memory,
                                          size_t count) {
    struct counter counter = {0};
    size_t i = 0;
    for (; count - i >= ADDED; i += ADDED) {
        block_set fits[ADDED];
        for (size_t k = 0; k < ADDED; k++)
            fits[k] = look_up(bytes, memory, i + k);
        add_words(&counter, fits);
    }
    if (i < count) {
        block_set fits[ADDED] = {0};
        for (size_t k = 0; k < count - i; k++)
            fits[k] = look_up(bytes, memory, i + k);
        add_words(&counter, fits);
    }
    return bits_counted(&counter);
}

/* Chooses the loop for this number of bytes. */
static uint64_t match_block(int bytes, const struct leaf_memory *memory, size_t count) {
    switch (bytes) {
#define CASE(bytes)                                                                            \
    case bytes:                                                                                \
        return count_pairs(bytes, memory, count)
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

#endif
