/* Kernels and expansion on families that no plan makes: stems anywhere on boards of any size,
 * with any number of rows left, which need not be neighbours; open squares barred at random;
 * start states at any row, in lists of any length.
 *
 * Results are compared with the squares of the board that the family was made from. */
#include "implementations.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MOST_STATES = 3000, NONE = -1 };

struct stem {
    int n, rows;
    int column[NQ_MAX_N]; /* [row of the board]; NONE: to be filled */
    int line[NQ_MAX_N];   /* [row to fill]: its row of the board */
    bool barred[NQ_MAX_N][NQ_MAX_N];
    struct family family;
    uint64_t completions; /* of the board, found square by square */
};

/* A random solution from row `row` on. False: there is none, or the search takes too long. */
static bool fill(int n, int row, int *column, int *patience, uint64_t *seed) {
    if (row == n)
        return true;
    int first = random_below(seed, n);
    for (int i = 0; i < n && --*patience > 0; i++) {
        column[row] = (first + i) % n;
        bool free = true;
        for (int above = 0; above < row && free; above++)
            free = !attack(above, column[above], row, column[row]);
        if (free && fill(n, row + 1, column, patience, seed))
            return true;
    }
    return false;
}

/* Whether the square is neither attacked nor barred. */
static bool is_free(const struct stem *s, int row, int column) {
    for (int r = 0; r < s->n; r++)
        if (s->column[r] != NONE && attack(r, s->column[r], row, column))
            return false;
    return !s->barred[row][column];
}

/* Works the family out from the queens of the stem. */
static void describe(struct stem *s) {
    struct family *f = &s->family;
    *f = (struct family){.weight = 1, .rows = s->rows, .board = low_bits(s->n), .parts = 1};
    for (int row = 0; row < s->n; row++)
        if (s->column[row] != NONE)
            f->cols |= UINT32_C(1) << s->column[row];
    for (int r = 0; r < s->rows; r++) {
        for (int column = 0; column < s->n; column++)
            if (is_free(s, s->line[r], column))
                f->open[r] |= UINT32_C(1) << column;
        int next = r + 1 < s->rows ? s->line[r + 1] : s->line[r] + 1;
        f->step[r] = (uint8_t)(next - s->line[r]);
    }
}

/* Makes a stem on the n x n board that leaves `rows` rows: from a solution, so that it has a
 * completion, or from random queens, so that it may have none. False: it failed. */
static bool make(struct stem *s, int n, int rows, uint64_t *seed) {
    *s = (struct stem){.n = n, .rows = rows};
    bool solved = random_below(seed, 3) > 0;
    int solution[NQ_MAX_N], patience = 20000;
    if (solved && !fill(n, 0, solution, &patience, seed))
        return false;
    for (int row = 0; row < n; row++)
        s->column[row] = NONE;
    for (int queens = 0, tries = 0; queens < n - rows; tries++) {
        int row = random_below(seed, n);
        int column = solved ? solution[row] : random_below(seed, n);
        if (tries > 5000)
            return false;
        if (s->column[row] != NONE || !is_free(s, row, column))
            continue;
        s->column[row] = column;
        queens++;
    }
    for (int row = 0, r = 0; row < n; row++)
        if (s->column[row] == NONE)
            s->line[r++] = row;
    if (random_below(seed, 3) == 0)
        for (int i = 0; i < n; i++)
            s->barred[random_below(seed, n)][random_below(seed, n)] = true;
    describe(s);
    return true;
}

struct list {
    struct state state[MOST_STATES];
    size_t count;
    bool full; /* there was no room for all */
};

/* The state of the board seen from the r-th row to fill. */
static struct state seen_from(const struct stem *s, int r) {
    struct state state = {.cols = s->family.cols};
    int line = r < s->rows ? s->line[r] : 0;
    for (int above = 0; above < r; above++) {
        int column = s->column[s->line[above]], down = line - s->line[above];
        state.cols |= UINT32_C(1) << column;
        if (r < s->rows && column - down >= 0)
            state.left |= UINT32_C(1) << (column - down);
        if (r < s->rows && column + down < s->n)
            state.right |= UINT32_C(1) << (column + down);
    }
    return state;
}

/* Fills the rows from r on square by square, and lists the states at row `depth`. */
static void list_states(struct stem *s, int r, int depth, struct list *list) {
    if (r == depth) {
        list->full = list->count == MOST_STATES;
        if (!list->full)
            list->state[list->count++] = seen_from(s, r);
        return;
    }
    for (int column = 0; column < s->n && !list->full; column++)
        if (is_free(s, s->line[r], column)) {
            s->column[s->line[r]] = column;
            list_states(s, r + 1, depth, list);
            s->column[s->line[r]] = NONE;
        }
}

