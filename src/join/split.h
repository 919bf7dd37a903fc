/* Matching two lists: the splitter, a template for all matchers (join/match.h).
 *
 * Let a bit be set in some signatures of list T and of list U. A signature of T with this bit
 * fits none of U with it. So T is split: its signatures with the bit are matched with those of
 * U without it, its signatures without the bit with all of U. Each sublist of T is split again,
 * by a bit of its own, until it is small enough for a leaf. The best bit is the one that both
 * signatures of the most pairs have, since these pairs are never looked at; it is taken from
 * samples of both lists.
 *
 * Lists are copied first, into a format that keeps the bits that signatures of U have.
 * PLANE_BITS of them, of all signatures of a list side by side, are a *plane*. A split decides
 * its bit for both of its sublists. When the bits that remain fit in one plane less, a plane is
 * dropped. A function over planes is compiled for each number of them.
 *
 * A long list U does not fit in a core's cache: each split of a short T would read it from
 * memory. So U is then matched piece by piece, and a copy of T is split for each of them.
 *
 * The including file has included a format (join/words.h or join/codes.h) and leaves for it
 * (join/bytes.h or join/octets.h). The format defines:
 *
 *   PLANE_BITS, MOST_PLANES  enumerators: bits of a plane; planes of all bits of signatures
 *   struct list              a list, with `count` of signatures
 *   struct format            how to take the bits that are kept from a signature: the number
 *                            of planes, the bits of a list that are live, and more
 *   struct moves             how to do without a plane
 *   struct sample            how many signatures of a sample have each bit
 *
 *   format_of(bits)                          returns the format that keeps these bits
 *   list_bytes(planes, count)                returns the memory that a list takes, in bytes
 *   list_at(planes, memory, count)           returns an empty list with room for `count`
 *   list_end(planes, list)                   returns the end of a full list's memory
 *   list_part(planes, list, begin, end)      returns signatures begin to end - 1, in place
 *   list_copy(planes, list, memory)          returns a copy
 *   list_write(planes, format, from, count, begin, end, to)
 *                                            writes signatures begin to end - 1 of `count`
 *   list_copy_without(planes, from, begin, end, bit, to)
 *                                            appends those of begin to end - 1 that lack it
 *   list_take_with(planes, list, begin, end, bit, to)
 *                                            the same for those that have it; appends the
 *                                            others to the list itself, which ends at `begin`
 *                                            or before
 *   choose_moves(planes, live)               chooses a plane to drop, and where its bits go;
 *                                            updates the live bits
 *   list_drop_plane(planes, moves, list, begin, end)
 *                                            drops it from signatures begin to end - 1
 *   list_bits(planes, list)                  returns the bits that any signature has
 *   sample_list(planes, list, sample)        takes a sample
 *   best_bit(planes, live, t_count, t, u)    returns the best bit by two samples; -1: none
 *
 * The leaves define:
 *
 *   struct tables                            memory for tables
 *   MOST_T, MOST_U                           enumerators: signatures handled at once
 *   tables_make(planes, live, t, begin, end, tables)
 *                                            makes the tables of signatures of T
 *   tables_match(planes, live, tables, u, begin, end)
 *                                            returns how many pairs of these and of signatures
 *                                            of U have no bit in common
 *
 * The including file itself defines:
 *
 *   LEAF_T, LEAF_U           enumerators: sublists of T, U up to these sizes are not split
 *
 * Chunks begin at multiples of 64. Functions may read up to HALF_SLACK signatures beyond the
 * end of a list.
 */
#ifndef JOIN_SPLIT_H
#define JOIN_SPLIT_H

#include "core/bits.h"
#include "join/matcher.h"

/* Time is measured in pairs that a leaf looks at; the slowest matcher decides more than a
 * hundred million a second. PAIRS_PER_BEAT pass between two heartbeats. A leaf takes less time
 * to prepare than PAIRS_OF_LEAF, a signature less to move than PAIRS_OF_MOVE. */
enum { PAIRS_PER_BEAT = 1 << 22, PAIRS_OF_LEAF = 1 << 12, PAIRS_OF_MOVE = 1 << 5 };
enum { MOST_MOVES = PAIRS_PER_BEAT / PAIRS_OF_MOVE };

