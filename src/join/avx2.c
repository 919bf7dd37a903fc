/* Matcher `avx2`. src/meson.build gives this file its flags.
 *
 * It splits lists as join/split.h does, but keeps no more of a signature than the bits that
 * signatures of both lists have, as words of 32 bits (join/words.h). A split decides a bit for
 * both of its parts. So two words become one after a few splits, where one is not enough from
 * the start.
 */
#include "join/bytes.h"
#include "join/matcher.h"
#include "join/matching.h"
#include "join/words.h"

/* Parts up to these sizes are not split: docs/performance.md has those tried. */
enum { LEAF_T = BLOCK, LEAF_U = 512, FASTER_FROM = 17 };

/* Returns the lanes of 64 bits whose highest bit is set, as pairs of lanes of 32 bits. */
static inline unsigned highest_bits_64(vec v) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

/* [m]: permutes 32-bit lanes so that the 64-bit lanes in m move to the front. */
#define PAIR(lane) 2 * (lane), 2 * (lane) + 1
#define TO_FRONT(a, b, c, d)                                                                   \
    { PAIR(a), PAIR(b), PAIR(c), PAIR(d) }
static const uint32_t to_front[16][8] = {
    TO_FRONT(0, 0, 0, 0), TO_FRONT(0, 0, 0, 0), TO_FRONT(1, 0, 0, 0), TO_FRONT(0, 1, 0, 0),
    TO_FRONT(2, 0, 0, 0), TO_FRONT(0, 2, 0, 0), TO_FRONT(1, 2, 0, 0), TO_FRONT(0, 1, 2, 0),
    TO_FRONT(3, 0, 0, 0), TO_FRONT(0, 3, 0, 0), TO_FRONT(1, 3, 0, 0), TO_FRONT(0, 1, 3, 0),
    TO_FRONT(2, 3, 0, 0), TO_FRONT(0, 2, 3, 0), TO_FRONT(1, 2, 3, 0), TO_FRONT(0, 1, 2, 3),
};

/* Stores the lanes of v in `lanes`, compressed; returns their number. Overwrites to[0..3]. */
static inline size_t store_lanes(uint64_t *to, vec v, unsigned lanes) {
    store(to, _mm256_permutevar8x32_epi32(v, load(to_front[lanes])));
    return (size_t)__builtin_popcount(lanes);
}

/* Returns the lanes of the vector at list[i] that are within the list. */
static inline unsigned lanes_at(size_t i, size_t count) {
    return count - i >= 4 ? 15 : (1u << (count - i)) - 1;
}

static size_t combine_disjoint(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out) {
    const vec zero = _mm256_setzero_si256();
    size_t count = 0;
    for (size_t j = 0; j < b_count; j += 4) {
        vec right = load(b + j);
        unsigned lanes = lanes_at(j, b_count);
        for (size_t i = 0; i < a_count; i++) {
            vec left = _mm256_set1_epi64x((long long)a[i]);
            vec fits = _mm256_cmpeq_epi64(_mm256_and_si256(left, right), zero);
            count += store_lanes(out + count, _mm256_or_si256(left, right),
                                 highest_bits_64(fits) & lanes);
        }
    }
    return count;
}

static size_t halves_holding(const uint64_t *list, size_t count, uint64_t diagonals,
                             uint64_t held, uint64_t *out) {
    const vec looked_at = _mm256_set1_epi64x((long long)diagonals),
              wanted = _mm256_set1_epi64x((long long)held);
    const size_t whole = count / 4 * 4;
    size_t copied = 0;
    for (size_t i = 0; i < whole; i += 4) {
        vec v = load(list + i);
        vec fits = _mm256_cmpeq_epi64(_mm256_and_si256(v, looked_at), wanted);
        copied += store_lanes(out + copied, v, highest_bits_64(fits));
    }
    for (size_t i = whole; i < count; i++) {
        out[copied] = list[i];
        copied += (list[i] & diagonals) == held;
    }
    return copied;
}

/* Parts of both lists, with the same bits. */
struct parts {
    int planes;
    uint64_t live; /* bits that may be in both parts: no signature's others make a difference */
    struct words t, u;
};

/* Where a bit splits t_count signatures into two parts that are blocks, one look-up for a
 * signature of U is saved if it has the bit, however many of T have it: makes `in`, from
 * sample_words, say that all have such bits. */
static void favour_blocks(int planes, size_t t_count, vec *in) {
    /* Of a sample of t_count <= 2 LEAF_T, `least` to `most` have it; else least > most. */
    const size_t of_block = LEAF_T * SAMPLE / t_count;
    const vec most = _mm256_set1_epi8((char)of_block),
              least = _mm256_set1_epi8((char)(SAMPLE - of_block));
    for (int p = 0; p < planes; p++) {
        const vec enough = _mm256_cmpeq_epi8(_mm256_max_epu8(in[p], least), in[p]),
                  few = _mm256_cmpeq_epi8(_mm256_min_epu8(in[p], most), in[p]);
        in[p] =
            _mm256_blendv_epi8(in[p], _mm256_set1_epi8(SAMPLE), _mm256_and_si256(enough, few));
    }
}

/* Returns the bit that both signatures of the most pairs have, or -1 if no pair of the samples
 * has one. in_t, in_u: from sample_words. */
static int best_bit(int planes, const vec *in_t, const vec *in_u) {
    vec best = _mm256_setzero_si256(), number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int p = 0; p < planes; p++)
        for (int i = 0; i < WORD_BITS; i += VECTOR) {
            const vec pairs = _mm256_madd_epi16(bytes_from(in_t[p], i), bytes_from(in_u[p], i));
            best = _mm256_max_epu32(best, _mm256_or_si256(_mm256_slli_epi32(pairs, 8), number));
            number = _mm256_add_epi32(number, _mm256_set1_epi32(VECTOR));
        }
    uint32_t lane[VECTOR], most = 0;
    store(lane, best);
    for (int i = 0; i < VECTOR; i++)
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

/* Returns the n lowest bits, n = 0..63. */
static inline uint64_t lowest(int n) {
    return (UINT64_C(1) << n) - 1;
}

/* Drops a plane if the other one has bits enough. Returns whether it did. */
static bool drop_planes(struct matching *matching, struct parts *parts) {
    const int bits = __builtin_popcountll(parts->live);
    if (parts->planes == 1 || bits > WORD_BITS)
        return false;
    drop_plane_long(matching, &parts->t, parts->live);
    drop_plane_long(matching, &parts->u, parts->live);
    parts->planes = 1;
    parts->live = lowest(bits);
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
    vec in_t[MOST_PLANES], in_u[MOST_PLANES];
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
    struct parts parts = {.planes = live <= WORD_BITS ? 1 : 2, .live = lowest(live)};
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

const struct matcher nqi_matcher_avx2 = {.impl = {"avx2", CPU_FEATURES_COMPILED_FOR},
                                         .faster_from = FASTER_FROM,
                                         .listing = {combine_disjoint, halves_holding},
                                         .scratch_bytes = sizeof(struct leaf_memory),
                                         .match = match};
