/* SPDX-License-Identifier: MIT */
/* Lists solutions one at a time, in lexicographic order of their columns.
 *
 * A depth-first search keeps that order, but each step waits for a branch that no CPU can
 * predict. So every row has a wave: up to WAVE partial placements in lexicographic order. A
 * wave is expanded into the next row's wave without a branch for each placement. When the lower
 * wave is full, or the upper wave is used up, the search goes on one row down, and returns
 * later for the rest. Children are made parent by parent, and those of one parent by column, so
 * every wave is in order, and so are the solutions that the last row yields. Memory is
 * constant.
 */
#include "core/collections.h"
#include "core/given_board.h"
#include "search/state.h"
#include "solutions/placement.h"

#include <stdlib.h>

enum { WAVE = 128 }; /* placements in a wave; all waves together fit in the L2 cache */

struct node {
    struct state state; /* as seen from the row of the node's wave */
    uint64_t free;      /* squares of that row still to try */
    uint32_t parent;    /* index in the wave above */
};

struct wave {
    uint32_t count, next;       /* nodes; index of the first one that is not used up */
    struct node node[WAVE + 2]; /* two more, which are read ahead */
};

struct nq_list {
    int n;
    bool fundamental;
    int row;        /* whose wave is expanded next; -1: no more solutions */
    int first, end; /* column of the first row's queen, from 0; the first column not to try */
    uint32_t board[NQ_MAX_SEARCH_N]; /* [row]: squares that may be used */
    uint32_t open[NQ_MAX_SEARCH_N];  /* the same with this first queen */
    struct wave wave[NQ_MAX_SEARCH_N + 1];
};

/* Closes squares that the first solution of a class cannot use. On no border is a queen nearer
 * to a corner than the first row's queen is to its left corner: otherwise some image would
 * begin with a smaller column, and come first. */
static void list_open_border(struct nq_list *list) {
    int n = list->n, c = list->first;
    uint32_t sides = UINT32_C(1) | UINT32_C(1) << (n - 1);
    for (int row = 1; row < n; row++)
        if (row < c || row > n - 1 - c)
            list->open[row] &= ~sides;
    if (n > 1)
        list->open[n - 1] &= low_bits(n - c) & ~low_bits(c);
}

/* Starts with the first row's queen in column `first`. */
static void list_begin(struct nq_list *list) {
    for (int row = 0; row < list->n; row++)
        list->open[row] = list->board[row];
    if (list->fundamental)
        list_open_border(list);
    list->row = 0;
    list->wave[0].node[0] = (struct node){.free = UINT32_C(1) << list->first & list->open[0]};
    list->wave[0].count = list->wave[0].node[0].free != 0;
    list->wave[0].next = 0;
}

/* board: NULL, all squares are free. */
static nq_status list_open(int n, const char *board, bool fundamental, nq_list **out) {
    struct failure failure = {0};
    nq_status status = NQ_OK;
    struct nq_list *list = NULL;
    *out = NULL;
    if (n < 0 || n > NQ_MAX_SEARCH_N)
        status = nqi_fail(&failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_SEARCH_N);
    else if ((list = calloc(1, sizeof *list)) == NULL)
        status = NQ_NO_MEMORY;
    else if (board != NULL)
        status = nqi_board_read(n, board, list->board, NULL, &failure);
    if (status != NQ_OK) {
        free(list);
        return nqi_end_call(status, &failure);
    }
    for (int row = 0; row < n && board == NULL; row++)
        list->board[row] = low_bits(n);
    list->n = n;
    list->fundamental = fundamental;
    /* The first solution of a class has its first queen in the left half or the middle. */
    list->end = fundamental ? (n + 1) / 2 : n;
    if (n > 0)
        list_begin(list);
    *out = list;
    return nqi_end_call(NQ_OK, NULL);
}

nq_status nq_list_open(int n, bool fundamental, nq_list **list) {
    return list_open(n, NULL, fundamental, list);
}

