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
 *   TILES               enumerator: tiles that are matched at once
 *   struct counter, ADDED, counter_add, counter_total
 *                       counts bits of ADDED vectors at a time: join/counter.h, or its own
 *   v_and_3(a, b, c)    returns a & b & c
 *   FOUND, find_entries(word, mask, to)
 *                       macro and function, or none: writes the bytes of FOUND words, masked,
 *                       times sizeof(vec). If there is one, where the entries of tables are is
 *                       found for many signatures of U at once, else for each when it is looked
 *                       up.
 *   SORTED, sort_bytes(word, row)
 *                       macro and function, or none: sorts the bytes of SORTED words, as many
 *                       as a vector has bytes. Byte b of each word goes to row[8 * b]. If there
 *                       is one, bits are transposed byte by byte, else word by word.
 */
#ifndef JOIN_BYTES_H
#define JOIN_BYTES_H

#include "join/words.h"

#ifdef FOUND
enum { FOUND_AT_ONCE = 1024 };
#else
enum { FOUND_AT_ONCE = 1 };
#endif

/* A vector for the signatures of a tile has columns: bit j of column i is for signature
 * COLUMNS * j + i. */
#ifdef SORTED
typedef uint8_t column;
#else
typedef uint32_t column;
#endif

enum {
    COLUMNS = sizeof(vec) / sizeof(column),
    SQUARE = 8 * sizeof(column),
    SWAPS = SQUARE == 8 ? 4 : 1, /* unrolled rounds: registers hold a small square */
    TILE = 8 * sizeof(vec),      /* signatures */
    MOST_T = TILES * TILE,
    MOST_U = 1024,
    PLANE_BYTES = PLANE_BITS / 8,
    MOST_BYTES = PLANE_BYTES * MOST_PLANES
};

struct tables {
    vec entry[TILES][MOST_BYTES][256];
    size_t count; /* of signatures */
    lanes_64 row[PLANE_BITS];
    /* [plane][signature of U][byte]: distance of its entry from the start of the table */
    uint16_t distance[MOST_PLANES][FOUND_AT_ONCE][PLANE_BYTES];
};

/* Transposes SQUARE x SQUARE bits in every column, by exchanging ever smaller squares: bit i of
 * row[j] becomes what bit j of row[i] was. */
static void bytes_transpose(lanes_64 *row) {
    /* Columns of the squares on the right: 0x0f0f... or 0x0000ffff... */
    uint64_t low = UINT64_MAX / ((UINT64_C(1) << SQUARE / 2) + 1);
#pragma GCC unroll 5
    for (int size = SQUARE / 2; size != 0; size /= 2, low ^= low << size)
#pragma GCC unroll SWAPS
        for (int square = 0; square < SQUARE; square += 2 * size)
#pragma GCC unroll SWAPS
            for (int i = square; i < square + size; i++) {
                const lanes_64 exchange = ((row[i] >> size) ^ row[i + size]) & low;
                row[i] ^= exchange << size;
                row[i + size] ^= exchange;
            }
}

/* Returns a vector with a bit for each of the first `count` signatures of a tile. */
static vec bytes_present(size_t count) {
    const column fewer = (column)((UINT64_C(1) << count / COLUMNS) - 1),
                 more = (column)(2 * fewer + 1);
    column in[COLUMNS];
    vec all;
    for (size_t i = 0; i < COLUMNS; i++)
        in[i] = i < count % COLUMNS ? more : fewer;
    memcpy(&all, in, sizeof all);
    return all;
}

#ifdef SORTED
/* Loads words to be transposed. Rows keep what bits they have where there are no words. */
static void bytes_load(const uint32_t *word, size_t count, lanes_64 *row) {
    for (size_t i = 0; i * SORTED < count; i++)
        sort_bytes(word + i * SORTED, row + i);
}

/* Makes a table for all values up to `bits`: what lacks a value lacks its lower four bits and
 * its upper four. row: those of the byte. */
