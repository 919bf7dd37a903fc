/* SPDX-License-Identifier: MIT */
/* The hash join of an X: the minority, the colour with fewer queens, fills a table with its
 * completions, by the even columns that they leave; the majority's completions look it up. */
#ifndef COLOURS_JOIN_H
#define COLOURS_JOIN_H

#include "colours/board.h"
#include "colours/completer.h"
#include "core/method.h"

/* The sets D of odd columns of black queens that may count beside X with one key. */
struct d_list {
    int size; /* of each D; -1: none are listed yet */
    uint32_t key;
    size_t begin, end,
        count; /* ranks of the first one, behind the last one; of all of the size */
    struct {
        uint8_t weight;             /* of every Y that has D, for even n at most 1 */
        bool exceeds_key;           /* even n: so Y count twice, if their B exceed it, too */
    } factors[1 << (NQ_MAX_N / 2)]; /* [rank of D] */
    /* Even n, where black is the minority: [entry]: the least image of B, if white takes the
     * entry's columns. */
    uint32_t b_keys[1 << (COLOURS_LINES - 1)];
};

/* One colour's part in an X. */
struct x_side {
    const struct first_list *first;
    bool white; /* its odd columns are the complement of D */
    struct second_class second;
};

/* An X, with all that a join takes. */
struct prepared_x {
    struct x_side minority, majority;
    const struct d_list *d;
    bool leaves_room; /* to the majority */
    uint64_t weight;  /* number of X that it stands for */
};

/* Makes the memory of one thread's joins. NULL: out of memory. */
struct join *nqi_join_new(const struct colours_board *board, const struct completer *completer);
void nqi_join_free(struct join *join); /* NULL allowed */

/* Adds what the X contributes to *sum, whose work goes to the heartbeat.
 * NQ_CANCELLED: the heartbeat said stop. NQ_OVERFLOW. */
nq_status nqi_join_add(struct join *join, const struct prepared_x *x,
                       const struct heartbeat *heartbeat, struct unit_result *sum);

#endif
