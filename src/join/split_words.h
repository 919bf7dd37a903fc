/* Matching two lists as words: a template for matchers of x86.
 *
 * It splits lists as join/split.h does, but keeps no more of a signature than the bits that
 * signatures of both lists have, as words of 32 bits (join/words.h). A split decides a bit for
 * both of its parts. So two words become one after a few splits, where one is not enough from
 * the start. Leaves are looked up in tables by bytes (join/bytes.h).
 *
 * The including file is compiled for AVX2 and BMI2 at least. It defines, for its instruction
 * set:
 *
 *   vec                 type: a vector of 256 bits or more, with C's bitwise operators; + adds
 *                       lanes of 64 bits
 *   bit_test            type: what lanes_with needs to know of a bit
 *   compression         type: what compress needs to know of a set of lanes
 *
 *   load(p)             reads a vector at p, of any alignment
 *   store(p, v)         writes a vector at p, of any alignment
 *   bit_test_of(bit)    returns the test for bit 0..31 of a word
 *   lanes_with(t, v)    returns the lanes of 32 bits that have test t's bit: bit i for lane i
 *   compression_of(m)   returns the compression for lanes m
 *   compress(c, v)      moves the lanes of c to the front, in order; what follows them does not
 *                       matter
 *   low_bytes(v)        returns the bytes of the lower half of v, as words of 16 bits
 *   high_bytes(v)       returns the bytes of the upper half of v, likewise
 *   and_3(a, b, c)      returns a & b & c
 *   carry(d, a, b)      adds a and b to the digit *d, bit by bit, and returns the carries (a
 *                       carry-save adder)
 *   bits_in(v)          returns the number of bits that are set, as a sum of lanes of 64 bits
 *
 *   VECTOR              enumerator: words of 32 bits in a vector
 *   LEAF_U              enumerator: a part of U up to this size is a leaf
 *   FASTER_FROM         enumerator: faster_from of struct matcher (join/matcher.h)
 *   AKIN                enumerator: 1, akin (core/implementation.h); else 0
 *   combine_disjoint, halves_holding, halves_lacking
 *                       see struct listing in join/quarter.h
 *   MATCHER_NAME, MATCHER_SYMBOL
 *                       macros: the matcher's name, and the struct matcher that this template
 *                       defines
 */
#if !defined MATCHER_NAME || !defined MATCHER_SYMBOL
#error "define MATCHER_NAME and MATCHER_SYMBOL before including join/split_words.h"
#endif

#include "join/bytes.h"
#include "join/matcher.h"
#include "join/matching.h"
#include "join/words.h"

enum { LEAF_T = BLOCK }; /* a part of T up to this size is a leaf */

/* Parts of both lists, with the same bits. */
struct parts {
    int planes;
    uint64_t live; /* bits that may be in both parts: no signature's others make a difference */
    struct words t, u;
};

/* Where a bit splits t_count signatures into two parts that are blocks, one look-up for a
 * signature of U is saved if it has the bit, however many of T have it: makes `in`, from
 * sample_words, say that all have such bits. */
static void favour_blocks(int planes, size_t t_count, sample *in) {
    /* Of a sample of t_count <= 2 LEAF_T, `least` to `most` have it; else least > most. */
    const size_t of_block = LEAF_T * SAMPLE / t_count;
    const sample most = _mm256_set1_epi8((char)of_block),
                 least = _mm256_set1_epi8((char)(SAMPLE - of_block));
    for (int p = 0; p < planes; p++) {
        const sample enough = _mm256_cmpeq_epi8(_mm256_max_epu8(in[p], least), in[p]),
                     few = _mm256_cmpeq_epi8(_mm256_min_epu8(in[p], most), in[p]);
        in[p] =
            _mm256_blendv_epi8(in[p], _mm256_set1_epi8(SAMPLE), _mm256_and_si256(enough, few));
    }
}

/* Returns the bit that both signatures of the most pairs have, or -1 if no pair of the samples
 * has one. in_t, in_u: from sample_words. */