static ALWAYS_INLINE void bytes_make_table(unsigned bits, vec none, const lanes_64 *row,
                                           vec *entry) {
    vec lower[16] = {none}, upper[16] = {~(vec){0}};
#pragma GCC unroll 16
    for (unsigned value = 1; value < 16; value++) {
        const unsigned bit = (unsigned)__builtin_ctz(value), others = value & (value - 1);
        lower[value] = lower[others] & (vec)~row[bit];
        upper[value] = upper[others] & (vec)~row[4 + bit];
    }
    for (unsigned i = 0; 16 * i <= bits; i++)
#pragma GCC unroll 16
        for (unsigned value = 0; value < 16; value++)
            entry[16 * i + value] = upper[i] & lower[value];
}
#else
static void bytes_load(const uint32_t *word, size_t count, lanes_64 *row) {
    memset(row, 0, TILE * sizeof *word);
    memcpy(row, word, (count + VECTOR - 1) / VECTOR * sizeof(vec));
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
#endif

/* Makes the tables of a tile, of the bytes in use. */
static void bytes_make_tables(int planes, uint64_t live, const struct list *t, size_t begin,
                              size_t count, lanes_64 *row, vec (*entry)[256]) {
    for (int p = 0; p < planes; p++) {
        bytes_load(t->word[p] + begin, count, row);
        for (int b = 0; b < PLANE_BYTES; b++) {
            const uint64_t bits = live >> (PLANE_BITS * p + 8 * b);
            if (bits == 0 && p + b > 0)
                break;
            if (8 * b % SQUARE == 0)
                bytes_transpose(row + 8 * b);
            bytes_make_table(bits & 0xff, p + b == 0 ? bytes_present(count) : ~(vec){0},
                             row + 8 * b, entry[PLANE_BYTES * p + b]);
        }
    }
}

static void tables_make(int planes, uint64_t live, const struct list *t, size_t begin,
                        size_t end, struct tables *tables) {
    tables->count = end - begin;
    for (int i = 0; i < TILES && begin < end; i++, begin += TILE)
        bytes_make_tables(planes, live, t, begin, end - begin < TILE ? end - begin : TILE,
                          tables->row, tables->entry[i]);
}

#ifdef FOUND
/* Finds the entries of signatures of U. No other bits of theirs are looked up. */
static void bytes_find_entries(int planes, uint64_t live, const struct list *u, size_t begin,
                               size_t end, struct tables *tables) {
    for (int p = 0; p < planes; p++) {
        const uint32_t *word = u->word[p] + begin;
        for (size_t i = 0; i < end - begin; i += FOUND)
            find_entries(word + i, (uint32_t)(live >> (PLANE_BITS * p)),
                         tables->distance[p][i]);
    }
}
#endif

/* Signatures of U, from some place on. */
struct looked_up {
    const struct tables *tables;
    const uint32_t *word[MOST_PLANES];
    uint32_t live[MOST_PLANES];
};

/* Returns the distance of the entry of byte b of signature i. */
static ALWAYS_INLINE size_t bytes_distance(const struct looked_up *u, size_t i, int b) {
    const uint16_t *of_word = u->tables->distance[b / PLANE_BYTES][i];
    uint64_t all;
    if (TILES == 1)
        return of_word[b % PLANE_BYTES];
    /* One load for all bytes: look-ups in several tiles are bound by loads. */
    memcpy(&all, of_word, sizeof all);
    return (uint16_t)(all >> (16 * (b % PLANE_BYTES)));
}

/* Returns the entry of byte b of signature i for a tile. */
static ALWAYS_INLINE vec bytes_entry(const struct looked_up *u, int tile, size_t i, int b) {
    const vec *entry = u->tables->entry[tile][b];
    const int p = b / PLANE_BYTES;
    if (FOUND_AT_ONCE > 1)
        return *(const vec *)(const void *)((const char *)entry + bytes_distance(u, i, b));
    return entry[(u->word[p][i] & u->live[p]) >> (8 * (b % PLANE_BYTES)) & 0xff];
}

/* Returns the vector of a tile's signatures that fit a signature of U. */
static ALWAYS_INLINE vec bytes_look_up(int bytes, const struct looked_up *u, int tile,
                                       size_t i) {
    vec fits = bytes_entry(u, tile, i, 0);
    int b = 1;
    for (; b + 1 < bytes; b += 2)
        fits = v_and_3(fits, bytes_entry(u, tile, i, b), bytes_entry(u, tile, i, b + 1));
    if (b < bytes)
        fits &= bytes_entry(u, tile, i, b);
    return fits;
}

/* Counts the pairs of some tiles and signatures of U that fit. */
static ALWAYS_INLINE uint64_t bytes_count_pairs(int bytes, int tiles, const struct looked_up *u,
                                                size_t count) {
    struct counter counter[TILES] = {0};
    uint64_t pairs = 0;
    size_t i = 0;
    for (; count - i >= ADDED; i += ADDED)
        for (int tile = 0; tile < tiles; tile++) {
            vec fits[ADDED];
#pragma GCC unroll 8
            for (size_t k = 0; k < ADDED; k++)
                fits[k] = bytes_look_up(bytes, u, tile, i + k);
            counter_add(&counter[tile], fits);
        }
    for (int tile = 0; tile < tiles; tile++) {
        if (i < count) {
            vec fits[ADDED] = {0};
            for (size_t k = 0; k < count - i; k++)
                fits[k] = bytes_look_up(bytes, u, tile, i + k);
            counter_add(&counter[tile], fits);
        }
        pairs += counter_total(&counter[tile]);
    }
    return pairs;
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
#ifdef FOUND
    bytes_find_entries(planes, live, u, begin, end, tables);
#endif
    switch (live == 0 ? 1 : (63 - __builtin_clzll(live)) / 8 + 1) { /* bytes in use */
#define CASE(bytes)                                                                            \
    case bytes:                                                                                \
        return TILES == 1 || tables->count <= TILE                                             \
                   ? bytes_count_pairs(bytes, 1, &some, count)                                 \
                   : bytes_count_pairs(bytes, TILES, &some, count);
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
    }
    __builtin_unreachable();
}

#endif
