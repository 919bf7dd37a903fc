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

/* Whether a row, from `rows` on, has a square that no queen on the first `rows` rows attacks;
 * rows below the board have. */
static bool has_free(int n, const int *column, int rows, int row) {
    for (int here = 0; here < n && row < n; here++) {
        bool free = true;
        for (int above = 0; above < rows && free; above++)
            free = !attack(above, column[above], row, here);
        if (free)
            return true;
    }
    return row >= n;
}

struct tally complete_naively(int n, int *column, int rows) {
    struct tally tally = {.solutions = rows == n};
    for (column[rows] = 0; rows < n && column[rows] < n; column[rows]++) {
        bool free = true;
        for (int above = 0; above < rows && free; above++)
            free = !attack(above, column[above], rows, column[rows]);
        if (!free)
            continue;
        const struct tally below = complete_naively(n, column, rows + 1);
        tally.solutions += below.solutions;
        tally.nodes += below.nodes + (rows + 1 < n && has_free(n, column, rows + 1, rows + 1) &&
                                      has_free(n, column, rows + 1, rows + 2));
    }
    return tally;
}
