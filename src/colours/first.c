/* SPDX-License-Identifier: MIT */
/* Makes the lists of first placements. A depth-first search finds them; a counting sort by the
 * ranks of their columns makes the placements of each D contiguous, so that a slice of the list
 * can cover neighbouring D. */
#include "colours/completer.h"

#include "core/arrays.h"
#include "core/sets.h"

#include <assert.h>

void nqi_column_ranks_init(const struct colours_board *board, struct column_ranks *ranks) {
    *ranks = (struct column_ranks){.set_counts = {0}};
    for (int order = -1; order <= 1; order++)
        for (uint32_t set = 0; set <= low_bits(board->odds); set++) {
            const uint32_t image = board->n % 2 == 1 ? mirrored_bits(set, board->odds) : set;
            if ((set > image) - (set < image) == order)
                ranks->rank[set] = ranks->set_counts[__builtin_popcount(set)]++;
        }
}

/* A placement as the search finds it: its columns, and the diagonals that it attacks. */
struct first_placement {
    uint32_t columns, right, left;
};
_Static_assert(sizeof(struct first_placement) + 2 * sizeof(uint32_t) + sizeof(uint16_t) ==
                   FIRST_BYTES,
               "as found, and in a list");

struct first_search {
    const struct colour *colour;
    int columns;
    struct first_placement *placements;
    size_t count, room;
};

/* Finds all placements that extend `partial` by a queen in each of `rows`. `row` is the row of
 * the last queen. `left` and `right` are the columns in which this row crosses the diagonals of
 * all queens placed so far, the last queen included. Returns false if memory runs out. */
static bool first_find(struct first_search *search, struct first_placement partial,
                       uint32_t rows, int row, uint32_t left, uint32_t right) {
    const struct colour *colour = search->colour;
    if (rows == 0) {
        struct first_placement *grown = nqi_array_grow(
            search->placements, search->count, &search->room, sizeof *search->placements);
        if (grown == NULL)
            return false;
        search->placements = grown;
        grown[search->count++] = partial;
        return true;
    }
    const int next = __builtin_ctz(rows), step = next - row;
    left >>= step;
    right <<= step;
    for (uint32_t free = low_bits(search->columns) & ~(partial.columns | left | right);
         free != 0; free &= free - 1) {
        const uint32_t queen = free & -free;
        const int column = __builtin_ctz(free);
        /* The diagonal to the left may have the number -1, which means that it misses the even
         * half: one shift more drops its bit. */
        const struct first_placement extended = {
            partial.columns | queen,
            partial.right | UINT32_C(1) << (colour->right + colour->sign * (column - next)),
            partial.left |
                (UINT32_C(1) << (colour->left + colour->sign * (column + next) + 1)) >> 1};
        if (!first_find(search, extended, rows & (rows - 1), next, left | queen, right | queen))
            return false;
    }
    return true;
}

/* Makes the list from the placements that the search has found: sorts them by the ranks of
 * their columns. These ranks are below `sets`. Returns false if memory runs out. */
static bool first_sort(const struct first_search *search, const struct column_ranks *ranks,
                       size_t sets, struct first_list *list) {
    assert(search->count <= UINT32_MAX); /* most_first in colours_solver.c has the lengths */
    const size_t room = search->count + FIRST_MARGIN, begins = (sets + 2) * sizeof *list->begin,
                 placements = room * (2 * sizeof *list->right + sizeof *list->rank);
    list->begin = calloc(1, begins);
    list->right = malloc(placements);
    if (list->begin == NULL || list->right == NULL)
        return false;
    list->left = list->right + room;
    list->rank = (uint16_t *)(list->left + room);
    list->bytes = sizeof *list + begins + placements;
    /* [rank]: where the next placement goes. In the end this is where the next rank begins, as
     * list->begin[rank + 1] should say. */
    uint32_t *next = list->begin + 1;
    for (size_t i = 0; i < search->count; i++)
        next[ranks->rank[search->placements[i].columns] + 1]++;
    for (size_t rank = 1; rank <= sets; rank++)
        next[rank] += next[rank - 1];
    for (size_t i = 0; i < search->count; i++) {
        const struct first_placement *placement = &search->placements[i];
        const uint16_t rank = ranks->rank[placement->columns];
        const uint32_t place = next[rank]++;
        list->right[place] = placement->right;
        list->left[place] = placement->left;
        list->rank[place] = rank;
    }
    return true;
}

struct first_list *nqi_first_list_new(const struct colours_board *board, bool white,
                                      uint32_t rows, const struct column_ranks *ranks) {
    struct first_search search = {.colour = white ? &board->white : &board->black,
                                  .columns = board->odds};
    struct first_list *list = calloc(1, sizeof *list);
    const int size = __builtin_popcount(rows);
    const size_t sets = size <= board->odds ? ranks->set_counts[size] : 0;
    if (list != NULL && (!first_find(&search, (struct first_placement){0}, rows, 0, 0, 0) ||
                         !first_sort(&search, ranks, sets, list))) {
        nqi_first_list_free(list);
        list = NULL;
    }
    free(search.placements);
    return list;
}

void nqi_first_list_free(struct first_list *list) {
    if (list == NULL)
        return;
    free(list->right);
    free(list->begin);
    free(list);
}
