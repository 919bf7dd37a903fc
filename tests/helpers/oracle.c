/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <criterion/criterion.h>

const uint64_t published[PUBLISHED] = {1,  1,   0,   0,    2,     10,    4,      40,
                                       92, 352, 724, 2680, 14200, 73712, 365596, 2279184};

bool attack(int row_a, int column_a, int row_b, int column_b) {
    int down = row_b - row_a, across = column_b - column_a;
    return down == 0 || across == 0 || down == across || down == -across;
}

struct placement {
    int n, rows;
    int column[NQ_MAX_N];
    visit_fn visit;
    void *context;
    uint64_t most;
};

static void place_row(struct placement *p, int row) {
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

void each_placement(int n, int rows, uint64_t most, visit_fn visit, void *context) {
    struct placement p = {
        .n = n, .rows = rows, .visit = visit, .context = context, .most = most};
    place_row(&p, 0);
}

bool is_solution(int n, const int *column) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, column[a], b, column[b]))
                return false;
    return true;
}
