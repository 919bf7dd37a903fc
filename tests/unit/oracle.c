#include "oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

const uint64_t published[PUBLISHED] = {1,  1,   0,   0,    2,     10,    4,     40,
                                       92, 352, 724, 2680, 14200, 73712, 365596};

bool attack(int row_a, int column_a, int row_b, int column_b) {
    int down = row_b - row_a, across = column_b - column_a;
    return down == 0 || across == 0 || down == across || down == -across;
}

struct placement {
    int n, rows;
    int column[NQ_MAX_N];
    visit_fn visit;
    void *context;
    uint64_t count;
};

static void place_row(struct placement *p, int row) {
    if (row == p->rows) {
        if (p->visit != NULL)
            p->visit(p->column, p->context);
        p->count++;
        return;
    }
    for (int column = 0; column < p->n; column++) {
        bool free = true;
        for (int above = 0; above < row && free; above++)
            free = !attack(above, p->column[above], row, column);
        if (free) {
            p->column[row] = column;
            place_row(p, row + 1);
        }
    }
}

uint64_t each_placement(int n, int rows, visit_fn visit, void *context) {
    struct placement p = {.n = n, .rows = rows, .visit = visit, .context = context};
    place_row(&p, 0);
    return p.count;
}

/* A walk down a family from one state. Rows are numbered as on the board, from the start
 * state's own row, so that stem rows in between count. */
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

/* Whether nothing attacks the square once the rows before `filled` have their queens. */
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
        if (rows - (row + 1) >= 3 && has_free(w, row + 1, row + 1) &&
            has_free(w, row + 1, row + 2))
            w->tally.nodes++;
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

const struct plan *plan_under_test(size_t index) {
    static const char *const names[] = {"rows", "cross"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct plan *plan = plan_by_name(names[i]);
        if (plan != NULL && index-- == 0)
            return plan;
    }
    return NULL;
}

struct tally run_kernel(const struct kernel *kernel, const struct family *family, int row,
                        const struct state *states, size_t count) {
    enum { GUARD = 64, RUBBISH = 0xA5 };
    size_t room = (kernel->scratch_bytes + 63) / 64 * 64;
    unsigned char *scratch = aligned_alloc(64, room + GUARD);
    cr_assert_not_null(scratch);
    memset(scratch, RUBBISH, room + GUARD);
    struct tally before = {.solutions = 1000003, .nodes = 77}, after = before;
    kernel->count(family, row, states, count, scratch, &after);
    for (size_t i = kernel->scratch_bytes; i < room + GUARD; i++)
        cr_assert(scratch[i] == RUBBISH, "kernel %s wrote past its scratch memory",
                  kernel->name);
    free(scratch);
    return (struct tally){after.solutions - before.solutions, after.nodes - before.nodes};
}

/* splitmix64, S. Vigna, public domain: https://prng.di.unimi.it/splitmix64.c */
uint64_t random_bits(uint64_t *seed) {
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int random_below(uint64_t *seed, int limit) {
    return (int)(random_bits(seed) % (uint64_t)limit);
}
