/* SPDX-License-Identifier: MIT */
/* Boards with queens and blocked squares, completed: random ones against brute force. What
 * is refused is tested with the program. */
#include "core/arrays.h"
#include "counts.h"
#include "jobs.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 9, BOARDS = 4000 };

/* Counts the solutions that have a queen on each Q and none on a blocked square. */
static uint64_t brute_force(int n, const char *squares, int row, int *column) {
    uint64_t sum = row == n;
    for (int here = 0; here < n && row < n; here++) {
        const char *line = squares + row * n, *queen = memchr(line, 'Q', (size_t)n);
        if (line[here] == '*' || line[here] == '#' || (queen != NULL && queen != line + here) ||
            (queen != NULL && memchr(queen + 1, 'Q', (size_t)(line + n - queen - 1)) != NULL))
            continue;
        column[row] = here;
        bool safe = true;
        for (int above = 0; above < row; above++)
            safe &= !attack(above, column[above], row, here);
        sum += safe ? brute_force(n, squares, row + 1, column) : 0;
    }
    return sum;
}

/* Few squares of a board are blocked, half of them, or all; few rows have a queen. */
static void make_board(uint64_t *seed, int n, char *squares, char *text) {
    const int blocked = random_below(seed, 100), queens = random_below(seed, 8);
    for (int i = 0; i < n * n; i++)
        squares[i] = random_below(seed, 200) < blocked  ? (i % 2 == 0 ? '*' : '#')
                     : random_below(seed, 100) < queens ? 'Q'
                                                        : '.';
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++)
            text += sprintf(text, "%s%c", random_below(seed, 9) == 0 ? " " : "",
                            squares[row * n + column]);
        text += sprintf(text, "%s", random_below(seed, 9) == 0 ? "\r\n\n" : "\n");
    }
}

static uint64_t list_all(int n, const char *text, const char *squares) {
    nq_list *list;
    int columns[NQ_MAX_N];
    uint64_t listed = 0;
    cr_assert_eq(nq_list_open_board(n, text, &list), NQ_OK);
    for (; nq_list_next(list, columns); listed++) {
        cr_expect_eq(nq_check_placement(n, columns, NULL), NQ_OK);
        for (int row = 0; row < n; row++)
            cr_expect(squares[row * n + columns[row] - 1] == '.' ||
                      squares[row * n + columns[row] - 1] == 'Q');
    }
    nq_list_close(list);
    return listed;
}

/* As a count does, but without threads, whose start takes longer. */
static uint64_t solve(int n, const char *text, const char *kernel) {
    struct solver *solver = open_solver(n, OPTIONS(.board = text, .kernel = kernel));
    void *workspace = solver->call->workspace_new(solver);
    uint64_t sum = 0;
    cr_assert_not_null(workspace);
    for (uint64_t id = 0; id < solver->partition->job.units; id++)
        sum +=
            solver->partition->units[id].weight * solve_unit(solver, workspace, id).solutions;
    solver->call->workspace_free(workspace);
    close_solver(solver);
    return sum;
}

Test(completions, are_those_of_brute_force) {
    uint64_t seed = 92, with_some = 0;
    for (int i = 0; i < BOARDS; i++) {
        const int n = i % (MOST_SIDE + 1);
        char squares[MOST_SIDE * MOST_SIDE + 1] = "", text[4 * MOST_SIDE * MOST_SIDE + 64] = "";
        int column[MOST_SIDE];
        make_board(&seed, n, squares, text);
        const uint64_t expected = brute_force(n, squares, 0, column);
        cr_assert_eq(solve(n, text, i % 2 == 0 ? "auto" : "scalar64"), expected, "%s", text);
        cr_assert_eq(list_all(n, text, squares), expected, "%s", text);
        with_some += expected > 0;
    }
    cr_expect(with_some > BOARDS / 4 && with_some < BOARDS * 3 / 4, "%" PRIu64, with_some);
}