static int best_bit(int planes, const sample *in_t, const sample *in_u) {
    sample best = _mm256_setzero_si256(), number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int p = 0; p < planes; p++)
        for (int i = 0; i < WORD_BITS; i += NUMBERS) {
            const sample pairs =
                _mm256_madd_epi16(bytes_from(in_t[p], i), bytes_from(in_u[p], i));
            best = _mm256_max_epu32(best, _mm256_or_si256(_mm256_slli_epi32(pairs, 8), number));
            number = _mm256_add_epi32(number, _mm256_set1_epi32(NUMBERS));
        }
    uint32_t lane[NUMBERS], most = 0;
    _mm256_storeu_si256((sample *)lane, best);
    for (int i = 0; i < NUMBERS; i++)
        most = lane[i] > most ? lane[i] : most;
    return most < 256 ? -1 : (int)(most % 256);
}

static void drop_plane_long(struct matching *matching, const struct words *list,
                            uint64_t bits) {
    for (size_t i = 0; i < list->count && !matching->stopped; i += MOST_MOVES) {
        const size_t end = list->count - i < MOST_MOVES ? list->count : i + MOST_MOVES;
        drop_plane(list, i, end, bits);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

/* Drops a plane if the other one has bits enough. Returns whether it did. */
static bool drop_planes(struct matching *matching, struct parts *parts) {
    const int bits = __builtin_popcountll(parts->live);
    if (parts->planes == 1 || bits > WORD_BITS)
        return false;
    drop_plane_long(matching, &parts->t, parts->live);
    drop_plane_long(matching, &parts->u, parts->live);
    parts->planes = 1;
    parts->live = low_bits_64(bits);
    return true;
}

/* Counts the pairs of two parts, whatever their lengths. */
static void leaf(struct matching *matching, struct parts *parts) {
    if (parts->t.count > parts->u.count) {
        const struct words t = parts->t;
        parts->t = parts->u;
        parts->u = t;
    }
    const uint64_t bits = parts->live & bits_of_words(parts->planes, &parts->t);
    const size_t t_count = parts->t.count, u_count = parts->u.count;
    const int bytes = bits == 0 ? 1 : (63 - __builtin_clzll(bits)) / 8 + 1;
    for (size_t i = 0; i < t_count && !matching->stopped; i += BLOCK) {
        const size_t ts = t_count - i < BLOCK ? t_count - i : BLOCK;
        make_tables((bytes + 3) / 4, &parts->t, i, ts, bits, matching->memory);
        for (size_t j = 0; j < u_count && !matching->stopped; j += MOST_U) {
            const size_t us = u_count - j < MOST_U ? u_count - j : MOST_U;
            find_entries((bytes + 3) / 4, &parts->u, j, us, bits, matching->memory);
            matching->pairs += match_block(bytes, matching->memory, us);
            matching->decided += ts * us;
            pass(matching, ts * us);
        }
        pass(matching, PAIRS_OF_LEAF);
    }
}

/* After a stop the results of this function and the next one are worthless. */
static void copy_without_long(struct matching *matching, int planes, const struct words *list,
                              int bit, struct words *out) {
    for (size_t i = 0; i < list->count && !matching->stopped; i += MOST_MOVES) {
        const size_t end = list->count - i < MOST_MOVES ? list->count : i + MOST_MOVES;
        copy_without(planes, list, i, end, bit, out);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

static void take_with_long(struct matching *matching, int planes, struct words *list, int bit,
                           struct words *out) {
    const size_t count = list->count;
    list->count = 0;
    for (size_t i = 0; i < count && !matching->stopped; i += MOST_MOVES) {
        const size_t end = count - i < MOST_MOVES ? count : i + MOST_MOVES;
        take_with(planes, list, i, end, bit, out);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

/* Matches two parts, and overwrites them. room: memory for so many words of more parts. */
static void split(struct matching *matching, struct parts *parts, uint32_t *room,
                  size_t room_count) {
    sample in_t[MOST_PLANES], in_u[MOST_PLANES];
    bool sampled = false;
    while (parts->t.count > LEAF_T && parts->u.count > LEAF_U && !matching->stopped) {
        if (drop_planes(matching, parts))
            sampled = false;
        const int planes = parts->planes;
        if (room_count <
            (size_t)planes * (words_of_plane(parts->t.count) + words_of_plane(parts->u.count)))
            break; /* a large leaf is slow, but correct */
        if (!sampled)
            sample_words(planes, &parts->u, in_u);
        sampled = true;
        sample_words(planes, &parts->t, in_t);
        favour_blocks(planes, parts->t.count, in_t);
        const int bit = best_bit(planes, in_t, in_u);
        if (bit < 0)
            break;
        parts->live &= ~(UINT64_C(1) << bit);
        struct parts with = *parts;
        with.t = words_at(room, parts->t.count);
        take_with_long(matching, planes, &parts->t, bit, &with.t);
        size_t used = (size_t)planes * words_of_plane(parts->t.count + with.t.count);
        with.u = words_at(room + used, parts->u.count);
        copy_without_long(matching, planes, &parts->u, bit, &with.u);
        used += planes == 1 ? words_of_plane(with.u.count) : 2 * words_of_plane(parts->u.count);
        matching->decided += with.t.count * (parts->u.count - with.u.count);
        split(matching, &with, room + used, room_count - used);
    }
    leaf(matching, parts);
}

/* Returns the bits that are set in any signature of a list. After a stop the result is
 * worthless. */
static uint64_t bits_of(struct matching *matching, const uint64_t *list, size_t count) {
    uint64_t bits = 0;
    for (size_t begin = 0; begin < count && !matching->stopped; begin += MOST_MOVES) {
        const size_t end = count - begin < MOST_MOVES ? count : begin + MOST_MOVES;
        for (size_t i = begin; i < end; i++)
            bits |= list[i];
        pass(matching, end - begin);
    }
    return bits;
}

static struct words pack_long(struct matching *matching, const uint64_t *list, size_t count,
                              uint64_t bits, uint32_t *memory) {
    struct words words = words_at(memory, count);
    words.count = count;
    for (size_t i = 0; i < count && !matching->stopped; i += MOST_MOVES) {
        const size_t end = count - i < MOST_MOVES ? count : i + MOST_MOVES;
        pack(list, i, end, bits, &words);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
    return words;
}

/* For want of room, matches small stretches of the lists. */
static void match_stretches(struct matching *matching, const struct parts *whole,
                            const struct half_list *t, const struct half_list *u,
                            uint64_t bits) {
    struct leaf_memory *memory = matching->memory;
    for (size_t i = 0; i < t->count; i += BLOCK)
        for (size_t j = 0; j < u->count && !matching->stopped; j += MOST_U) {
            struct parts parts = *whole;
            parts.t = pack_long(matching, t->signature + i,
                                t->count - i < BLOCK ? t->count - i : BLOCK, bits, memory->t);
            parts.u = pack_long(matching, u->signature + j,
                                u->count - j < MOST_U ? u->count - j : MOST_U, bits, memory->u);
            leaf(matching, &parts);
        }
}

static bool match(struct half_list *t, const struct half_list *u, uint64_t *room,
                  size_t room_count, void *scratch, const struct heartbeat *heartbeat,
                  uint64_t *pairs) {
    struct matching matching = {.memory = scratch, .heartbeat = heartbeat};
    const uint64_t bits =
        bits_of(&matching, t->signature, t->count) & bits_of(&matching, u->signature, u->count);
    if (matching.stopped)
        return false;
    const int live = __builtin_popcountll(bits);
    struct parts parts = {.planes = live <= WORD_BITS ? 1 : 2, .live = low_bits_64(live)};
    const size_t planes = (size_t)parts.planes, of_t = planes * words_of_plane(t->count),
                 used = of_t + planes * words_of_plane(u->count),
                 words = room_count * (sizeof *room / sizeof(uint32_t));
    if (words >= used) {
        uint32_t *memory = (uint32_t *)room;
        parts.t = pack_long(&matching, t->signature, t->count, bits, memory);
        parts.u = pack_long(&matching, u->signature, u->count, bits, memory + of_t);
        split(&matching, &parts, memory + used, words - used);
    } else {
        match_stretches(&matching, &parts, t, u, bits);
    }
    *pairs += matching.pairs;
    return !matching.stopped;
}

const struct matcher MATCHER_SYMBOL = {
    .impl = {.name = MATCHER_NAME, .needs = CPU_FEATURES_COMPILED_FOR, .akin = AKIN},
    .faster_from = FASTER_FROM,
    .listing = {combine_disjoint, halves_holding, halves_lacking},
    .scratch_bytes = sizeof(struct leaf_memory),
    .match = match};
