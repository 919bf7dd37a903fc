/* Matcher `avx512`: for the AVX-512 of Ice Lake and Zen 4. src/meson.build gives this file its
 * flags.
 *
 * It splits lists as join/split.h does, but keeps them as planes from the start: moving 64
 * signatures takes one vpermb for each plane, and a leaf finds its codes ready. Each split
 * decides a bit for both parts, and when the bits left fit in one plane less, a plane is
 * dropped.
 */
#include "join/matcher.h"
#include "join/matching.h"
#include "join/octets.h"
#include "join/planes.h"

/* Parts up to these sizes are not split: docs/performance.md has those tried. */
enum { LEAF_T = 192, LEAF_U = 512, FASTER_FROM = 16 };

/* Without room for planes, so many signatures of U are matched at once. */
enum { MOST_U = 4096 };

struct leaf_memory {
    struct octets octets;
    uint8_t t[MOST_PLANES * (MOST_T + BLOCK)], u[MOST_PLANES * (MOST_U + BLOCK)];
};

/* Parts of both lists, with the same groups of bits. A bit is dead when one of the parts lacks
 * it everywhere. Then what the other part has there makes no difference. */
struct parts {
    int planes;
    uint64_t live; /* bits that may be in both parts: six for each plane */
    struct planes t, u;
};

static inline unsigned live_in(const struct parts *parts, int plane) {
    return (unsigned)(parts->live >> (PLANE_BITS * plane)) & ALL_OF_PLANE;
}
static inline uint64_t of_plane(unsigned bits, int plane) {
    return (uint64_t)bits << (PLANE_BITS * plane);
}

/* Returns 8 * plane + bit of the live bit that both signatures of the most pairs have, or -1 if
 * no pair of the samples has one. */
static int best_bit(const struct parts *parts, const vec *in_t, const vec *in_u) {
    vec best = _mm512_setzero_si512(), number = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    for (int p = 0; p < parts->planes; p++) {
        const vec pairs = _mm512_maskz_mul_epu32((__mmask8)live_in(parts, p), in_t[p], in_u[p]);
        best = _mm512_max_epu64(best, _mm512_or_si512(_mm512_slli_epi64(pairs, 8), number));
        number = _mm512_add_epi64(number, _mm512_set1_epi64(8));
    }
    const uint64_t most = _mm512_reduce_max_epu64(best);
    return most < 256 ? -1 : (int)(most % 256);
}

/* Chooses the plane with the fewest live bits, and moves these to bits of other planes that are
 * free or dead. */
static struct moves choose_moves(struct parts *parts) {
    const int last = parts->planes - 1;
    struct moves moves = {0};
    for (int p = 1; p <= last; p++)
        if (__builtin_popcount(live_in(parts, p)) <
            __builtin_popcount(live_in(parts, moves.dropped)))
            moves.dropped = p;
    unsigned bits = live_in(parts, moves.dropped);
    uint64_t live = 0;
    for (int p = 0; p < last; p++) {
        unsigned kept = live_in(parts, p == moves.dropped ? last : p),
                 unused = ~kept & ALL_OF_PLANE;
        moves.keep[p] = kept * UINT64_C(0x0101010101010101);
        for (; bits != 0 && unused != 0; bits &= bits - 1, unused &= unused - 1) {
            /* Row 7 - i of a matrix says which bits to add up for bit i. */
            moves.matrix[p] |= (uint64_t)(bits & -bits) << (8 * (7 - __builtin_ctz(unused)));
            kept |= unused & -unused;
        }
        live |= of_plane(kept, p);
    }
    parts->live = live;
    return moves;
}