/* Lengths of lists that stay in a core's cache together; docs/tried.md has the sizes tried.
 * Tests divide lengths by two to the power SHORTER. */
#ifndef SHORTER
#define SHORTER 0
#endif
enum {
    SHORT_T = 1 << (16 - SHORTER),
    PIECE_U = 1 << (17 - SHORTER), /* U is matched in such pieces with a T up to SHORT_T */
    SHORT_U = 1 << (12 - SHORTER)  /* T is matched in pieces of SHORT_T with a U up to this */
};
/* Without room for copies, pieces of U are of this length, those of T of MOST_T. */
enum { LEAST_U = 1024 };

struct scratch {
    struct tables tables;
    /* Of pieces of T and U. A signature takes at most 10 bytes. */
    _Alignas(64) uint8_t copies[12 * (MOST_T + LEAST_U + 256)];
};

/* A match under way: what it has found, and when its heartbeat is due. After a stop nothing
 * that is computed has a meaning. */
struct matching {
    struct scratch *scratch;
    const struct heartbeat *heartbeat;
    uint64_t pairs;   /* that have no bit in common */
    uint64_t decided; /* pairs looked at or excluded */
    uint64_t unheard; /* time since the last heartbeat */
    bool stopped;
};

static inline void split_time_passes(struct matching *matching, uint64_t time) {
    matching->unheard += time;
    if (matching->unheard < PAIRS_PER_BEAT || matching->stopped)
        return;
    matching->unheard = 0;
    matching->stopped = !heartbeat_go_on(matching->heartbeat, matching->decided);
}

/* Sublists of both lists, with the same bits. A bit is dead when one of the sublists lacks it
 * everywhere. Then what the other sublist has there makes no difference. */
struct sublists {
    int planes;
    uint64_t live; /* bits that may be in both */
    struct list t, u;
};

/* Work on lists is done in chunks. Returns the end of the one that begins at `begin`, for
 * which time passes; `begin`: there is no more, or the match is stopped. */
static inline size_t split_chunk_end(struct matching *matching, size_t begin, size_t count) {
    if (begin == count || matching->stopped)
        return begin;
    const size_t end = count - begin < MOST_MOVES ? count : begin + MOST_MOVES;
    split_time_passes(matching, (end - begin) * PAIRS_OF_MOVE);
    return end;
}

static void split_drop_plane(struct matching *matching, int planes, const struct moves *moves,
                             struct list *list) {
    for (size_t begin = 0, end; (end = split_chunk_end(matching, begin, list->count)) > begin;
         begin = end)
        list_drop_plane(planes, moves, list, begin, end);
}

/* Drops planes as long as the others have bits enough. Returns whether it dropped any. */
static bool split_drop_planes(struct matching *matching, struct sublists *lists) {
    const int bits = __builtin_popcountll(lists->live), before = lists->planes;
    for (; lists->planes > 1 && bits <= PLANE_BITS * (lists->planes - 1); lists->planes--) {
        const struct moves moves = choose_moves(lists->planes, &lists->live);
        split_drop_plane(matching, lists->planes, &moves, &lists->t);
        split_drop_plane(matching, lists->planes, &moves, &lists->u);
    }
    return lists->planes < before;
}

/* Counts the pairs of two sublists, whatever their lengths. */
static void split_leaf(struct matching *matching, struct sublists *lists) {
    struct tables *tables = &matching->scratch->tables;
    if (lists->t.count > lists->u.count) {
        const struct list t = lists->t;
        lists->t = lists->u;
        lists->u = t;
    }
    lists->live &= list_bits(lists->planes, &lists->t);
    split_drop_planes(matching, lists);
    const size_t t_count = lists->t.count, u_count = lists->u.count;
    for (size_t i = 0; i < t_count && !matching->stopped; i += MOST_T) {
        const size_t ts = t_count - i < MOST_T ? t_count - i : MOST_T,
                     of_beat = (PAIRS_PER_BEAT / ts / 64 + 1) * 64,
                     most = of_beat < MOST_U ? of_beat : MOST_U;
        tables_make(lists->planes, lists->live, &lists->t, i, i + ts, tables);
        for (size_t j = 0; j < u_count && !matching->stopped; j += most) {
            const size_t us = u_count - j < most ? u_count - j : most;
            matching->pairs +=
                tables_match(lists->planes, lists->live, tables, &lists->u, j, j + us);
            matching->decided += ts * us;
            split_time_passes(matching, ts * us);
        }
        split_time_passes(matching, PAIRS_OF_LEAF);
    }
}

