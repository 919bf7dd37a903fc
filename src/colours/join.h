/* SPDX-License-Identifier: MIT */
/* Counts the solutions of one X without pairing each black placement with each white one. The
 * completions of the colour with fewer queens, the minority, are counted in a lookup table by
 * the even columns that they leave. Each completion of the other colour, the majority, looks up
 * how often the columns that it takes were left. (In databases this is a hash join.) */
#ifndef COLOURS_JOIN_H
#define COLOURS_JOIN_H

#include "colours/board.h"
#include "colours/completer.h"
#include "core/method.h"

/* All sets D of one size (the black queens' odd columns), and the factors with which each D
 * counts. The factors are the same for all X that have the same key. */
struct d_list {
    int size;          /* of each D; -1 if none are listed yet */
    uint32_t key;      /* key of these X */
    size_t begin, end, /* rank of the first D that counts; rank of the last one, plus 1 */
        count;         /* number of all D of this size */
    struct {
        uint8_t weight;   /* how often the solutions of a Y with this D count; for even n
                             0 or 1, as B decides the rest */
        bool exceeds_key; /* D's key exceeds that of X; for even n, Y counts twice if the key of
                             its B does, too */
    } factors[1 << (NQ_MAX_N / 2)]; /* [rank of D] */
    /* For even n, where black is the minority. [entry of a lookup table]: the least image of B,
     * the even columns that are not in the entry's set; 0 for a set that has another size. */
    uint32_t b_keys[1 << (COLOURS_LINES - 1)];
};

/* One colour's part in an X. */
struct x_side {
    const struct first_list *first;
    bool white; /* white's odd columns are the complement of D */
    struct even_half half;
};

/* An X, with all that the join needs. */
struct prepared_x {
    struct x_side minority, majority;
    const struct d_list *d;
    bool leaves_room; /* false if the majority has no placements; nqi_colours_x_leaves_room() */
    uint64_t weight;  /* number of X that this one represents */
};

/* Allocates what a thread needs for its joins. Returns NULL if memory runs out. */
struct join *nqi_join_new(const struct colours_board *board, const struct completer *completer);
void nqi_join_free(struct join *join); /* NULL allowed */

/* Adds the solutions of X, times its weight, and its completions to *sum, and tells the
 * heartbeat the work in *sum. Returns NQ_OK; NQ_CANCELLED if the heartbeat returned false; or
 * NQ_OVERFLOW. */
nq_status nqi_join_add(struct join *join, const struct prepared_x *x,
                       const struct heartbeat *heartbeat, struct unit_result *sum);

#endif
