/* SPDX-License-Identifier: MIT */
/* Lists solutions one at a time, in lexicographic order of their columns. A depth-first search
 * keeps its stack in the list: it stops at each solution, and continues there at the next call.
 * Boards that can be listed have at most NQ_MAX_N rows, so nq_list_next() allocates nothing,
 * and cannot fail for lack of memory. */
#include "boards/board.h"
#include "core/sets.h"
#include "core/sized.h"
#include "search/walk.h"
#include "solutions/observed.h"
#include "solutions/placement.h"

#include <stdlib.h>
#include <string.h>

struct nq_list {
    int n;
    bool fundamental;
    /* The row to fill next; n if a solution was found; -1 at the end of the list. */
    int row;
    /* The column, from 0, of the first row's queen. It is tried in all columns before `end`. */
    int first, end;
    /* The board to complete; and `left`, which lacks the squares that list_begin() removes for
     * this first queen. */
    struct walk_board board, left;
    struct state state[NQ_MAX_N + 1]; /* state of each row */
    uint64_t free[NQ_MAX_N + 1];      /* squares of each row that are still to try */
    int column[NQ_MAX_N];             /* column, from 1, of the queen of each row */
    struct observed search;
};

/* Removes squares at the borders that the first solution of a class cannot use. Let c be the
 * column, from 0, of the first row's queen. If a queen at any border were fewer than c squares
 * away from a corner, some image of the solution would begin with a smaller column, and come
 * first. */
static void list_trim_borders(struct nq_list *list) {
    int n = list->n, c = list->first;
    uint64_t sides = UINT64_C(1) | UINT64_C(1) << n >> 1;
    for (int row = 1; row < n; row++)
        if (row < c || row > n - 1 - c)
            list->left.allowed[row] &= ~sides;
    if (n > 1)
        list->left.allowed[n - 1] &= low_bits(n - c) & ~low_bits(c);
}

/* Begins the search of the solutions whose first queen is in column list->first. */
static void list_begin(struct nq_list *list) {
    list->left = list->board;
    if (list->fundamental)
        list_trim_borders(list);
    list->row = 0;
    list->free[0] = UINT32_C(1) << list->first & list->left.allowed[0];
}

/* Checks n and the options. If there is a board, squares[] receives its allowed squares. */
static nq_status list_check(int n, bool fundamental, const nq_options *options,
                            uint32_t *squares, struct failure *failure) {
    if (n < 0 || n > NQ_MAX_N)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    if (options->board == NULL)
        return NQ_OK;
    if (fundamental)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "board: only solutions of an empty board can be sorted into classes");
    return nqi_board_squares(n, options->board, squares, failure);
}

nq_status nq_list_open(int n, bool fundamental, const nq_options *options, nq_list **out) {
    struct failure failure = {0};
    nq_options own;
    uint32_t squares[NQ_MAX_N];
    *out = NULL;
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = list_check(n, fundamental, &own, squares, &failure);
    struct nq_list *list = status == NQ_OK ? calloc(1, sizeof *list) : NULL;
    if (list == NULL)
        return nqi_end_call(status != NQ_OK ? status : NQ_NO_MEMORY, &failure);
    list->n = n;
    list->board = nqi_walk_board(n, own.board != NULL ? squares : NULL);
    list->fundamental = fundamental;
    /* The first solution of a class has its first queen in the left half or in the middle. */
    list->end = fundamental ? (n + 1) / 2 : n;
    list->search = nqi_observed_begin(n, "listing solutions", &own);
    list_begin(list);
    *out = list;
    return nqi_end_call(NQ_OK, NULL);
}

void nq_list_close(nq_list *list) {
    free(list);
}

/* Returns the finished share of the search, 0..1, as if all placements took the same time: the
 * position of the current queens in the lexicographic order of all placements. */
static double list_share(const struct nq_list *list) {
    double share = 0;
    for (int row = list->row; row >= 0; row--)
        share = (share + list->column[row] - 1) / (row == 0 ? list->end : list->n);
    return share;
}

/* Finds the next solution, whether or not it is the first of its class. The search places a
 * queen only if the next row and the two below it each keep a free square (forward checking).
 * Returns NQ_OK; NQ_NO_SOLUTION if there is none; or NQ_CANCELLED if the callback stopped the
 * search, which the next call continues. */
static nq_status list_next(struct nq_list *list, int *columns) {
    while (list->row >= 0) {
        const int row = list->row;
        if (row == list->n) {
            list->row--;
            memcpy(columns, list->column, (size_t)list->n * sizeof *columns);
            return NQ_OK;
        }
        const uint64_t square = list->free[row] & -list->free[row];
        if (square == 0) {
            if (observed_is_due(&list->search) &&
                !nqi_observed_go_on(&list->search, list_share(list)))
                return NQ_CANCELLED;
            if (list->row-- == 0 && ++list->first < list->end)
                list_begin(list);
            continue;
        }
        list->column[row] = __builtin_ctzll(square) + 1;
        list->free[row] ^= square;
        const uint64_t *allowed = list->left.allowed + row + 1;
        const struct state s = state_place(list->state[row], square);
        const uint64_t free = state_free(s, allowed[0]);
        if (free != 0 && state_free_below(s, 1, allowed[1]) != 0 &&
            state_free_below(s, 2, allowed[2]) != 0) {
            list->row++;
            list->state[row + 1] = s;
            list->free[row + 1] = free;
        }
    }
    return NQ_NO_SOLUTION;
}

/* Returns whether the solution belongs to the list. */
static bool list_has(const struct nq_list *list, const int *columns) {
    nq_class class_of;
    return !list->fundamental ||
           (nqi_classify(list->n, columns, &class_of, NULL) == NQ_OK && class_of.first);
}

nq_status nq_list_next(nq_list *list, int *columns) {
    nq_status status;
    do
        status = list_next(list, columns);
    while (status == NQ_OK && !list_has(list, columns));
    return nqi_end_call(status, NULL);
}
