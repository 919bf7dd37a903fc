/* Matching a long list: its first splits in one pass.
 *
 * A long list T does not fit in a core's cache. Each of its first splits would read it from
 * memory and write it back, and many threads together wait for memory. So T is *scattered*
 * chunk by chunk: a chunk goes through all first splits while it is in the cache. The sublists
 * that these splits end in are the *ends*. The bits of the splits are chosen beforehand, by
 * splitting samples of both lists. U is split when the ends are matched. If there is no room
 * for all of T, what has been scattered is matched before more is.
 */
#ifndef JOIN_SCATTER_H
#define JOIN_SCATTER_H

#include "join/split.h"

/* docs/tried.md has the sizes tried. */
enum {
    LONG_T = 8 * SHORT_T, /* lists up to this length are not scattered */
    END_T = 2 * SHORT_T,  /* length of an end, on average, that is aimed at */
    MOST_LEVELS = 6,      /* of splits, one after the other */
    MOST_ENDS = 1 << MOST_LEVELS,
    CHUNK_T = SHORT_T / 8 /* length of a chunk, and of samples */
};
_Static_assert(CHUNK_T % 64 == 0, "lists are split in steps of 64");

/* The first splits are the inner nodes of a binary tree, numbered from the root, 1: of node i,
 * node 2 i + 1 is for the signatures with the bit, node 2 i for the others. */
struct scatter {
    int planes;
    size_t ends;
    size_t each;               /* signatures of T for which one of its sample stands */
    uint8_t bit[MOST_ENDS];    /* [inner node] */
    size_t sampled[MOST_ENDS]; /* [end]: signatures of T's sample that came there */
    size_t room[MOST_ENDS];    /* [end]: in signatures */
    struct list end[MOST_ENDS];
};

static int scatter_levels(size_t t_count) {
    int levels = 1;
    while (levels < MOST_LEVELS && t_count >> levels > END_T)
        levels++;
    return levels;
}

/* Returns the bytes needed beside U and the ends: for samples, later for chunks, later for a
 * list of U at each level and two more. */
static size_t scatter_bytes_beside(int planes, int levels, size_t u_count) {
    const size_t samples = 2 * CHUNK_T * sizeof(uint64_t) +
                           2 * (size_t)(levels + 1) * list_bytes(planes, CHUNK_T),
                 lists = (size_t)(levels + 2) * list_bytes(planes, u_count);
    return samples > lists ? samples : lists;
}

/* Returns whether some of T can be scattered in so many bytes. */
static bool scatter_has_room(int planes, size_t t_count, size_t u_count, size_t bytes) {
    const int levels = scatter_levels(t_count);
    return bytes >= list_bytes(planes, u_count) +
                        scatter_bytes_beside(planes, levels, u_count) +
                        ((size_t)1 << levels) * list_bytes(planes, 2 * CHUNK_T);
}

/* Chooses the bits of a node and of those below it, by splitting samples. Any bit is correct:
 * without samples it is any live one. */
static void scatter_choose(struct matching *matching, struct scatter *scatter, size_t node,
                           struct sublists *sampled, uint8_t *room) {
    const int planes = scatter->planes;
    int bit = -1;
    if (node >= scatter->ends) {
        scatter->sampled[node - scatter->ends] = sampled->t.count;
        return;
    }
    if (sampled->t.count > 0 && sampled->u.count > 0) {
        const size_t t_count = sampled->t.count * scatter->each;
        struct sample of_t, of_u;
        sample_list(planes, &sampled->t, &of_t);
        sample_list(planes, &sampled->u, &of_u);
        bit = best_bit(planes, sampled->live, t_count > LEAF_T ? t_count : LEAF_T + 1, &of_t,
                       &of_u);
    }
    if (bit < 0)
        bit = sampled->live == 0 ? 0 : __builtin_ctzll(sampled->live);
    scatter->bit[node] = (uint8_t)bit;
    struct sublists with = split_by(matching, sampled, bit, room);
    scatter_choose(matching, scatter, 2 * node + 1, &with, list_end(planes, &with.u));
    scatter_choose(matching, scatter, 2 * node, sampled, room);
}

/* Copies signatures at equal distances. */
static struct half_span scatter_sample(struct half_span list, uint64_t *to) {
    const size_t count = list.count < CHUNK_T ? list.count : CHUNK_T;
    for (size_t i = 0; i < count; i++)
        to[i] = list.signature[(2 * i + 1) * list.count / (2 * count)];
    return (struct half_span){to, count};
}

static void scatter_choose_all(struct matching *matching, struct scatter *scatter,
                               const struct format *format, struct half_span t,
                               struct half_span u, uint8_t *room) {
    uint64_t *signature = (uint64_t *)(void *)room;
    const struct half_span some_t = scatter_sample(t, signature),
                           some_u = scatter_sample(u, signature + CHUNK_T);
    struct sublists sampled = {.planes = scatter->planes, .live = format->live};
    room += 2 * CHUNK_T * sizeof *signature;
    sampled.t = split_copy_of(matching, scatter->planes, format, some_t, room);
    sampled.u = split_copy_of(matching, scatter->planes, format, some_u,
                              list_end(scatter->planes, &sampled.t));
    scatter_choose(matching, scatter, 1, &sampled, list_end(scatter->planes, &sampled.u));
}