nq_status nq_list_open_board(int n, const char *board, nq_list **list) {
    return list_open(n, board, false, list);
}

void nq_list_close(nq_list *list) {
    free(list);
}

/* Expands the wave `from` into the wave `to` below it. Each round of the loop writes one child,
 * and keeps it if its own row (open[0]) and the `ahead` rows after it (open[1], open[2]) have
 * free squares (forward checking). The squares of the next parent are read one round early. */
static inline __attribute__((always_inline)) void
list_expand_ahead(struct wave *from, struct wave *to, const uint32_t *open, int ahead) {
    struct node *parent = from->node + from->next, *end = from->node + from->count;
    struct node *child = to->node, *full = child + WAVE;
    uint32_t index = from->next;
    end[0].free = end[1].free = 0;
    uint64_t squares = parent[0].free, after = parent[1].free;
    while (parent < end && child < full) {
        uint64_t square = squares & -squares;
        squares &= squares - 1;
        struct state s = state_place(parent->state, square);
        *child = (struct node){s, state_free(s, open[0]), index};
        bool alive = child->free != 0;
        for (int row = 1; row <= ahead; row++)
            alive &= state_free_below(s, row, open[row]) != 0;
        child += alive;
        uint64_t used_up = squares == 0;
        parent += used_up;
        index += (uint32_t)used_up;
        squares |= after & -used_up;
        after = parent[1].free;
    }
    parent->free = squares;
    from->next = index;
    to->count = (uint32_t)(child - to->node);
    to->next = 0;
}

#if defined __GNUC__ && !defined __clang__
#define WITHOUT_SLP __attribute__((optimize("no-tree-slp-vectorize")))
#else
#define WITHOUT_SLP
#endif

/* Expands a wave, looking ahead as many rows as there are, at most two: one loop for each
 * number. With gcc 12 it is a third faster without SLP vectorisation. */
WITHOUT_SLP static void list_expand(struct wave *from, struct wave *to, const uint32_t *open,
                                    int rows_ahead) {
    if (rows_ahead >= 2)
        list_expand_ahead(from, to, open, 2);
    else if (rows_ahead == 1)
        list_expand_ahead(from, to, open, 1);
    else
        list_expand_ahead(from, to, open, 0);
}

/* Writes the columns of the solution that ends in a node of the last row's wave. */
static void list_store(const struct nq_list *list, uint32_t leaf, int *columns) {
    int row = list->n - 1;
    const struct node *node = &list->wave[row].node[leaf];
    columns[row] = __builtin_ctzll(node->free) + 1;
    while (row-- > 0) {
        const struct node *above = &list->wave[row].node[node->parent];
        columns[row] = __builtin_ctzll(node->state.cols ^ above->state.cols) + 1;
        node = above;
    }
}

/* Finds the next solution, first of its class or not. False: there are no more. */
static bool list_next(struct nq_list *list, int *columns) {
    int last = list->n - 1;
    while (list->row >= 0) {
        struct wave *wave = &list->wave[list->row];
        if (wave->next == wave->count) {
            if (list->row-- == 0 && ++list->first < list->end)
                list_begin(list);
        } else if (list->row < last) {
            list_expand(wave, wave + 1, list->open + list->row + 1, last - list->row - 1);
            list->row++;
        } else { /* one column remains, and each node of the last row has its square free */
            list_store(list, wave->next++, columns);
            return true;
        }
    }
    return false;
}

bool nq_list_next(nq_list *list, int *columns) {
    if (list->n == 0) { /* the empty board has one solution */
        bool first = list->row == 0;
        list->row = -1;
        return first;
    }
    nq_class class_of = {.first = false};
    while (list_next(list, columns))
        if (!list->fundamental ||
            (nqi_classify(list->n, columns, &class_of, NULL) == NQ_OK && class_of.first))
            return true;
    return false;
}
