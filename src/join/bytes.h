/* Leaves of lists as words (join/words.h) for the splitter (join/split.h). As many signatures
 * of T as a vector has bits (a *tile*) are matched with one of U at once.
 *
 * A tile is transposed (bit slicing): a vector for each bit says which signatures of the tile
 * have it. Each byte of a word has a table that holds, for every value that it can take, the
 * vector of the signatures that lack all of its bits (the method of Four Russians). A signature
 * of U costs one look-up a byte and their AND: the vector of the signatures that fit it.
 *
 * The including file defines what join/words.h needs, and:
 *
 *   struct counter, counter_add_8, counter_total
 *                       counts bits: join/counter.h, or its own
 *   v_and_3(a, b, c)    returns a & b & c
 *   WIDENED(word, mask)
 *                       macro, or none: the bytes of the next VECTOR / 2 words, masked, as
 *                       lanes of 16 bits. If there is one, where the entries of tables are is
 *                       found for many signatures of U at once, else for each when it is looked
 *                       up.
 */
#ifndef JOIN_BYTES_H
#define JOIN_BYTES_H

#include "join/words.h"

#ifdef WIDENED
enum { FOUND_AT_ONCE = 1024 };
#else
enum { FOUND_AT_ONCE = 1 };
#endif

enum {
    MOST_T = PLANE_BITS * VECTOR, /* a tile */
    MOST_U = 1024,
    PLANE_BYTES = PLANE_BITS / 8,
    MOST_BYTES = PLANE_BYTES * MOST_PLANES,
    ENTRY_SHIFT = __builtin_ctz(sizeof(vec)) /* an entry of a table has 2^ENTRY_SHIFT bytes */
};

struct tables {
    vec entry[MOST_BYTES][256];
    lanes_64 row[PLANE_BITS];
    /* [plane][signature of U][byte]: distance of its entry from the start of the table */
    uint16_t distance[MOST_PLANES][FOUND_AT_ONCE][PLANE_BYTES];
};

/* Transposes 32 x 32 bits in every word, by exchanging ever smaller squares: bit i of row[j]
 * becomes what bit j of row[i] was. */
static void bytes_transpose(lanes_64 *row) {
    uint64_t low = UINT64_C(0x0000ffff0000ffff); /* columns of the squares on the right */
#pragma GCC unroll 5
    for (int size = 16; size != 0; size /= 2, low ^= low << size)
        for (int i = 0; i < PLANE_BITS; i = (i + size + 1) & ~size) {
            const lanes_64 exchange = ((row[i] >> size) ^ row[i + size]) & low;
            row[i] ^= exchange << size;
            row[i + size] ^= exchange;
        }
}

/* Returns a vector with a bit for each of the first `count` signatures of a tile. */
static vec bytes_present(size_t count) {
    uint32_t in[VECTOR];
    vec all;
    for (size_t i = 0; i < VECTOR; i++) /* bit j of word i: signature VECTOR * j + i */
        in[i] = (uint32_t)((UINT64_C(1) << (count + VECTOR - 1 - i) / VECTOR) - 1);
    memcpy(&all, in, sizeof all);
    return all;
}

/* Makes a table for all values with these bits. row: those of the byte. */
static void bytes_make_table(unsigned bits, vec none, const lanes_64 *row, vec *entry) {
    unsigned below = 0; /* the bits whose values are in the table */
    entry[0] = none;
    for (; bits != 0; bits &= bits - 1) {
        const unsigned bit = bits & -bits;
        const vec lack = (vec)~row[__builtin_ctz(bit)];
        if (below != bit - 1) { /* every subset of `below` */
            unsigned value = 0;
            do {
                entry[value | bit] = entry[value] & lack;
                value = (value - below) & below;
            } while (value != 0);
        } else {
#pragma GCC unroll 4
            for (unsigned value = 0; value < bit; value++)
                entry[bit + value] = entry[value] & lack;
        }
        below |= bit;
    }
}