/* Divides so many bytes: room for two chunks for each end, then for T and a fourth more in
 * proportion to the samples. If that is too much, half of the bytes remain for splitting an
 * end. */
static void scatter_divide_room(struct scatter *scatter, size_t t_count, size_t bytes) {
    const size_t each = list_bytes(scatter->planes, CHUNK_T) / CHUNK_T + 1, /* rounded up */
        least = scatter->ends * list_bytes(scatter->planes, 2 * CHUNK_T),
                 fit = (bytes - least) / each, wanted = t_count + t_count / 4,
                 shared = wanted <= fit / 2 ? wanted : fit / 2;
    size_t sampled = 0;
    for (size_t i = 0; i < scatter->ends; i++)
        sampled += scatter->sampled[i];
    for (size_t i = 0; i < scatter->ends; i++)
        scatter->room[i] =
            2 * CHUNK_T + (sampled == 0 ? 0 : shared * scatter->sampled[i] / sampled);
}

/* Empties the ends. Returns the end of their memory. */
static uint8_t *scatter_empty(struct scatter *scatter, uint8_t *memory) {
    for (size_t i = 0; i < scatter->ends; i++) {
        scatter->end[i] = list_at(scatter->planes, memory, scatter->room[i]);
        memory += list_bytes(scatter->planes, scatter->room[i]);
    }
    return memory;
}

/* Returns whether a chunk has room, wherever its signatures come. */
static bool scatter_goes_on(const struct scatter *scatter) {
    for (size_t i = 0; i < scatter->ends; i++)
        if (scatter->end[i].count + CHUNK_T > scatter->room[i])
            return false;
    return true;
}

/* Scatters a chunk, and overwrites it. */
static void scatter_chunk(struct matching *matching, struct scatter *scatter, size_t node,
                          struct list *chunk, uint8_t *room) {
    const int bit = scatter->bit[node], planes = scatter->planes;
    if (2 * node >= scatter->ends) {
        split_take_with(matching, planes, chunk, bit,
                        &scatter->end[2 * node + 1 - scatter->ends]);
        split_copy_without(matching, planes, chunk, bit,
                           &scatter->end[2 * node - scatter->ends]);
        return;
    }
    struct list with = list_at(planes, room, chunk->count);
    split_take_with(matching, planes, chunk, bit, &with);
    scatter_chunk(matching, scatter, 2 * node + 1, &with, list_end(planes, &with));
    scatter_chunk(matching, scatter, 2 * node, chunk, room);
}

/* Returns how many signatures have been scattered to the ends below a node. */
static size_t scatter_count(const struct scatter *scatter, size_t node) {
    return node >= scatter->ends
               ? scatter->end[node - scatter->ends].count
               : scatter_count(scatter, 2 * node) + scatter_count(scatter, 2 * node + 1);
}

/* Matches the ends below a node with U, and overwrites both. */
static void scatter_match_ends(struct matching *matching, struct scatter *scatter, size_t node,
                               uint64_t live, struct list *u, uint8_t *room, size_t bytes) {
    const int planes = scatter->planes;
    if (matching->stopped || u->count == 0 || scatter_count(scatter, node) == 0)
        return;
    if (node >= scatter->ends) {
        struct sublists lists = {
            .planes = planes, .live = live, .t = scatter->end[node - scatter->ends], .u = *u};
        split_lists(matching, &lists, room, bytes);
        return;
    }
    live &= ~(UINT64_C(1) << scatter->bit[node]);
    struct list without = list_at(planes, room, u->count);
    split_copy_without(matching, planes, u, scatter->bit[node], &without);
    matching->decided += scatter_count(scatter, 2 * node + 1) * (u->count - without.count);
    uint8_t *rest = list_end(planes, &without);
    scatter_match_ends(matching, scatter, 2 * node + 1, live, &without, rest,
                       bytes - (size_t)(rest - room));
    scatter_match_ends(matching, scatter, 2 * node, live, u, room, bytes);
}

/* Matches two lists of which T is long. memory: scatter_has_room. */
static void scatter_match(struct matching *matching, const struct format *format,
                          struct half_span t, struct half_span u, uint8_t *memory,
                          size_t bytes) {
    const int planes = format->planes, levels = scatter_levels(t.count);
    struct scatter scatter = {
        .planes = planes, .ends = (size_t)1 << levels, .each = t.count / CHUNK_T + 1};
    const size_t of_u = list_bytes(planes, u.count),
                 beside = scatter_bytes_beside(planes, levels, u.count);
    scatter_choose_all(matching, &scatter, format, t, u, memory);
    scatter_divide_room(&scatter, t.count, bytes - of_u - beside);
    for (size_t begin = 0; begin < t.count && !matching->stopped;) {
        uint8_t *rest = scatter_empty(&scatter, memory + of_u);
        for (; begin < t.count && scatter_goes_on(&scatter) && !matching->stopped;
             begin += CHUNK_T) {
            struct list chunk = split_copy_of(matching, planes, format,
                                              half_span_from(t, begin, CHUNK_T), rest);
            scatter_chunk(matching, &scatter, 1, &chunk, list_end(planes, &chunk));
        }
        struct list all_u = split_copy_of(matching, planes, format, u, memory);
        scatter_match_ends(matching, &scatter, 1, format->live, &all_u, rest,
                           bytes - (size_t)(rest - memory));
    }
}

#endif
