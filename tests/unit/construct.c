/* nq_construct_solution: a solution for every board that has one. */
#include "length.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <nqueens.h>
#include <stdlib.h>

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

enum { FENCE = -77, FROM = 999996, TO = 1000008 };

/* Of the boards of a million rows, all remainders modulo 12. */
Test(construct, every_board_is_solved) {
    int *room = calloc(TO + 2, sizeof *room);
    cr_assert_not_null(room);
    for (int n = 1; n <= TO; n = n == 2000 ? FROM : n + 1) {
        const bool none = n == 2 || n == 3;
        room[0] = room[1] = room[n + 1] = FENCE;
        cr_assert_eq(nq_construct_solution(n, room + 1), none ? NQ_NO_SOLUTION : NQ_OK,
                     "n = %d", n);
        cr_assert(none ? room[1] == FENCE : is_solution(n, room + 1), "n = %d", n);
        cr_assert(room[0] == FENCE && room[n + 1] == FENCE, "n = %d: wrote outside", n);
    }
    free(room);
}

Test(construct, n_out_of_range_is_refused) {
    const int bad[] = {0, -1, NQ_MAX_SIDE + 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        int column = FENCE;
        cr_expect_eq(nq_construct_solution(bad[i], &column), NQ_BAD_N, "n = %d", bad[i]);
        cr_expect_eq(column, FENCE);
    }
}
