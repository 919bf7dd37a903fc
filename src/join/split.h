/* Matching, in terms of a vector's operations: a template, included once for each matcher.
 *
 * Let bit b be set in some signatures of list T and of list U. Those of T that have it fit none
 * of U that have it. So T's are set apart: those with the bit are matched with U's without it,
 * those without it with all of U, and so on with another bit, until T's part is small. A part
 * is best cut by the bit that is set in most pairs: these need not be looked at. Which one that
 * is a sample tells.
 *
 * The includer defines, all static:
 *   MATCHER_NAME, MATCHER_SYMBOL, MATCHER_NEEDS   the CPU features
 *   enum { FASTER_FROM, FASTER_FROM_WITHOUT_TABLES }   crossovers, see matcher.h
 *   struct leaf_memory     what match_leaf works in
 *   enum { LEAF }          parts of T up to this size are left to match_leaf
 *   partition(bit, list, count, with)   moves signatures with that bit from the list to `with`,
 *                          in order; returns how many
 *   filter_without(bit, list, count, out)   copies those without; returns how many
 *   sample_bits(list, count, in[64])   for each bit, in how many of 64 of the list's signatures
 *                          it is set, 0..64
 *   match_leaf(t, t_count, u, u_count, memory)   the number of pairs without a common bit, of
 *                          lists of any length
 * All may read and write HALF_SLACK signatures beyond the end of a list.
 */
#include "join/matcher.h"

/* Work between two looks at the heartbeat, in leaves. */
enum { LEAVES_PER_BEAT = 64 };

struct matching {
    struct leaf_memory *memory;
    const struct heartbeat *heartbeat;
    uint64_t pairs, decided;
    unsigned leaves;
    int bits; /* of a signature */
    bool stopped;
};

/* The bit that is set in most pairs; -1: in none, as far as the samples show. */
static int best_bit(const uint8_t *in_t, const uint8_t *in_u, int bits) {
    int best = -1;
    unsigned most = 0;
    for (int bit = 0; bit < bits; bit++) {
        unsigned pairs = (unsigned)in_t[bit] * in_u[bit];
        if (pairs > most) {
            most = pairs;
            best = bit;
        }
    }
    return best;
}

static void leaf(struct matching *matching, const uint64_t *t, size_t t_count,
                 const uint64_t *u, size_t u_count) {
    if (t_count == 0 || u_count == 0)
        return;
    if (t_count <= u_count)
        matching->pairs += match_leaf(t, t_count, u, u_count, matching->memory);
    else
        matching->pairs += match_leaf(u, u_count, t, t_count, matching->memory);
    matching->decided += t_count * u_count;
    if (++matching->leaves % LEAVES_PER_BEAT == 0)
        matching->stopped = !heartbeat_go_on(matching->heartbeat, matching->decided);
}

/* Matches two lists; changes t. room: for signatures. */
static void split(struct matching *matching, uint64_t *t, size_t t_count, const uint64_t *u,
                  size_t u_count, uint64_t *room, size_t room_count) {
    uint8_t in_t[64], in_u[64];
    bool sampled = false;
    while (t_count > LEAF && u_count > LEAF && !matching->stopped) {
        if (room_count < t_count + u_count + 2 * HALF_SLACK)
            break; /* a large leaf is slow, but right */
        if (!sampled)
            sample_bits(u, u_count, in_u);
        sampled = true;
        sample_bits(t, t_count, in_t);
        int bit = best_bit(in_t, in_u, matching->bits);
        if (bit < 0)
            break;
        uint64_t *with = room;
        size_t with_count = partition(bit, t, t_count, with);
        t_count -= with_count;
        if (with_count == 0)
            break; /* cannot be: the sample is of the list */
        uint64_t *without = room + (with_count + HALF_SLACK) / 8 * 8;
        size_t without_count = filter_without(bit, u, u_count, without);
        size_t used = (size_t)(without - room) + (without_count + HALF_SLACK) / 8 * 8;
        matching->decided += with_count * (u_count - without_count);
        split(matching, with, with_count, without, without_count, room + used,
              room_count - used);
    }
    if (!matching->stopped)
        leaf(matching, t, t_count, u, u_count);
}

static bool match(struct half_list *a, struct half_list *b, uint64_t *room, size_t room_count,
                  void *scratch, const struct heartbeat *heartbeat, uint64_t *pairs) {
    struct matching matching = {
        .memory = scratch, .heartbeat = heartbeat, .bits = 2 * NQ_MAX_N};
    /* The longer list is the one that is set apart: so leaves come soonest. */
    struct half_list *t = a->count >= b->count ? a : b, *u = t == a ? b : a;
    split(&matching, t->signature, t->count, u->signature, u->count, room, room_count);
    *pairs += matching.pairs;
    return !matching.stopped;
}

const struct matcher MATCHER_SYMBOL = {.impl = {.name = MATCHER_NAME, .needs = MATCHER_NEEDS},
                                       .faster_from = FASTER_FROM,
                                       .faster_from_without_tables = FASTER_FROM_WITHOUT_TABLES,
                                       .combine_disjoint = combine_disjoint,
                                       .scratch_bytes = sizeof(struct leaf_memory),
                                       .match = match};
