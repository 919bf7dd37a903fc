/* Matching a long list: its first splits in one pass.
 *
 * A long list T does not fit in a core's cache: bit by bit, each of its first splits would read
 * and write all of it, and many threads want more than memory gives. So T is *dealt* to the
 * sublists at the end of the first splits: a chunk after the other, which stays in the cache.
 * The bits of these splits are chosen beforehand, by splitting samples of both lists. U is
 * split when the sublists of T are matched. If there is no room for all of T, what has been
 * dealt is matched before more is.
 */
#ifndef JOIN_DEAL_H
#define JOIN_DEAL_H

#include "join/split.h"

/* docs/tried.md has the sizes tried. Tests deal shorter lists: all sizes are divided by two to
 * this power. */
#ifndef DEAL_SHORTER
#define DEAL_SHORTER 0
#endif
enum {
    LARGE_T = 1 << (19 - DEAL_SHORTER), /* longer lists are dealt, */
    END_T = 1 << (18 - DEAL_SHORTER),   /* to sublists of this length, */
    MOST_LEVELS = 6,                    /* by so many splits one after the other */
    MOST_ENDS = 1 << MOST_LEVELS,
    DEALT = 1 << (13 - DEAL_SHORTER),  /* signatures of a chunk, a multiple of 64 */
    SAMPLED = 1 << (13 - DEAL_SHORTER) /* of each list */
};

/* The first splits are the inner nodes of a binary tree, numbered from the root, 1: of node i,
 * node 2 i + 1 is for the signatures with the bit, node 2 i for the others. */
struct deal {
    int planes, levels;
    size_t each;            /* signatures of T for which one of the sample stands */
    uint8_t bit[MOST_ENDS]; /* [inner node] */
    struct list end[MOST_ENDS];
    size_t room[MOST_ENDS]; /* of an end, in signatures; first, the sample's that come there */
};

static inline size_t deal_ends(const struct deal *deal) {
    return (size_t)1 << deal->levels;
}

static int deal_levels(size_t t_count) {
    int levels = 1;
    while (levels < MOST_LEVELS && t_count >> levels > END_T)
        levels++;
    return levels;
}

/* Returns the bytes for chunks on their way, and for a list of U at each level and two more. */
static size_t deal_bytes_beside(int planes, int levels, size_t u_count) {
    const size_t some = 2 * (size_t)(levels + 1) *
                            list_bytes(planes, DEALT > SAMPLED ? DEALT : SAMPLED) +
                        2 * SAMPLED * sizeof(uint64_t),
                 lists = (size_t)(levels + 2) * list_bytes(planes, u_count);
    return some > lists ? some : lists;
}

/* Returns whether some of T can be dealt in so many bytes. */
static bool deal_has_room(int planes, struct half_span t, struct half_span u, size_t bytes) {
    const int levels = deal_levels(t.count);
    return bytes >= list_bytes(planes, u.count) + deal_bytes_beside(planes, levels, u.count) +
                        ((size_t)1 << levels) * list_bytes(planes, 2 * DEALT);
}

/* Splits samples by the best bits from a node on, which need not be good ones. */
static void deal_choose(struct matching *matching, struct deal *deal, size_t node,
                        struct sublists *sampled, uint8_t *room) {
    if (node >= deal_ends(deal)) {
        deal->room[node - deal_ends(deal)] = sampled->t.count;
        return;
    }
    const int planes = deal->planes;
    int bit = -1;
    if (sampled->t.count > 0 && sampled->u.count > 0) {
        struct sample of_t, of_u;
        sample_list(planes, &sampled->t, &of_t);
        sample_list(planes, &sampled->u, &of_u);
        bit = best_bit(planes, sampled->live, sampled->t.count * deal->each, &of_t, &of_u);
    }
    if (bit < 0)
        bit = sampled->live == 0 ? 0 : __builtin_ctzll(sampled->live);
    deal->bit[node] = (uint8_t)bit;
    sampled->live &= ~(UINT64_C(1) << bit);
    struct sublists with = {.planes = planes, .live = sampled->live};
    with.t = list_at(planes, room, sampled->t.count);
    split_take_with(matching, planes, &sampled->t, bit, &with.t);
    with.u = list_at(planes, list_end(planes, &with.t), sampled->u.count);
    split_copy_without(matching, planes, &sampled->u, bit, &with.u);
    deal_choose(matching, deal, 2 * node + 1, &with, list_end(planes, &with.u));
    deal_choose(matching, deal, 2 * node, sampled, room);
}

/* Copies signatures at equal distances. */
static struct half_span deal_sample(struct half_span list, uint64_t *to) {
    const size_t count = list.count < SAMPLED ? list.count : SAMPLED;
    for (size_t i = 0; i < count; i++)
        to[i] = list.signature[(2 * i + 1) * list.count / (2 * count)];
    return (struct half_span){to, count};
}

/* Chooses the bits. */
static void deal_plan(struct matching *matching, struct deal *deal, uint64_t live,
                      const struct format *format, struct half_span t, struct half_span u,
                      uint8_t *room) {
    uint64_t *signature = (uint64_t *)(void *)room;
    const struct half_span some_t = deal_sample(t, signature),
                           some_u = deal_sample(u, signature + SAMPLED);
    struct sublists sampled = {.planes = deal->planes, .live = live};
    room += 2 * SAMPLED * sizeof *signature;
    sampled.t = split_copy_of(matching, deal->planes, format, some_t, room);
    sampled.u = split_copy_of(matching, deal->planes, format, some_u,
                              list_end(deal->planes, &sampled.t));
    deal_choose(matching, deal, 1, &sampled, list_end(deal->planes, &sampled.u));
}

