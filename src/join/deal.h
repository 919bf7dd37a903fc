/* Matching a long list: its first splits in one pass.
 *
 * A long list T does not fit in a core's cache. Each of its first splits would read it from
 * memory and write it back, and many threads together wait for memory. So T is *dealt* chunk by
 * chunk: a chunk goes through all first splits while it is in the cache. The sublists that
 * these splits end in are the *ends*. The bits of the splits are chosen beforehand, by
 * splitting samples of both lists. U is split when the ends are matched. If there is no room
 * for all of T, what has been dealt is matched before more is.
 */
#ifndef JOIN_DEAL_H
#define JOIN_DEAL_H

#include "join/split.h"

/* docs/tried.md has the sizes tried. Tests deal shorter lists: lengths are divided by two to
 * this power. */
#ifndef DEAL_SHORTER
#define DEAL_SHORTER 0
#endif
enum {
    LONG_T = 1 << (19 - DEAL_SHORTER), /* lists up to this length are not dealt */
    END_T = 1 << (18 - DEAL_SHORTER),  /* length of an end, on average, that is aimed at */
    MOST_LEVELS = 6,                   /* of splits, one after the other */
    MOST_ENDS = 1 << MOST_LEVELS,
    CHUNK_T = 1 << (13 - DEAL_SHORTER) /* length of a chunk, and of samples */
};
_Static_assert(CHUNK_T % 64 == 0, "lists are split in steps of 64");

/* The first splits are the inner nodes of a binary tree, numbered from the root, 1: of node i,
 * node 2 i + 1 is for the signatures with the bit, node 2 i for the others. */
struct deal {
    int planes;
    size_t ends;
    size_t each;               /* signatures of T for which one of its sample stands */
    uint8_t bit[MOST_ENDS];    /* [inner node] */
    size_t sampled[MOST_ENDS]; /* [end]: signatures of T's sample that came there */
    size_t room[MOST_ENDS];    /* [end]: in signatures */
    struct list end[MOST_ENDS];
};

static int deal_levels(size_t t_count) {
    int levels = 1;
    while (levels < MOST_LEVELS && t_count >> levels > END_T)
        levels++;
    return levels;
}

/* Returns the bytes needed beside U and the ends: for samples, later for chunks, later for a
 * list of U at each level and two more. */
static size_t deal_bytes_beside(int planes, int levels, size_t u_count) {
    const size_t samples = 2 * CHUNK_T * sizeof(uint64_t) +
                           2 * (size_t)(levels + 1) * list_bytes(planes, CHUNK_T),
                 lists = (size_t)(levels + 2) * list_bytes(planes, u_count);
    return samples > lists ? samples : lists;
}

/* Returns whether some of T can be dealt in so many bytes. */
static bool deal_has_room(int planes, size_t t_count, size_t u_count, size_t bytes) {
    const int levels = deal_levels(t_count);
    return bytes >= list_bytes(planes, u_count) + deal_bytes_beside(planes, levels, u_count) +
                        ((size_t)1 << levels) * list_bytes(planes, 2 * CHUNK_T);
}

/* Chooses the bits of a node and of those below it, by splitting samples. Any bit is correct:
 * without samples it is any live one. */