static void tables_make(int planes, uint64_t live, const struct list *t, size_t begin,
                        size_t end, struct tables *tables) {
    const size_t count = end - begin;
    for (int p = 0; p < planes; p++) {
        const size_t bytes = (count + VECTOR - 1) / VECTOR * sizeof(vec);
        memset(tables->row, 0, sizeof tables->row);
        memcpy(tables->row, t->word[p] + begin, bytes);
        bytes_transpose(tables->row);
        for (int b = 0; b < PLANE_BYTES; b++)
            bytes_make_table(live >> (PLANE_BITS * p + 8 * b) & 0xff,
                             p + b == 0 ? bytes_present(count) : ~(vec){0}, tables->row + 8 * b,
                             tables->entry[PLANE_BYTES * p + b]);
    }
}

#ifdef WIDENED
/* Finds the entries of signatures of U. No other bits of theirs are looked up. */
static void bytes_find_entries(int planes, uint64_t live, const struct list *u, size_t begin,
                               size_t end, struct tables *tables) {
    for (int p = 0; p < planes; p++) {
        const uint32_t *word = u->word[p] + begin;
        typedef uint16_t lanes_16 __attribute__((vector_size(sizeof(vec))));
        for (size_t i = 0; i < end - begin; i += VECTOR / 2) {
            const lanes_16 bytes = (lanes_16)WIDENED(word + i, (int)(live >> (PLANE_BITS * p)))
                                   << ENTRY_SHIFT;
            memcpy(tables->distance[p][i], &bytes, sizeof bytes);
        }
    }
}
#endif

/* Signatures of U, from some place on. */
struct looked_up {
    const struct tables *tables;
    const uint32_t *word[MOST_PLANES];
    uint32_t live[MOST_PLANES];
};

/* Returns the entry of byte b of signature i. */
static ALWAYS_INLINE vec bytes_entry(const struct looked_up *u, size_t i, int b) {
    const vec *entry = u->tables->entry[b];
    const int p = b / PLANE_BYTES;
    if (FOUND_AT_ONCE > 1)
        return *(const vec *)(const void *)((const char *)entry +
                                            u->tables->distance[p][i][b % PLANE_BYTES]);
    return entry[(u->word[p][i] & u->live[p]) >> (8 * (b % PLANE_BYTES)) & 0xff];
}

/* Returns the vector of the tile's signatures that fit a signature of U. */
static ALWAYS_INLINE vec bytes_look_up(int bytes, const struct looked_up *u, size_t i) {
    vec fits = bytes_entry(u, i, 0);
    int b = 1;
    for (; b + 1 < bytes; b += 2)
        fits = v_and_3(fits, bytes_entry(u, i, b), bytes_entry(u, i, b + 1));
    if (b < bytes)
        fits &= bytes_entry(u, i, b);
    return fits;
}

/* Counts the pairs of the tile and signatures of U that fit. */
static ALWAYS_INLINE uint64_t bytes_count_pairs(int bytes, const struct looked_up *u,
                                                size_t count) {
    enum { ADDED = 8 };
    struct counter counter = {0};
    size_t i = 0;
    for (; count - i >= ADDED; i += ADDED) {
        vec fits[ADDED];
#pragma GCC unroll 8
        for (size_t k = 0; k < ADDED; k++)
            fits[k] = bytes_look_up(bytes, u, i + k);
        counter_add_8(&counter, fits);
    }
    if (i < count) {
        vec fits[ADDED] = {0};
        for (size_t k = 0; k < count - i; k++)
            fits[k] = bytes_look_up(bytes, u, i + k);
        counter_add_8(&counter, fits);
    }
    return counter_total(&counter);
}

/* The counter of the matcher neon has 16 bits for the fits of 16 signatures of T. */
_Static_assert(MOST_U <= 4096, "no counter overflows");

static uint64_t tables_match(int planes, uint64_t live, struct tables *tables,
                             const struct list *u, size_t begin, size_t end) {
    const struct looked_up some = {
        .tables = tables,
        .word = {u->word[0] + begin, planes == 1 ? NULL : u->word[1] + begin},
        .live = {(uint32_t)live, (uint32_t)(live >> PLANE_BITS)}};
    const size_t count = end - begin;
#ifdef WIDENED
    bytes_find_entries(planes, live, u, begin, end, tables);
#endif
    switch (live == 0 ? 1 : (63 - __builtin_clzll(live)) / 8 + 1) { /* bytes in use */
#define CASE(bytes)                                                                            \
    case bytes:                                                                                \
        return bytes_count_pairs(bytes, &some, count);
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
    }
    __builtin_unreachable();
}

#endif