static void drop_plane_long(struct matching *matching, int planes, const struct moves *moves,
                            struct planes *list) {
    for (size_t i = 0; i < list->count && !matching->stopped; i += MOST_MOVES) {
        size_t end = list->count - i < MOST_MOVES ? list->count : i + MOST_MOVES;
        drop_plane(planes, moves, list, i, end);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

/* Drops planes as long as the others have bits enough. Returns whether it dropped any. */
static bool drop_planes(struct matching *matching, struct parts *parts) {
    const int bits = __builtin_popcountll(parts->live), before = parts->planes;
    for (; parts->planes > 1 && bits <= PLANE_BITS * (parts->planes - 1); parts->planes--) {
        const struct moves moves = choose_moves(parts);
        drop_plane_long(matching, parts->planes, &moves, &parts->t);
        drop_plane_long(matching, parts->planes, &moves, &parts->u);
    }
    return parts->planes < before;
}

/* Counts the pairs of two parts, whatever their lengths. */
static void leaf(struct matching *matching, struct parts *parts) {
    struct octets *octets = &matching->memory->octets;
    if (parts->t.count > parts->u.count) {
        const struct planes t = parts->t;
        parts->t = parts->u;
        parts->u = t;
    }
    uint64_t bits = 0;
    for (int p = 0; p < parts->planes; p++)
        bits |= of_plane(bits_of_plane(parts->planes, &parts->t, p), p);
    parts->live &= bits;
    drop_planes(matching, parts);
    const size_t t_count = parts->t.count, u_count = parts->u.count;
    for (size_t i = 0; i < t_count && !matching->stopped; i += MOST_T) {
        const size_t ts = t_count - i < MOST_T ? t_count - i : MOST_T,
                     most = (PAIRS_PER_BEAT / ts / BLOCK + 1) * BLOCK;
        prepare_octets(parts->planes, &parts->t, i, i + ts, octets);
        for (size_t j = 0; j < u_count && !matching->stopped; j += most) {
            const size_t us = u_count - j < most ? u_count - j : most;
            matching->pairs += match_octets(parts->planes, octets, ts, &parts->u, j, j + us);
            matching->decided += ts * us;
            pass(matching, ts * us + PAIRS_OF_LEAF);
        }
    }
}

/* After a stop the results of this function and the next one are worthless. */
static void copy_without_long(struct matching *matching, int planes, const struct planes *list,
                              int plane, int bit, struct planes *out) {
    for (size_t i = 0; i < list->count && !matching->stopped; i += MOST_MOVES) {
        size_t end = list->count - i < MOST_MOVES ? list->count : i + MOST_MOVES;
        copy_without(planes, list, i, end, plane, bit, out);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

static void take_with_long(struct matching *matching, int planes, struct planes *list,
                           int plane, int bit, struct planes *out) {
    const size_t count = list->count;
    list->count = 0;
    for (size_t i = 0; i < count && !matching->stopped; i += MOST_MOVES) {
        size_t end = count - i < MOST_MOVES ? count : i + MOST_MOVES;
        take_with(planes, list, i, end, plane, bit, out);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

/* Matches two parts, and overwrites them. room: memory for more parts, of so many bytes. */
static void split(struct matching *matching, struct parts *parts, uint8_t *room, size_t bytes) {
    vec in_t[MOST_PLANES], in_u[MOST_PLANES];
    bool sampled = false;
    while (parts->t.count > LEAF_T && parts->u.count > LEAF_U && !matching->stopped) {
        if (drop_planes(matching, parts))
            sampled = false;
        const int planes = parts->planes;
        if (bytes < planes_bytes(planes, parts->t.count) + planes_bytes(planes, parts->u.count))
            break; /* a large leaf is slow, but correct */
        if (!sampled)
            sample_planes(planes, &parts->u, in_u);
        sampled = true;
        sample_planes(planes, &parts->t, in_t);
        const int best = best_bit(parts, in_t, in_u), plane = best / 8, bit = best % 8;
        if (best < 0)
            break;
        parts->live &= ~of_plane(1u << bit, plane);
        struct parts with = *parts;
        with.u = (struct planes){.block = room};
        copy_without_long(matching, planes, &parts->u, plane, bit, &with.u);
        size_t used = planes_bytes(planes, with.u.count);
        with.t = (struct planes){.block = room + used};
        take_with_long(matching, planes, &parts->t, plane, bit, &with.t);
        used += planes_bytes(planes, with.t.count);
        matching->decided += with.t.count * (parts->u.count - with.u.count);
        split(matching, &with, room + used, bytes - used);
    }
    leaf(matching, parts);
}

/* Returns the bits that are set in any signature of a list. After a stop the result is
 * worthless. */
static uint64_t bits_of(struct matching *matching, const uint64_t *list, size_t count) {
    vec bits = _mm512_setzero_si512();
    for (size_t begin = 0; begin < count && !matching->stopped; begin += MOST_MOVES) {
        size_t end = count - begin < MOST_MOVES ? count : begin + MOST_MOVES;
        for (size_t i = begin; i < end; i += 8)
            bits = _mm512_or_si512(bits, _mm512_maskz_loadu_epi64(lanes_at(i, end), list + i));
        pass(matching, end - begin);
    }
    return (uint64_t)_mm512_reduce_or_epi64(bits);
}

static void to_planes_long(struct matching *matching, int planes, const struct half_list *list,
                           const vec *collect, struct planes *out) {
    out->count = list->count;
    for (size_t i = 0; i < out->count && !matching->stopped; i += MOST_MOVES) {
        size_t end = out->count - i < MOST_MOVES ? out->count : i + MOST_MOVES;
        to_planes(planes, list->signature, out->count, collect, i, end, out);
        pass(matching, (end - i) * PAIRS_OF_MOVE);
    }
}

/* For want of room, matches small stretches of the lists. */
static void match_stretches(struct matching *matching, const struct parts *whole,
                            const struct half_list *t, const struct half_list *u,
                            const vec *collect) {
    for (size_t i = 0; i < t->count; i += MOST_T)
        for (size_t j = 0; j < u->count && !matching->stopped; j += MOST_U) {
            const struct half_list some_t = {.signature = t->signature + i,
                                             .count =
                                                 t->count - i < MOST_T ? t->count - i : MOST_T},
                                   some_u = {.signature = u->signature + j,
                                             .count =
                                                 u->count - j < MOST_U ? u->count - j : MOST_U};
            struct parts parts = *whole;
            parts.t.block = matching->memory->t;
            parts.u.block = matching->memory->u;
            to_planes_long(matching, parts.planes, &some_t, collect, &parts.t);
            to_planes_long(matching, parts.planes, &some_u, collect, &parts.u);
            leaf(matching, &parts);
        }
}

static bool match(struct half_list *t, const struct half_list *u, uint64_t *room,
                  size_t room_count, void *scratch, const struct heartbeat *heartbeat,
                  uint64_t *pairs) {
    struct matching matching = {.memory = scratch, .heartbeat = heartbeat};
    struct parts parts = {.t.block = (uint8_t *)room};
    vec collect[MOST_PLANES];
    const uint64_t bits =
        bits_of(&matching, t->signature, t->count) & bits_of(&matching, u->signature, u->count);
    if (matching.stopped)
        return false;
    if (bits == 0) {
        *pairs += t->count * u->count;
        return true;
    }
    parts.planes = choose_planes(bits, collect);
    parts.live = low_bits_64(__builtin_popcountll(bits));
    const size_t of_t = planes_bytes(parts.planes, t->count),
                 used = of_t + planes_bytes(parts.planes, u->count),
                 bytes = room_count * sizeof *room;
    if (bytes >= used) {
        parts.u.block = parts.t.block + of_t;
        to_planes_long(&matching, parts.planes, t, collect, &parts.t);
        to_planes_long(&matching, parts.planes, u, collect, &parts.u);
        split(&matching, &parts, parts.t.block + used, bytes - used);
    } else {
        match_stretches(&matching, &parts, t, u, collect);
    }
    *pairs += matching.pairs;
    return !matching.stopped;
}

const struct matcher nqi_matcher_avx512 = {
    .impl = {.name = "avx512", .needs = CPU_FEATURES_COMPILED_FOR},
    .faster_from = FASTER_FROM,
    .listing = {combine_disjoint, halves_holding, halves_lacking},
    .scratch_bytes = sizeof(struct leaf_memory),
    .match = match};