static void split_copy_without(struct matching *matching, int planes, const struct list *from,
                               int bit, struct list *to) {
    for (size_t begin = 0, end; (end = split_chunk_end(matching, begin, from->count)) > begin;
         begin = end)
        list_copy_without(planes, from, begin, end, bit, to);
}

static void split_take_with(struct matching *matching, int planes, struct list *list, int bit,
                            struct list *to) {
    const size_t count = list->count;
    list->count = 0;
    for (size_t begin = 0, end; (end = split_chunk_end(matching, begin, count)) > begin;
         begin = end)
        list_take_with(planes, list, begin, end, bit, to);
}

/* Splits by a bit. Returns the sublists of the signatures of T with it and of U
 * without it, which are written to `room`; the others of T and all of U remain. */
static struct sublists split_by(struct matching *matching, struct sublists *lists, int bit,
                                uint8_t *room) {
    const int planes = lists->planes;
    lists->live &= ~(UINT64_C(1) << bit);
    struct sublists with = {.planes = planes, .live = lists->live};
    with.t = list_at(planes, room, lists->t.count);
    split_take_with(matching, planes, &lists->t, bit, &with.t);
    with.u = list_at(planes, list_end(planes, &with.t), lists->u.count);
    split_copy_without(matching, planes, &lists->u, bit, &with.u);
    return with;
}

static void split_lists(struct matching *matching, struct sublists *lists, uint8_t *room,
                        size_t bytes);

/* Matches a short T with a long U. */
static void split_pieces(struct matching *matching, const struct sublists *lists, uint8_t *room,
                         size_t bytes) {
    const size_t count = lists->u.count;
    for (size_t begin = 0; begin < count && !matching->stopped; begin += PIECE_U) {
        const size_t end = count - begin < PIECE_U ? count : begin + PIECE_U;
        struct sublists piece = *lists;
        piece.t = list_copy(lists->planes, &lists->t, room);
        piece.u = list_part(lists->planes, &lists->u, begin, end);
        split_time_passes(matching, lists->t.count * PAIRS_OF_MOVE);
        uint8_t *rest = list_end(lists->planes, &piece.t);
        split_lists(matching, &piece, rest, bytes - (size_t)(rest - room));
    }
}

/* Matches two sublists, and overwrites them. room: memory for more sublists, of so many bytes.
 */
static void split_lists(struct matching *matching, struct sublists *lists, uint8_t *room,
                        size_t bytes) {
    struct sample of_t, of_u;
    bool sampled = false;
    while (lists->t.count > LEAF_T && lists->u.count > LEAF_U && !matching->stopped) {
        if (split_drop_planes(matching, lists))
            sampled = false;
        const int planes = lists->planes;
        if (bytes < list_bytes(planes, lists->t.count) + list_bytes(planes, lists->u.count))
            break; /* a large leaf is slow, but correct */
        if (lists->t.count <= SHORT_T && lists->u.count > PIECE_U) {
            split_pieces(matching, lists, room, bytes);
            return;
        }
        if (!sampled)
            sample_list(planes, &lists->u, &of_u);
        sampled = true;
        sample_list(planes, &lists->t, &of_t);
        const int bit = best_bit(planes, lists->live, lists->t.count, &of_t, &of_u);
        if (bit < 0)
            break;
        struct sublists with = split_by(matching, lists, bit, room);
        matching->decided += with.t.count * (lists->u.count - with.u.count);
        uint8_t *rest = list_end(planes, &with.u);
        split_lists(matching, &with, rest, bytes - (size_t)(rest - room));
    }
    split_leaf(matching, lists);
}

/* Copies a list to `memory`. */
static struct list split_copy_of(struct matching *matching, int planes,
                                 const struct format *format, struct half_span from,
                                 uint8_t *memory) {
    struct list list = list_at(planes, memory, from.count);
    list.count = from.count;
    for (size_t begin = 0, end; (end = split_chunk_end(matching, begin, from.count)) > begin;
         begin = end)
        list_write(planes, format, from.signature, from.count, begin, end, &list);
    return list;
}

#endif
