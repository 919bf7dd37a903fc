/* SPDX-License-Identifier: MIT */
/* First placements: a depth-first search finds them, and a counting sort by the ranks of their
 * columns lays those on one D side by side. */
#include "colours/completer.h"

#include "core/arrays.h"
#include "core/sets.h"

#include <assert.h>

void nqi_column_ranks_init(const struct colours_board *board, struct column_ranks *ranks) {
    *ranks = (struct column_ranks){.sets = {0}};
    for (int order = -1; order <= 1; order++)
        for (uint32_t set = 0; set <= low_bits(board->odds); set++) {
            const uint32_t image = board->n % 2 == 1 ? mirrored_bits(set, board->odds) : set;
            if ((set > image) - (set < image) == order)
                ranks->of[set] = ranks->sets[__builtin_popcount(set)]++;
        }
}

/* A placement, found in order of its queens. */
struct found {
    uint32_t columns, right, left;
};
static_assert(sizeof(struct found) + 2 * sizeof(uint32_t) + sizeof(uint16_t) == FIRST_BYTES,
              "and in a list");

struct finder {
    const struct colour *colour;
    int columns;
    struct found *found;
    size_t count, room;
};

/* Finds all placements that complete `so_far`, on these rows. left, right: columns of row
 * `row`, that of the last queen, on diagonals of its queens. False: out of memory. */
static bool first_find(struct finder *finder, struct found so_far, uint32_t rows, int row,
                       uint32_t left, uint32_t right) {
    const struct colour *colour = finder->colour;
    if (rows == 0) {
        struct found *grown =
            nqi_array_grow(finder->found, finder->count, &finder->room, sizeof *finder->found);
        if (grown == NULL)
            return false;
        finder->found = grown;
        grown[finder->count++] = so_far;
        return true;
    }
    const int next = __builtin_ctz(rows), step = next - row;
    left >>= step;
    right <<= step;
    for (uint32_t free = low_bits(finder->columns) & ~(so_far.columns | left | right);
         free != 0; free &= free - 1) {
        const uint32_t queen = free & -free;
        const int column = __builtin_ctz(free);
        /* Number -1 is a diagonal that misses the second class. */
        const struct found extended = {
            so_far.columns | queen,
            so_far.right | UINT32_C(1) << (colour->right + colour->sign * (column - next)),
            so_far.left |
                (UINT32_C(1) << (colour->left + colour->sign * (column + next) + 1)) >> 1};
        if (!first_find(finder, extended, rows & (rows - 1), next, left | queen, right | queen))
            return false;
    }
    return true;
}

/* Sorts what was found by the ranks of its columns, of which there are `sets`: a counting sort.
 * False: out of memory. */
static bool first_sort(const struct finder *finder, const struct column_ranks *ranks,
                       size_t sets, struct first_list *list) {
    assert(finder->count <= UINT32_MAX); /* most_first of colours_solver.c */
    const size_t room = finder->count + FIRST_MARGIN, begins = (sets + 2) * sizeof *list->begin,
                 placements = room * (2 * sizeof *list->right + sizeof *list->rank);
    list->begin = calloc(1, begins);
    list->right = malloc(placements);
    if (list->begin == NULL || list->right == NULL)
        return false;
    list->left = list->right + room;
    list->rank = (uint16_t *)(list->left + room);
    list->bytes = sizeof *list + begins + placements;
    uint32_t *next = list->begin + 1; /* of each set; in the end, the first of the next one */
    for (size_t i = 0; i < finder->count; i++)
        next[ranks->of[finder->found[i].columns] + 1]++;
    for (size_t rank = 1; rank <= sets; rank++)
        next[rank] += next[rank - 1];
    for (size_t i = 0; i < finder->count; i++) {
        const struct found *found = &finder->found[i];
        const uint16_t rank = ranks->of[found->columns];
        const uint32_t place = next[rank]++;
        list->right[place] = found->right;
        list->left[place] = found->left;
        list->rank[place] = rank;
    }
    return true;
}

struct first_list *nqi_first_list_new(const struct colours_board *board, bool white,
                                      uint32_t rows, const struct column_ranks *ranks) {
    struct finder finder = {.colour = white ? &board->white : &board->black,
                            .columns = board->odds};
    struct first_list *list = calloc(1, sizeof *list);
    const int size = __builtin_popcount(rows);
    const size_t sets = size <= board->odds ? ranks->sets[size] : 0;
    if (list != NULL && (!first_find(&finder, (struct found){0}, rows, 0, 0, 0) ||
                         !first_sort(&finder, ranks, sets, list))) {
        nqi_first_list_free(list);
        list = NULL;
    }
    free(finder.found);
    return list;
}

void nqi_first_list_free(struct first_list *list) {
    if (list == NULL)
        return;
    free(list->right);
    free(list->begin);
    free(list);
}