static void deal_choose(struct matching *matching, struct deal *deal, size_t node,
                        struct sublists *sampled, uint8_t *room) {
    const int planes = deal->planes;
    int bit = -1;
    if (node >= deal->ends) {
        deal->sampled[node - deal->ends] = sampled->t.count;
        return;
    }
    if (sampled->t.count > 0 && sampled->u.count > 0) {
        const size_t t_count = sampled->t.count * deal->each;
        struct sample of_t, of_u;
        sample_list(planes, &sampled->t, &of_t);
        sample_list(planes, &sampled->u, &of_u);
        bit = best_bit(planes, sampled->live, t_count > LEAF_T ? t_count : LEAF_T + 1, &of_t,
                       &of_u);
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
    const size_t count = list.count < CHUNK_T ? list.count : CHUNK_T;
    for (size_t i = 0; i < count; i++)
        to[i] = list.signature[(2 * i + 1) * list.count / (2 * count)];
    return (struct half_span){to, count};
}

static void deal_choose_all(struct matching *matching, struct deal *deal,
                            const struct format *format, struct half_span t, struct half_span u,
                            uint8_t *room) {
    uint64_t *signature = (uint64_t *)(void *)room;
    const struct half_span some_t = deal_sample(t, signature),
                           some_u = deal_sample(u, signature + CHUNK_T);
    struct sublists sampled = {.planes = deal->planes, .live = format->live};
    room += 2 * CHUNK_T * sizeof *signature;
    sampled.t = split_copy_of(matching, deal->planes, format, some_t, room);
    sampled.u = split_copy_of(matching, deal->planes, format, some_u,
                              list_end(deal->planes, &sampled.t));
    deal_choose(matching, deal, 1, &sampled, list_end(deal->planes, &sampled.u));
}

/* Divides so many bytes: room for two chunks for each end, then for T and a fourth more in
 * proportion to the samples. If that is too much, half of the bytes remain for splitting an
 * end. */
static void deal_divide_room(struct deal *deal, size_t t_count, size_t bytes) {
    const size_t each = list_bytes(deal->planes, CHUNK_T) / CHUNK_T + 1, /* rounded up */
        least = deal->ends * list_bytes(deal->planes, 2 * CHUNK_T),
                 fit = (bytes - least) / each, wanted = t_count + t_count / 4,
                 shared = wanted <= fit / 2 ? wanted : fit / 2;
    size_t sampled = 0;
    for (size_t i = 0; i < deal->ends; i++)
        sampled += deal->sampled[i];
    for (size_t i = 0; i < deal->ends; i++)
        deal->room[i] = 2 * CHUNK_T + (sampled == 0 ? 0 : shared * deal->sampled[i] / sampled);
}

/* Empties the ends. Returns the end of their memory. */
static uint8_t *deal_empty(struct deal *deal, uint8_t *memory) {
    for (size_t i = 0; i < deal->ends; i++) {
        deal->end[i] = list_at(deal->planes, memory, deal->room[i]);
        memory += list_bytes(deal->planes, deal->room[i]);
    }
    return memory;
}

/* Returns whether a chunk has room, wherever its signatures come. */
static bool deal_goes_on(const struct deal *deal) {
    for (size_t i = 0; i < deal->ends; i++)
        if (deal->end[i].count + CHUNK_T > deal->room[i])
            return false;
    return true;
}

/* Deals a chunk, and overwrites it. */
static void deal_chunk(struct matching *matching, struct deal *deal, size_t node,
                       struct list *chunk, uint8_t *room) {
    const int bit = deal->bit[node], planes = deal->planes;
    if (2 * node >= deal->ends) {
        split_take_with(matching, planes, chunk, bit, &deal->end[2 * node + 1 - deal->ends]);
        split_copy_without(matching, planes, chunk, bit, &deal->end[2 * node - deal->ends]);
        return;
    }
    struct list with = list_at(planes, room, chunk->count);
    split_take_with(matching, planes, chunk, bit, &with);
    deal_chunk(matching, deal, 2 * node + 1, &with, list_end(planes, &with));
    deal_chunk(matching, deal, 2 * node, chunk, room);
}

/* Returns how many signatures have been dealt to the ends below a node. */
static size_t deal_count(const struct deal *deal, size_t node) {
    return node >= deal->ends ? deal->end[node - deal->ends].count
                              : deal_count(deal, 2 * node) + deal_count(deal, 2 * node + 1);
}

/* Matches the ends below a node with U, and overwrites both. */
static void deal_match_ends(struct matching *matching, struct deal *deal, size_t node,
                            uint64_t live, struct list *u, uint8_t *room, size_t bytes) {
    const int planes = deal->planes;
    if (matching->stopped || u->count == 0 || deal_count(deal, node) == 0)
        return;
    if (node >= deal->ends) {
        struct sublists lists = {
            .planes = planes, .live = live, .t = deal->end[node - deal->ends], .u = *u};
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

/* Matches two lists of which T is long. memory: deal_has_room. */
static void deal_match(struct matching *matching, const struct format *format,
                       struct half_span t, struct half_span u, uint8_t *memory, size_t bytes) {
    const int planes = format->planes, levels = deal_levels(t.count);
    struct deal deal = {
        .planes = planes, .ends = (size_t)1 << levels, .each = t.count / CHUNK_T + 1};
    const size_t of_u = list_bytes(planes, u.count),
                 beside = deal_bytes_beside(planes, levels, u.count);
    deal_choose_all(matching, &deal, format, t, u, memory);
    deal_divide_room(&deal, t.count, bytes - of_u - beside);
    for (size_t begin = 0; begin < t.count && !matching->stopped;) {
        uint8_t *rest = deal_empty(&deal, memory + of_u);
        for (; begin < t.count && deal_goes_on(&deal) && !matching->stopped; begin += CHUNK_T) {
            struct list chunk = split_copy_of(matching, planes, format,
                                              half_span_from(t, begin, CHUNK_T), rest);
            deal_chunk(matching, &deal, 1, &chunk, list_end(planes, &chunk));
        }
        struct list all_u = split_copy_of(matching, planes, format, u, memory);
        deal_match_ends(matching, &deal, 1, format->live, &all_u, rest,
                        bytes - (size_t)(rest - memory));
    }
}

#endif
