/* SPDX-License-Identifier: MIT */
/* Brute force to compare the library with. It looks at plain squares, without shifted masks,
 * pruning or symmetry: slow, but simple enough to be trusted. */
#ifndef HELPERS_ORACLE_H
#define HELPERS_ORACLE_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Totals as published in A000170, n = 0..15. A second copy on purpose. */
enum { PUBLISHED = 16 };
static const uint64_t published[PUBLISHED] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184};

/* Whether queens on these two squares attack each other. */
static inline bool attack(int row_a, int column_a, int row_b, int column_b) {
    int down = row_b - row_a, across = column_b - column_a;
    return down == 0 || across == 0 || down == across || down == -across;
}

/* Takes the columns of the first rows. */
typedef void (*visit_fn)(const int *column, void *context);

struct placement {
    int n, rows;
    int column[NQ_MAX_N];
    visit_fn visit;
    void *context;
    uint64_t most;
};

static inline void place_row(struct placement *p, int row) {
    if (row == p->rows) {
        p->visit(p->column, p->context);
        p->most--;
        return;
    }
    for (int column = 0; column < p->n && p->most > 0; column++) {
        bool free = true;
        for (int above = 0; above < row && free; above++)
            free = !attack(above, p->column[above], row, column);
        if (free) {
            p->column[row] = column;
            place_row(p, row + 1);
        }
    }
}

/* Calls `visit` with the columns of placements of non-attacking queens on the first `rows` rows
 * of the n x n board, in lexicographic order: with the first `most` of them. */
static inline void each_placement(int n, int rows, uint64_t most, visit_fn visit,
                                  void *context) {
    struct placement p = {
        .n = n, .rows = rows, .visit = visit, .context = context, .most = most};
    place_row(&p, 0);
}

/* Whether no two queens attack each other. */
static inline bool is_solution(int n, const int *column) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, column[a], b, column[b]))
                return false;
    return true;
}

#endif
