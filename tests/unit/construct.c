/* nq_construct_solution: a solution for every board that has one. */
#include <criterion/criterion.h>
#include <limits.h>
#include <nqueens.h>
#include <stdlib.h>
#include <string.h>

/* Marks the columns and diagonals of the queens. False: one of them has two queens. */
static bool is_solution(int n, const int *columns) {
    size_t side = (size_t)n;
    bool *column_has = calloc(5 * side + 5, sizeof *column_has);
    cr_assert_not_null(column_has);
    bool *sum_has = column_has + side + 1;         /* 2..2n */
    bool *difference_has = sum_has + 2 * side + 1; /* 1 - n..n - 1, moved up by n */
    bool free_so_far = true;
    for (int row = 1; row <= n && free_so_far; row++) {
        int column = columns[row - 1];
        free_so_far = column >= 1 && column <= n && !column_has[column] &&
                      !sum_has[row + column] && !difference_has[row - column + n];
        if (free_so_far)
            column_has[column] = sum_has[row + column] = difference_has[row - column + n] =
                true;
    }
    free(column_has);
    return free_so_far;
}

enum { FENCE = -77 };

/* room: n + 2 numbers, of which the first and the last must stay as they are. */
static void expect_solution(int n, int *room) {
    room[0] = room[n + 1] = FENCE;
    nq_status status = nq_construct_solution(n, room + 1);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, nq_status_text(status));
    cr_assert(is_solution(n, room + 1), "n = %d", n);
    cr_assert(room[0] == FENCE && room[n + 1] == FENCE, "n = %d: wrote outside", n);
}

Test(construct, this_suites_own_check_sees_attacks) {
    cr_expect(is_solution(1, (int[]){1}));
    cr_expect(is_solution(4, (int[]){2, 4, 1, 3}));
    cr_expect_not(is_solution(2, (int[]){1, 2}));
    cr_expect_not(is_solution(2, (int[]){2, 1}));
    cr_expect_not(is_solution(3, (int[]){1, 3, 1}));
    cr_expect_not(is_solution(4, (int[]){2, 4, 1, 5}));
    cr_expect_not(is_solution(4, (int[]){0, 3, 1, 4}));
}

Test(construct, every_board_up_to_2000_is_solved) {
    int room[2002];
    for (int n = 1; n <= 2000; n++)
        if (n != 2 && n != 3)
            expect_solution(n, room);
}

/* All remainders modulo 6 and 12. */
Test(construct, boards_of_a_million_rows_are_solved) {
    enum { FROM = 999996, TO = 1000008 };
    int *room = calloc(TO + 2, sizeof *room);
    cr_assert_not_null(room);
    for (int n = FROM; n <= TO; n++) {
        expect_solution(n, room);
        cr_expect_eq(nq_check_placement(n, room + 1, NULL), NQ_OK, "n = %d", n);
    }
    free(room);
}

static void refuse(int n, nq_status expected) {
    int columns[4], before[4] = {FENCE, FENCE, FENCE, FENCE};
    memcpy(columns, before, sizeof columns);
    nq_status status = nq_construct_solution(n, columns);
    cr_expect_eq(status, expected, "n = %d: %s", n, nq_status_text(status));
    cr_expect_arr_eq(columns, before, sizeof columns, "n = %d: wrote a placement", n);
}

Test(construct, boards_without_a_solution_are_refused) {
    refuse(2, NQ_NO_SOLUTION);
    refuse(3, NQ_NO_SOLUTION);
}

Test(construct, n_out_of_range_is_refused) {
    refuse(0, NQ_BAD_N);
    refuse(-1, NQ_BAD_N);
    refuse(NQ_MAX_SIDE + 1, NQ_BAD_N);
    refuse(INT_MIN, NQ_BAD_N);
    refuse(INT_MAX, NQ_BAD_N);
}
