/* Lists of signatures as words of 32 bits: a format for the splitter (join/split.h).
 *
 * The kept bits of a signature are packed, in one word if they fit, else in two. The first
 * words of all signatures are a plane, an array of its own, and so are the second ones. So a
 * vector has words of several signatures.
 *
 * The including file defines, for its instruction set:
 *
 *   vec                type: a vector of lanes of 64 bits, with C's operators
 *   lanes_64           type: the same, of uint64_t: shifts are logical
 *   moved              type: the words that are moved at once, one or several
 *   bit_test           type: what lanes_with needs to know of a bit
 *   compression        type: what v_compress needs to know of a set of words
 *
 *   bit_test_of(bit)   returns the test for bit 0..31 of a word
 *   lanes_with(t, v)   returns which words of v have test t's bit: bit i for word i
 *   compression_of(m)  returns the compression for the words m
 *   v_compress(c, v)   moves the words of c to the front, in order; what follows them does not
 *                      matter
 */
#ifndef JOIN_WORDS_H
#define JOIN_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/bits.h"
#include "join/half.h"
#include "join/packing.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    PLANE_BITS = 32,
    MOST_PLANES = 2,
    VECTOR = sizeof(vec) / sizeof(uint32_t), /* words */
    MOVED = sizeof(moved) / sizeof(uint32_t),
    UNROLLED = MOVED == 1 ? 4 : 1, /* rounds of the loops that move words */
#ifdef SORTED /* join/bytes.h; READ: the most words that are read at once */
    READ = SORTED
#else
    READ = VECTOR
#endif
};
_Static_assert((int)NQ_MAX_N <= (int)PLANE_BITS, "two words have all bits");

struct list {
    uint32_t *word[MOST_PLANES]; /* with memory for READ words behind the last one */
    size_t count;                /* of signatures */
};

struct format {
    int planes;
    uint64_t live; /* all kept bits, which are packed */
    struct packing packing;
};

static struct format format_of(uint64_t bits) {
    const int count = __builtin_popcountll(bits);
    return (struct format){.planes = (count + PLANE_BITS - 1) / PLANE_BITS,
                           .live = low_bits_64(count),
                           .packing = packing_of(bits)};
}

/* Returns the number of words that a plane of a list takes. */
static inline size_t words_of_plane(size_t count) {
    return (count / READ + 2) * READ;
}

static inline size_t list_bytes(int planes, size_t count) {
    return (size_t)planes * words_of_plane(count) * sizeof(uint32_t);
}

static inline struct list list_at(int planes, uint8_t *memory, size_t count) {
    uint32_t *first = (uint32_t *)(void *)memory;
    return (struct list){.word = {first, planes == 1 ? first : first + words_of_plane(count)}};
}

static inline uint8_t *list_end(int planes, const struct list *list) {
    return (uint8_t *)(list->word[planes - 1] + words_of_plane(list->count));
}

static inline struct list list_part(int planes, const struct list *list, size_t begin,
                                    size_t end) {
    struct list part = {.count = end - begin};
    for (int p = 0; p < planes; p++)
        part.word[p] = list->word[p] + begin;
    return part;
}

static inline struct list list_copy(int planes, const struct list *list, uint8_t *memory) {
    struct list copy = list_at(planes, memory, list->count);
    for (int p = 0; p < planes; p++)
        memcpy(copy.word[p], list->word[p], list->count * sizeof(uint32_t));
    copy.count = list->count;
    return copy;
}