static void count_completions(struct stem *s, int r) {
    if (r == s->rows) {
        s->completions++;
        return;
    }
    for (int column = 0; column < s->n; column++)
        if (is_free(s, s->line[r], column)) {
            s->column[s->line[r]] = column;
            count_completions(s, r + 1);
            s->column[s->line[r]] = NONE;
        }
}

static void compare_expansion(const struct stem *s, int row, const struct list *list) {
    static struct state expanded[MOST_STATES];
    const uint32_t board = s->family.board;
    if (list->full)
        return;
    size_t count = nqi_family_expand(&s->family, row, NULL);
    cr_assert_eq(count, list->count, "n = %d, %d rows, row %d", s->n, s->rows, row);
    nqi_family_expand(&s->family, row, expanded);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(expanded[i].cols, list->state[i].cols);
        if (row < s->rows)
            cr_assert((expanded[i].left & board) == list->state[i].left &&
                          (expanded[i].right & board) == list->state[i].right,
                      "n = %d, %d rows, row %d, state %zu", s->n, s->rows, row, i);
    }
}

/* Compares every kernel on `count` states: the list, repeated if it is shorter. */
static void compare_kernels(const struct stem *s, int row, const struct list *list,
                            const struct tally *each, size_t count) {
    static struct state states[MOST_STATES];
    struct tally expected = {0};
    for (size_t i = 0; i < count; i++) {
        states[i] = list->state[i % list->count];
        expected.solutions += each[i % list->count].solutions;
        expected.nodes += each[i % list->count].nodes;
    }
    const struct kernel *kernel;
    for (size_t k = 0; (kernel = kernel_here(k)) != NULL; k++) {
        struct tally tally = run_kernel(kernel, &s->family, row, states, count);
        cr_expect(tally.solutions == expected.solutions && tally.nodes == expected.nodes,
                  "kernel %s, n = %d, %d rows to fill, %zu states at row %d: %" PRIu64
                  " solutions, %" PRIu64 " nodes; not %" PRIu64 ", %" PRIu64,
                  kernel->impl.name, s->n, s->rows, count, row, tally.solutions, tally.nodes,
                  expected.solutions, expected.nodes);
    }
}

static void compare_row(struct stem *s, int row, uint64_t *seed) {
    static struct list list;
    static struct tally each[MOST_STATES];
    list.count = 0;
    list.full = false;
    list_states(s, 0, row, &list);
    compare_expansion(s, row, &list);
    compare_kernels(s, row, &list, each, 0);
    if (list.count == 0)
        return;
    uint64_t sum = 0;
    for (size_t i = 0; i < list.count; i++) {
        each[i] = complete_naively(&s->family, row, list.state[i]);
        sum += each[i].solutions;
    }
    if (!list.full)
        cr_assert_eq(sum, s->completions, "n = %d, %d rows, row %d", s->n, s->rows, row);
    size_t some = 2 + (size_t)random_below(seed, 200);
    const size_t counts[] = {1, 2, some, list.count, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        compare_kernels(s, row, &list, each, counts[i]);
}

/* `times` stems on boards of these sizes that leave 0 to `most_rows` rows. */
static void try_stems(int least_n, int most_n, int most_rows, int times, uint64_t seed) {
    static struct stem s;
    int made = 0;
    for (int i = 0; i < times; i++) {
        int n = least_n + random_below(&seed, most_n - least_n + 1);
        int rows = random_below(&seed, (most_rows < n ? most_rows : n) + 1);
        if (!make(&s, n, rows, &seed))
            continue;
        made++;
        count_completions(&s, 0);
        for (int row = 0; row <= s.rows; row++)
            compare_row(&s, row, &seed);
    }
    cr_expect_geq(made, times / 4, "only %d stems", made);
}

Test(stems, small_boards_equal_brute_force) {
    try_stems(1, 8, 8, 100, 1);
}

Test(stems, middle_boards_equal_brute_force) {
    try_stems(9, 16, 9, 60, 2);
}

Test(stems, large_boards_equal_brute_force) {
    try_stems(17, 28, 6, 80, 3);
}

Test(stems, the_largest_board_equals_brute_force) {
    try_stems(28, 28, 6, 40, 4);
}

Test(stems, boards_with_few_rows_left_equal_brute_force) {
    try_stems(4, 28, 3, 150, 5);
}
