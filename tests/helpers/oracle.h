/* SPDX-License-Identifier: MIT */
/* Brute force to compare the library with. It looks at plain squares, without shifted masks,
 * pruning or symmetry: slow, but simple enough to be trusted. */
#ifndef HELPERS_ORACLE_H
#define HELPERS_ORACLE_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Whether queens on these two squares attack each other. */
static inline bool attack(int row_a, int column_a, int row_b, int column_b) {
    int down = row_b - row_a, across = column_b - column_a;
    return down == 0 || across == 0 || down == across || down == -across;
}

/* Called with the columns of a solution. */
typedef void (*visit_fn)(const int *column, void *context);

struct placement {
    int n;
    int column[NQ_MAX_N];
    visit_fn visit;
    void *context;
    uint64_t most; /* how many solutions may still be visited */
};

static inline void place_row(struct placement *p, int row) {
    if (row == p->n) {
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

/* Calls `visit` with the columns of the first `most` solutions in lexicographic order. */
static inline void each_solution(int n, uint64_t most, visit_fn visit, void *context) {
    struct placement p = {.n = n, .visit = visit, .context = context, .most = most};
    place_row(&p, 0);
}

#endif
