/* Matching two lists: a template for matchers that keep signatures in words of 64 bits.
 *
 * Let a bit be set in some signatures of list T and of list U. A signature of T with this bit
 * fits none of U with it. So T is split: its signatures with the bit are matched with those of
 * U without it, its signatures without the bit with all of U. Each part of T is split again, by
 * a bit of its own, until it is small enough for a leaf. The best bit is the one that both
 * signatures of the most pairs have, since these pairs are never looked at; it is taken from a
 * sample of both lists.
 *
 * The including file defines:
 *
 *   struct leaf_memory
 *       the memory that match_leaf works in
 *   LEAF
 *       enumerator: a part of T up to this size is a leaf
 *   FASTER_FROM
 *       enumerator: faster_from of struct matcher (join/matcher.h)
 *   size_t partition(int bit, uint64_t *list, size_t count, uint64_t *with)
 *       moves the signatures with that bit from the list to `with`, in order; returns how many
 *   void sample_bits(const uint64_t *list, size_t count, uint8_t in[64])
 *       takes a sample of 64 of the list, and sets in[bit] to how many of it have that bit
 *   uint64_t match_leaf(const uint64_t *t, size_t t_count, const uint64_t *u, size_t u_count,
 *                       struct leaf_memory *memory)
 *       returns the number of pairs without a common bit, for lists of any length
 *   combine_disjoint, halves_holding, halves_lacking
 *       see struct listing in join/quarter.h
 *   MATCHER_NAME, MATCHER_SYMBOL
 *       macros: the matcher's name, and the struct matcher that this template defines
 *
 * All functions may read and write up to HALF_SLACK signatures beyond the end of a list, except
 * that U, which may be a part of a longer list, is only read.
 */
#if !defined MATCHER_NAME || !defined MATCHER_SYMBOL
#error "define MATCHER_NAME and MATCHER_SYMBOL before including join/split.h"
#endif

#include "join/matcher.h"
#include "join/matching.h"

#include <string.h>

/* Returns the bit that both signatures of the most pairs have, or -1 if no pair of the samples
 * has one. in_t, in_u: from sample_bits. */
static int best_bit(const uint8_t *in_t, const uint8_t *in_u) {
    int best = -1;
    unsigned most = 0;
    for (int bit = 0; bit < 2 * NQ_MAX_N; bit++) {
        unsigned pairs = (unsigned)in_t[bit] * in_u[bit];
        if (pairs > most) {
            most = pairs;
            best = bit;
        }
    }
    return best;
}

/* The shorter list is no longer than LEAF, unless there was no room; the other one may have
 * millions of signatures. t_count <= u_count. */
static void leaf(struct matching *matching, const uint64_t *t, size_t t_count,
                 const uint64_t *u, size_t u_count) {
    if (t_count == 0)
        return;
    const size_t part = PAIRS_PER_BEAT / t_count + 1;
    for (size_t begin = 0; begin < u_count && !matching->stopped; begin += part) {
        size_t count = u_count - begin < part ? u_count - begin : part;
        matching->pairs += match_leaf(t, t_count, u + begin, count, matching->memory);
        matching->decided += t_count * count;
        pass(matching, t_count * count + PAIRS_OF_LEAF);
    }
}

/* Copies the signatures without that bit, in order; returns how many. After a stop the result
 * is worthless. */
static size_t filter_long(struct matching *matching, int bit, const uint64_t *list,
                          size_t count, uint64_t *out) {
    size_t copied = 0;
    for (size_t begin = 0; begin < count && !matching->stopped; begin += MOST_MOVES) {
        size_t part = count - begin < MOST_MOVES ? count - begin : MOST_MOVES;
        copied += halves_holding(list + begin, part, UINT64_C(1) << bit, 0, out + copied);
        pass(matching, part * PAIRS_OF_MOVE);
    }
    return copied;
}

/* As partition. After a stop the result is worthless. A part's slack is the next part. */
static size_t partition_long(struct matching *matching, int bit, uint64_t *list, size_t count,
                             uint64_t *with) {
    size_t taken = 0, left = 0;
    if (count <= MOST_MOVES) {
        pass(matching, count * PAIRS_OF_MOVE);
        return partition(bit, list, count, with);
    }
    for (size_t begin = 0; begin < count && !matching->stopped; begin += MOST_MOVES) {
        size_t part = count - begin < MOST_MOVES ? count - begin : MOST_MOVES;
        uint64_t *end = list + begin + part, next[HALF_SLACK];
        memcpy(next, end, sizeof next);
        size_t has = partition(bit, list + begin, part, with + taken);
        if (begin > 0) /* else the rest is where it belongs */
            memmove(list + left, list + begin, (part - has) * sizeof *list);
        memcpy(end, next, sizeof next);
        taken += has;
        left += part - has;
        pass(matching, part * PAIRS_OF_MOVE);
    }
    return taken;
}

/* Matches two lists; partitions t. room: memory for the parts, of room_count signatures. */
static void split(struct matching *matching, uint64_t *t, size_t t_count, const uint64_t *u,
                  size_t u_count, uint64_t *room, size_t room_count) {
    uint8_t in_t[64], in_u[64];
    bool sampled = false;
    while (t_count > LEAF && u_count > LEAF && !matching->stopped) {
        if (room_count < t_count + u_count + 2 * HALF_SLACK)
            break; /* a large leaf is slow, but correct */
        if (!sampled)
            sample_bits(u, u_count, in_u);
        sampled = true;
        sample_bits(t, t_count, in_t);
        int bit = best_bit(in_t, in_u);
        if (bit < 0)
            break;
        uint64_t *with = room;
        size_t with_count = partition_long(matching, bit, t, t_count, with);
        t_count -= with_count;
        if (with_count == 0 || matching->stopped)
            break; /* without a stop, it cannot happen: the sample has the bit */
        uint64_t *without = room + (with_count + HALF_SLACK) / 8 * 8;
        size_t without_count = filter_long(matching, bit, u, u_count, without);
        size_t used = (size_t)(without - room) + (without_count + HALF_SLACK) / 8 * 8;
        matching->decided += with_count * (u_count - without_count);
        split(matching, with, with_count, without, without_count, room + used,
              room_count - used);
    }
    if (t_count <= u_count)
        leaf(matching, t, t_count, u, u_count);
    else
        leaf(matching, u, u_count, t, t_count);
}

static bool match(struct half_list *t, const struct half_list *u, uint64_t *room,
                  size_t room_count, void *scratch, const struct heartbeat *heartbeat,
                  uint64_t *pairs) {
    struct matching matching = {.memory = scratch, .heartbeat = heartbeat};
    split(&matching, t->signature, t->count, u->signature, u->count, room, room_count);
    *pairs += matching.pairs;
    return !matching.stopped;
}

const struct matcher MATCHER_SYMBOL = {
    .impl = {.name = MATCHER_NAME, .needs = CPU_FEATURES_COMPILED_FOR},
    .faster_from = FASTER_FROM,
    .listing = {combine_disjoint, halves_holding, halves_lacking},
    .scratch_bytes = sizeof(struct leaf_memory),
    .match = match};
