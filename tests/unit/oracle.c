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

static void permute(int n, int row, int *column, visit_fn visit, void *context) {
    if (row == n)
        visit(column, context);
    for (int other = row; other < n; other++) {
        int here = column[row];
        column[row] = column[other];
        column[other] = here;
        permute(n, row + 1, column, visit, context);
        column[other] = column[row];
        column[row] = here;
    }
}

void each_permutation(int n, visit_fn visit, void *context) {
    int column[] = {0, 1, 2, 3, 4, 5, 6, 7};
    permute(n, 0, column, visit, context);
}

bool is_solution(int n, const int *column) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, column[a], b, column[b]))
                return false;
    return true;
}

/* A walk down a family from one state. line[row]: the distance on the board from the start
 * state's row, with the stem's rows in between. */
struct walk {
    const struct family *family;
    struct state start;
    int first;
    int line[NQ_MAX_N + 1];
    int column[NQ_MAX_N];
    struct tally tally;
};

static bool has(uint32_t squares, int column) {
    return column >= 0 && column < 32 && (squares >> column & 1) != 0;
}

/* Whether the square is free, once the rows before `filled` have their queens. */
static bool is_free(const struct walk *w, int filled, int row, int column) {
    int down = w->line[row];
    if (!has(w->family->open[row], column) || has(w->start.cols, column) ||
        has(w->start.left, column + down) || has(w->start.right, column - down))
        return false;
    for (int r = w->first; r < filled; r++)
        if (attack(w->line[r], w->column[r], w->line[row], column))
            return false;
    return true;
}

static bool has_free(const struct walk *w, int filled, int row) {
    for (int column = 0; column < NQ_MAX_N; column++)
        if (is_free(w, filled, row, column))
            return true;
    return false;
}

static bool has_queen(const struct walk *w, int filled, int column) {
    for (int row = w->first; row < filled; row++)
        if (w->column[row] == column)
            return true;
    return has(w->start.cols, column);
}

/* Whether each column that has no queen yet has a free square in a row still to fill. */
static bool columns_have_free(const struct walk *w, int filled) {
    for (int column = 0; column < NQ_MAX_N; column++) {
        bool found = !has(w->family->board, column) || has_queen(w, filled, column);
        for (int row = filled; row < w->family->rows && !found; row++)
            found = is_free(w, filled, row, column);
        if (!found)
            return false;
    }
    return true;
}

/* Whether the state is a node, once the rows before `filled` have their queens. The numbers are
 * pinned; the names of kernel.h would follow a change there. A state that is no node has none
 * below it either, since a row or column without a free square never gets one. So the walk may
 * go on below it. */
static bool is_node(const struct walk *w, int filled) {
    const int left = w->family->rows - filled;
    if (left < 3)
        return false;
    for (int ahead = 0; ahead < (left <= 5 ? left : 2); ahead++)
        if (!has_free(w, filled, filled + ahead))
            return false;
    return left > 5 || columns_have_free(w, filled);
}

static void walk_row(struct walk *w, int row) {
    const int rows = w->family->rows;
    if (row == rows) {
        w->tally.solutions++;
        return;
    }
    for (int column = 0; column < NQ_MAX_N; column++) {
        if (!is_free(w, row, row, column))
            continue;
        w->column[row] = column;
        w->tally.nodes += is_node(w, row + 1);
        walk_row(w, row + 1);
    }
}

struct tally complete_naively(const struct family *family, int row, struct state state) {
    struct walk w = {.family = family, .start = state, .first = row};
    for (int r = row; r + 1 < family->rows; r++)
        w.line[r + 1] = w.line[r] + family->step[r];
    walk_row(&w, row);
    return w.tally;
}

const struct plan *plan_after(const struct plan *before) {
    size_t next = 0;
    while (before != NULL && nqi_search_plans[next++] != before)
        continue;
    return nqi_search_plans[next];
}