/* Gives each end room in proportion to its share of the sample, and a fourth more. */
static void deal_divide_room(struct deal *deal, size_t t_count, size_t bytes) {
    const size_t ends = deal_ends(deal);
    size_t sampled = 0;
    for (size_t i = 0; i < ends; i++)
        sampled += deal->room[i];
    const size_t least = list_bytes(deal->planes, 2 * DEALT),
                 all = list_bytes(deal->planes, t_count), wanted = all + all / 4,
                 left = bytes - ends * least, shared = wanted < left ? wanted : left;
    const size_t bytes_of_one = list_bytes(deal->planes, 64 * DEALT) / (64 * DEALT) + 1;
    for (size_t i = 0; i < ends; i++)
        deal->room[i] =
            2 * DEALT + (sampled == 0 ? 0 : shared / bytes_of_one * deal->room[i] / sampled);
}

/* Empties the ends. Returns the end of their memory. */
static uint8_t *deal_empty(struct deal *deal, uint8_t *memory) {
    for (size_t i = 0; i < deal_ends(deal); i++) {
        deal->end[i] = list_at(deal->planes, memory, deal->room[i]);
        memory += list_bytes(deal->planes, deal->room[i]);
    }
    return memory;
}

static bool deal_goes_on(const struct deal *deal) {
    for (size_t i = 0; i < deal_ends(deal); i++)
        if (deal->end[i].count + DEALT > deal->room[i])
            return false;
    return true;
}

/* Deals a chunk, and overwrites it. */
static void deal_chunk(struct matching *matching, struct deal *deal, size_t node,
                       struct list *some, uint8_t *room) {
    const int bit = deal->bit[node], planes = deal->planes;
    const size_t ends = deal_ends(deal);
    if (2 * node >= ends) {
        split_take_with(matching, planes, some, bit, &deal->end[2 * node + 1 - ends]);
        split_copy_without(matching, planes, some, bit, &deal->end[2 * node - ends]);
        return;
    }
    struct list with = list_at(planes, room, some->count);
    split_take_with(matching, planes, some, bit, &with);
    deal_chunk(matching, deal, 2 * node + 1, &with, list_end(planes, &with));
    deal_chunk(matching, deal, 2 * node, some, room);
}

/* Returns how many signatures have been dealt to the ends below a node. */
static size_t deal_count(const struct deal *deal, size_t node) {
    return node >= deal_ends(deal)
               ? deal->end[node - deal_ends(deal)].count
               : deal_count(deal, 2 * node) + deal_count(deal, 2 * node + 1);
}

/* Matches the ends below a node with U, and overwrites both. */
static void deal_match_ends(struct matching *matching, struct deal *deal, size_t node,
                            uint64_t live, struct list *u, uint8_t *room, size_t bytes) {
    const int planes = deal->planes;
    if (matching->stopped || u->count == 0 || deal_count(deal, node) == 0)
        return;
    if (node >= deal_ends(deal)) {
        struct sublists lists = {
            .planes = planes, .live = live, .t = deal->end[node - deal_ends(deal)], .u = *u};
        split_lists(matching, &lists, room, bytes);
        return;
    }
    live &= ~(UINT64_C(1) << deal->bit[node]);
    struct list without = list_at(planes, room, u->count);
    split_copy_without(matching, planes, u, deal->bit[node], &without);
    matching->decided += deal_count(deal, 2 * node + 1) * (u->count - without.count);
    uint8_t *rest = list_end(planes, &without);
    deal_match_ends(matching, deal, 2 * node + 1, live, &without, rest,
                    bytes - (size_t)(rest - room));
    deal_match_ends(matching, deal, 2 * node, live, u, room, bytes);
}

/* Matches two lists of which T is long. lists: their format alone. */
static void deal_match(struct matching *matching, const struct sublists *lists,
                       const struct format *format, struct half_span t, struct half_span u,
                       uint8_t *memory, size_t bytes) {
    const int planes = lists->planes, levels = deal_levels(t.count);
    struct deal deal = {.planes = planes, .levels = levels, .each = t.count / SAMPLED + 1};
    const size_t of_u = list_bytes(planes, u.count),
                 beside = deal_bytes_beside(planes, levels, u.count);
    deal_plan(matching, &deal, lists->live, format, t, u, memory);
    deal_divide_room(&deal, t.count, bytes - of_u - beside);
    for (size_t begin = 0; begin < t.count && !matching->stopped;) {
        uint8_t *rest = deal_empty(&deal, memory + of_u);
        while (begin < t.count && deal_goes_on(&deal) && !matching->stopped) {
            struct list some =
                split_copy_of(matching, planes, format, half_span_from(t, begin, DEALT), rest);
            deal_chunk(matching, &deal, 1, &some, list_end(planes, &some));
            begin += DEALT;
        }
        struct list all_u = split_copy_of(matching, planes, format, u, memory);
        deal_match_ends(matching, &deal, 1, lists->live, &all_u, rest,
                        bytes - (size_t)(rest - memory));
    }
}

#endif
