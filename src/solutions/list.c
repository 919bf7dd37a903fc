/* Solutions one after the other, in lexicographic order of their columns.
 *
 * Depth first, one queen at a time, would keep that order by itself, but each step then waits
 * for a branch that nobody can predict. Here every row has a wave: a few hundred partial
 * placements in lexicographic order. A wave is expanded into the next row's, without a branch
 * for each placement, until that one is full or this one is used up; then the search goes on
 * one row down, and comes back for the rest later. Children are made in the order of their
 * parents and, of one parent, of their columns: so every wave is in order, and so are the
 * solutions that come out at the bottom. Memory is constant. 2.5 times as fast as depth first
 * (docs/solutions.md).
 */
#include "board/state.h"

#include <nqueens/nqueens.h>
#include <stdlib.h>
#include <string.h>

enum { WAVE = 128 }; /* placements in a wave; all waves together stay in the L2 cache */

struct node {
    struct state state; /* seen from the row of the wave that it is in */
    uint32_t free;      /* squares of that row still to be tried */
    uint32_t parent;    /* in the wave above */
};

struct wave {
    uint32_t count, next;       /* nodes, and the first one that is not used up */
    struct node node[WAVE + 2]; /* two more: what is read ahead */
};

struct nq_list {
    int n;
    bool fundamental;
    int row;        /* whose wave is at work; -1: all is done */
    int first, end; /* the column of the queen in the first row, from 0; and where it ends */
    uint32_t part[NQ_MAX_N]; /* squares of each row that the caller leaves */
    uint32_t open[NQ_MAX_N]; /* of these, those that may be used with this first queen */
    struct wave wave[NQ_MAX_N + 1];
};

/* Where the first solution of each class alone is wanted, no border may hold a queen nearer to
 * a corner than the first row does: an image that begins with a smaller column would come
 * first. */
static void open_border(struct nq_list *list) {
    int n = list->n, c = list->first;
    uint32_t sides = UINT32_C(1) | UINT32_C(1) << (n - 1);
    for (int row = 1; row < n; row++)
        if (row < c || row > n - 1 - c)
            list->open[row] &= ~sides;
    if (n > 1)
        list->open[n - 1] &= low_bits(n - c) & ~low_bits(c);
}

/* Begins with the queen of the first row in column `first`. */
static void begin(struct nq_list *list) {
    memcpy(list->open, list->part, sizeof list->open);
    if (list->fundamental)
        open_border(list);
    list->row = 0;
    list->wave[0].count = 1;
    list->wave[0].next = 0;
    list->wave[0].node[0] = (struct node){.free = UINT32_C(1) << list->first};
}

nq_status nq_list_open_part(int n, bool fundamental, const int *columns, int rows,
                            nq_list **out) {
    *out = NULL;
    if (n < 0 || n > NQ_MAX_N)
        return NQ_BAD_N;
    if (rows < 0 || rows > n)
        return NQ_NO_PLACEMENT;
    for (int row = 0; row < rows; row++)
        if (columns[row] < 1 || columns[row] > n)
            return NQ_NO_PLACEMENT;
    struct nq_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return NQ_NO_MEMORY;
    list->n = n;
    list->fundamental = fundamental;
    for (int row = 0; row < n; row++)
        list->part[row] = row < rows ? UINT32_C(1) << (columns[row] - 1) : low_bits(n);
    /* Of the first row, the left half has the first solution of every class. */
    list->end = fundamental ? (n + 1) / 2 : n;
    if (rows > 0) {
        list->first = columns[0] - 1;
        if (list->end > columns[0])
            list->end = columns[0];
    }
    if (n > 0 && list->first < list->end)
        begin(list);
    else if (n > 0)
        list->row = -1;
    *out = list;
    return NQ_OK;
}

nq_status nq_list_open(int n, bool fundamental, nq_list **list) {
    return nq_list_open_part(n, fundamental, NULL, 0, list);
}

void nq_list_close(nq_list *list) {
    free(list);
}

/* Fills the wave below `from`. The loop makes one child a round: it is written in any case, and
 * kept when its own row, open[0], and the `ahead` rows after it, open[1] and [2], have a free
 * square for it. The next parent's squares are read a round before they are needed. */
static inline __attribute__((always_inline)) void
expand_ahead(struct wave *from, struct wave *to, const uint32_t *open, int ahead) {
    struct node *parent = from->node + from->next, *end = from->node + from->count;
    struct node *child = to->node, *full = child + WAVE;
    uint32_t index = from->next;
    end[0].free = end[1].free = 0;
    uint32_t squares = parent[0].free, after = parent[1].free;
    while (parent < end && child < full) {
        uint32_t square = squares & -squares;
        squares &= squares - 1;
        struct state s = state_place(parent->state, square, 1);
        *child = (struct node){s, state_free(s, open[0]), index};
        bool alive = child->free != 0;
        for (int row = 1; row <= ahead; row++) {
            struct state later = {s.cols, s.left >> row, s.right << row};
            alive &= state_free(later, open[row]) != 0;
        }
        child += alive;
        uint32_t used_up = squares == 0;
        parent += used_up;
        index += used_up;
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

/* With as many rows ahead as there are, two at most, each in a loop of its own. Keeping values
 * apart (no SLP vectors) is a third faster with gcc 12. */
WITHOUT_SLP static void expand(struct wave *from, struct wave *to, const uint32_t *open,
                               int rows_ahead) {
    if (rows_ahead >= 2)
        expand_ahead(from, to, open, 2);
    else if (rows_ahead == 1)
        expand_ahead(from, to, open, 1);
    else
        expand_ahead(from, to, open, 0);
}

static void store(const struct nq_list *list, uint32_t leaf, int *columns) {
    int row = list->n - 1;
    const struct node *node = &list->wave[row].node[leaf];
    columns[row] = __builtin_ctz(node->free) + 1;
    while (row-- > 0) {
        const struct node *above = &list->wave[row].node[node->parent];
        columns[row] = __builtin_ctz(node->state.cols ^ above->state.cols) + 1;
        node = above;
    }
}

/* The next solution, of a class or not. */
static bool next_solution(struct nq_list *list, int *columns) {
    int last = list->n - 1;
    while (list->row >= 0) {
        struct wave *wave = &list->wave[list->row];
        if (wave->next == wave->count) {
            if (list->row-- == 0 && ++list->first < list->end)
                begin(list);
        } else if (list->row < last) {
            expand(wave, wave + 1, list->open + list->row + 1, last - list->row - 1);
            list->row++;
        } else { /* one column is left: a node that got here has just that square free */
            store(list, wave->next++, columns);
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
    while (next_solution(list, columns))
        if (!list->fundamental ||
            (nq_classify(list->n, columns, &class_of) == NQ_OK && class_of.first))
            return true;
    return false;
}
