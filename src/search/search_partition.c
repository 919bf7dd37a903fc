/* SPDX-License-Identifier: MIT */
/* Divides a board into the units of method `search`. A unit consists of the solutions that
 * begin with the same placement on the first rows.
 *
 * On an empty board these are the first SEARCH_ROWS rows. Mirroring the board left to right
 * turns solutions into solutions, so only half of the first row's squares are needed. Solutions
 * whose first queen is left of the middle count twice. For odd n, solutions whose first queen
 * is in the middle count once. A given board has no symmetry; rows are added until there are
 * BOARD_UNITS units. */
#include "core/job.h"
#include "core/sets.h"
#include "search/search.h"

#include <stdlib.h>

/* A given board is divided into at least this many units, unless it has fewer placements. They
 * are enough to keep the threads of any machine busy. */
enum { BOARD_UNITS = 2048 };

static void search_partition_close(struct partition *partition) {
    struct search_partition *search = (struct search_partition *)partition;
    free(search->state);
    free(search->unit);
    free(search);
}

/* Returns a partition with one unit, which is the whole board, or NULL if memory runs out.
 * squares: the allowed squares of each row of a given board; NULL for an empty board. */
static struct search_partition *search_whole(int n, const uint32_t *squares) {
    struct search_partition *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NULL;
    search->partition =
        (struct partition){.job = nqi_job(n, nqi_method_search.name, SEARCH_VERSION, 1),
                           .work = nqi_method_search.work,
                           .close = search_partition_close};
    search->board = nqi_walk_board(n, squares);
    search->state = calloc(1, sizeof *search->state);
    search->unit = calloc(1, sizeof *search->unit);
    if (search->state == NULL || search->unit == NULL) {
        search_partition_close(&search->partition);
        return NULL;
    }
    search->unit[0].weight = 1;
    return search;
}

/* Divides each unit into smaller ones: one for each square of the next row, from left to right,
 * that a queen can take. mirrored: units with a queen left of the middle get double weight, and
 * those with one right of the middle are left out. Returns false if memory runs out. */
static bool search_divide(struct search_partition *search, bool mirrored) {
    const int n = search->board.n;
    const uint64_t left_half = low_bits(n / 2), allowed = search->board.allowed[search->row],
                   columns = mirrored ? allowed & low_bits((n + 1) / 2) : allowed;
    uint64_t *units = &search->partition.job.units;
    struct state *state = malloc((*units * (size_t)n + 1) * sizeof *state);
    struct unit *unit = malloc((*units * (size_t)n + 1) * sizeof *unit);
    if (state == NULL || unit == NULL) {
        free(state);
        free(unit);
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < *units; i++)
        for (uint64_t free = state_free(search->state[i], columns); free != 0;
             free &= free - 1) {
            const uint64_t queen = free & -free,
                           doubling = mirrored && (queen & left_half) != 0;
            state[count] = state_place(search->state[i], queen);
            unit[count++].weight = search->unit[i].weight << doubling;
        }
    free(search->state);
    free(search->unit);
    search->state = state;
    search->unit = unit;
    search->row++;
    *units = count;
    return true;
}

/* Returns the expected cost of completing a state, at most 2^40 + 1. It is the product, over
 * the rows to fill, of the share of their squares that is free. The first quarter of these rows
 * is left out, because diagonals that attack many squares there soon leave the board. They
 * attack fewer squares further down, where most of the work is. docs/tried.md has the errors of
 * this estimate. */
static uint64_t search_cost(const struct walk_board *board, int row, struct state state) {
    uint64_t cost = UINT64_C(1) << 40;
    for (int down = (board->n - row) / 4; row + down < board->n; down++) {
        const uint64_t free = state_free_below(state, down, board->allowed[row + down]);
        cost = cost * (uint64_t)__builtin_popcountll(free) / (uint64_t)board->n;
    }
    return cost + 1;
}

struct partition *nqi_board_partition(int n, const uint32_t *squares) {
    struct search_partition *search = search_whole(n, squares);
    if (search == NULL)
        return NULL;
    struct partition *partition = &search->partition;
    const uint64_t *units = &partition->job.units;
    while (search->row < n &&
           (squares == NULL ? search->row < SEARCH_ROWS : *units < BOARD_UNITS))
        if (!search_divide(search, squares == NULL && search->row == 0)) {
            search_partition_close(partition);
            return NULL;
        }
    for (uint64_t id = 0; id < *units; id++) {
        search->unit[id].cost = search_cost(&search->board, search->row, search->state[id]);
        partition->cost += search->unit[id].cost;
    }
    partition->units = search->unit;
    return partition;
}

struct partition *nqi_search_partition(int n) {
    return nqi_board_partition(n, NULL);
}

/* Finds the queens of a unit of an empty board. A state does not tell them, because different
 * placements may have the same state, so all placements are made again in the order of
 * search_divide, and `before` of them are skipped. Returns whether the placement was found
 * among those that extend `state` from `row` on. */
static bool search_find_queens(const struct search_partition *search, int row,
                               struct state state, uint64_t *before, int *column) {
    const int n = search->board.n;
    if (row == search->row)
        return (*before)-- == 0;
    for (uint64_t free = state_free(state, low_bits(row == 0 ? (n + 1) / 2 : n)); free != 0;
         free &= free - 1) {
        column[row] = __builtin_ctzll(free);
        if (search_find_queens(search, row + 1, state_place(state, free & -free), before,
                               column))
            return true;
    }
    return false;
}

/* Writes the columns, from 0, of the queens on the first rows. */
void nqi_search_describe_unit(const struct partition *partition, uint64_t id, FILE *stream) {
    const struct search_partition *search = (const struct search_partition *)partition;
    int column[NQ_MAX_N];
    if (search_find_queens(search, 0, (struct state){0}, &id, column))
        for (int row = 0; row < search->row; row++)
            fprintf(stream, "%s%d", row > 0 ? ", " : "", column[row]);
}