static inline moved words_load(const uint32_t *from) {
    moved v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Returns which of the words at i are before `end`. */
static inline unsigned words_before(size_t end, size_t i) {
    return MOVED == 1 || end - i >= MOVED ? low_bits(MOVED) : low_bits((int)(end - i));
}

/* Writes the chosen ones of some signatures to a place of a list. Returns their number. */
static ALWAYS_INLINE size_t words_append(int planes, const moved *from, unsigned chosen,
                                         const struct list *to, size_t at) {
    const compression order = compression_of(chosen);
    for (int p = 0; p < planes; p++) {
        const moved v = v_compress(order, from[p]);
        memcpy(to->word[p] + at, &v, sizeof v);
    }
    return MOVED == 1 ? chosen : (size_t)__builtin_popcount(chosen);
}

static ALWAYS_INLINE void words_copy_without(int planes, const struct list *list, size_t begin,
                                             size_t end, int bit, struct list *out) {
    const int tested = bit / PLANE_BITS;
    const bit_test test = bit_test_of(bit % PLANE_BITS);
    const struct list from = *list, to = *out;
    size_t count = to.count;
#pragma GCC unroll UNROLLED
    for (size_t i = begin; i < end; i += MOVED) {
        moved v[MOST_PLANES];
        for (int p = 0; p < planes; p++)
            v[p] = words_load(from.word[p] + i);
        const unsigned all = words_before(end, i),
                       has = lanes_with(test, planes > 1 && tested == 1 ? v[1] : v[0]);
        count += words_append(planes, v, (has & all) ^ all, &to, count);
    }
    out->count = count;
}

static ALWAYS_INLINE void words_take_with(int planes, struct list *list, size_t begin,
                                          size_t end, int bit, struct list *out) {
    const int tested = bit / PLANE_BITS;
    const bit_test test = bit_test_of(bit % PLANE_BITS);
    const struct list from = *list, to = *out;
    size_t rest = from.count, taken = to.count;
#pragma GCC unroll UNROLLED
    for (size_t i = begin; i < end; i += MOVED) {
        moved v[MOST_PLANES];
        for (int p = 0; p < planes; p++)
            v[p] = words_load(from.word[p] + i);
        const unsigned all = words_before(end, i),
                       has = lanes_with(test, planes > 1 && tested == 1 ? v[1] : v[0]) & all;
        taken += words_append(planes, v, has, &to, taken);
        rest += words_append(planes, v, has ^ all, &from, rest);
    }
    list->count = rest;
    out->count = taken;
}

static void list_copy_without(int planes, const struct list *from, size_t begin, size_t end,
                              int bit, struct list *to) {
    if (planes == 1)
        words_copy_without(1, from, begin, end, bit, to);
    else
        words_copy_without(2, from, begin, end, bit, to);
}

static void list_take_with(int planes, struct list *list, size_t begin, size_t end, int bit,
                           struct list *to) {
    if (planes == 1)
        words_take_with(1, list, begin, end, bit, to);
    else
        words_take_with(2, list, begin, end, bit, to);
}

static ALWAYS_INLINE void words_pack(int planes, const struct packing *of, int steps,
                                     const uint64_t *signature, size_t begin, size_t end,
                                     const struct list *to) {
    const struct packing packing = *of;
    uint32_t *low = to->word[0], *high = to->word[1];
    for (size_t i = begin; i < end; i++) {
        const uint64_t bits = packed(signature[i], &packing, steps);
        low[i] = (uint32_t)bits;
        if (planes > 1)
            high[i] = (uint32_t)(bits >> PLANE_BITS);
    }
}

static void list_write(int planes, const struct format *format, const uint64_t *signature,
                       size_t count, size_t begin, size_t end, const struct list *to) {
    (void)count;
    const struct packing *packing = &format->packing;
    if (planes > 1)
        words_pack(2, packing, MOST_STEPS, signature, begin, end, to);
    else if (packing_steps(packing) > USUAL_STEPS)
        words_pack(1, packing, MOST_STEPS, signature, begin, end, to);
    else
        words_pack(1, packing, USUAL_STEPS, signature, begin, end, to);
}

/* The live bits of two planes are packed to one. */
struct moves {
    struct packing packing;
};

static struct moves choose_moves(int planes, uint64_t *live) {
    (void)planes;
    const struct moves moves = {packing_of(*live)};
    *live = low_bits_64(__builtin_popcountll(*live));
    return moves;
}

static void list_drop_plane(int planes, const struct moves *moves, struct list *list,
                            size_t begin, size_t end) {
    (void)planes;
    const struct packing packing = moves->packing;
    for (size_t i = begin; i < end; i++)
        list->word[0][i] = (uint32_t)packed(
            list->word[0][i] | (uint64_t)list->word[1][i] << PLANE_BITS, &packing, MOST_STEPS);
}

static uint64_t list_bits(int planes, const struct list *list) {
    uint64_t bits = 0;
    for (int p = 0; p < planes; p++) {
        uint32_t any = 0;
        for (size_t i = 0; i < list->count; i++)
            any |= list->word[p][i];
        bits |= (uint64_t)any << (PLANE_BITS * p);
    }
    return bits;
}

/* [bit]: of SAMPLE signatures at equal distances, how many have it. */
enum { SAMPLE = 64 };
struct sample {
    _Alignas(32) uint8_t having[PLANE_BITS * MOST_PLANES];
};

/* Bytes for some bits of a word, and which byte and which bit of it each of them is for. */
#define EIGHT(i) i, i, i, i, i, i, i, i
#define BITS     1, 2, 4, 8, 16, 32, 64, 128
#ifdef __AVX2__
typedef uint8_t sample_bytes __attribute__((vector_size(32)));
#define BYTE_OF_EACH EIGHT(0), EIGHT(1), EIGHT(18), EIGHT(19)
#define BIT_OF_EACH  ((sample_bytes){BITS, BITS, BITS, BITS})
#else
typedef uint8_t sample_bytes __attribute__((vector_size(16)));
#define BYTE_OF_EACH EIGHT(0), EIGHT(1)
#define BIT_OF_EACH  ((sample_bytes){BITS, BITS})
#endif

/* Returns 255 for each bit that is not set, from the lowest one on, else 0. */
static inline sample_bytes words_lacking_bits(uint32_t word) {
    typedef uint32_t words __attribute__((vector_size(sizeof(sample_bytes))));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    const sample_bytes every = (sample_bytes)((words){0} + word);
    return (sample_bytes)((__builtin_shufflevector(every, every, BYTE_OF_EACH) & BIT_OF_EACH) ==
                          0);
}

static void sample_list(int planes, const struct list *list, struct sample *sample) {
    for (int p = 0; p < planes; p++) {
        sample_bytes in[PLANE_BITS / sizeof(sample_bytes)];
        for (size_t k = 0; k < PLANE_BITS / sizeof(sample_bytes); k++)
            in[k] = (sample_bytes){0} + SAMPLE;
        for (size_t i = 0; i < SAMPLE; i++) {
            const uint32_t word = list->word[p][(list->count - 1) * i / (SAMPLE - 1)];
            for (size_t k = 0; k < PLANE_BITS / sizeof(sample_bytes); k++)
                in[k] += words_lacking_bits(word >> (8 * k * sizeof(sample_bytes) / 8));
        }
        memcpy(sample->having + PLANE_BITS * p, in, sizeof in);
    }
}
#undef BIT_OF_EACH
#undef BYTE_OF_EACH
#undef BITS
#undef EIGHT

/* Where a bit splits t_count signatures into two sublists that are leaves, one look-up for a
 * signature of U is saved if it has the bit, however many of T have it: such bits count as if
 * all had them. */
static int best_bit(int planes, uint64_t live, size_t t_count, const struct sample *t,
                    const struct sample *u) {
    (void)live; /* a dead bit is in no sample of one of the lists */
    /* Of a sample of t_count <= 2 LEAF_T, `least` to `most` have it; else least > most. */
    const size_t of_leaf = LEAF_T * SAMPLE / t_count;
    const uint8_t most = (uint8_t)of_leaf, least = (uint8_t)(SAMPLE - of_leaf);
    uint32_t best = 0;
    for (int p = 0; p < planes; p++)
        for (uint32_t i = 0; i < PLANE_BITS; i++) {
            const uint32_t bit = (uint32_t)(PLANE_BITS * p) + i;
            const uint8_t in_t = t->having[bit],
                          pays = in_t >= least && in_t <= most ? SAMPLE : in_t;
            const uint32_t pairs = ((uint32_t)pays * u->having[bit]) << 8 | bit;
            best = pairs > best ? pairs : best;
        }
    return best < 256 ? -1 : (int)(best % 256);
}

#endif
