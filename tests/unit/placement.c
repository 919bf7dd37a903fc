/* nq_check_placement and nqi_count_attacks: whether a placement is a solution, and which queens
 * attack each other if not. */
#include "library/check.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <nqueens.h>
#include <string.h>

/* Tries all pairs by their upper row, then by their lower row. */
static bool find_attack(int n, const int *columns, nq_attack *found) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, columns[a], b, columns[b])) {
                *found = (nq_attack){{a + 1, b + 1}, {columns[a], columns[b]}};
                return true;
            }
    return false;
}

/* Counts every pair, and marks its queens. */
static void compare_pairs(int n, const int *columns) {
    enum { LARGEST = 600 };
    bool attacked[LARGEST], expected[LARGEST] = {false};
    uint64_t pairs = 0, found = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, columns[a], b, columns[b])) {
                pairs++;
                expected[a] = expected[b] = true;
            }
    cr_assert_eq(nqi_count_attacks(n, columns, attacked, &found), NQ_OK, "n = %d", n);
    cr_assert_eq(found, pairs, "n = %d", n);
    for (int row = 0; row < n; row++)
        cr_assert_eq(attacked[row], expected[row], "n = %d, row %d", n, row + 1);
    cr_assert_eq(nqi_count_attacks(n, columns, NULL, &found), NQ_OK, "n = %d", n);
    cr_assert_eq(found, pairs, "n = %d, no room for marks", n);
}

static void compare(int n, const int *columns) {
    compare_pairs(n, columns);
    nq_attack expected, found = {{-1, -1}, {-1, -1}};
    nq_status status = find_attack(n, columns, &expected) ? NQ_ATTACK : NQ_OK;
    cr_assert_eq(nq_check_placement(n, columns, &found), status, "n = %d: expected: %s", n,
                 nq_status_text(status));
    cr_assert_eq(nq_check_placement(n, columns, NULL), status, "n = %d, no room for the pair",
                 n);
    if (status == NQ_ATTACK)
        cr_assert(memcmp(&found, &expected, sizeof found) == 0,
                  "n = %d: rows %d and %d, columns %d and %d, instead of rows %d and %d", n,
                  found.row[0], found.row[1], found.column[0], found.column[1], expected.row[0],
                  expected.row[1]);
}

/* Every way to put a queen into each row, solutions or not. */
static void compare_all(int n, int row, int *columns) {
    if (row == n)
        compare(n, columns);
    for (int column = 1; column <= n && row < n; column++) {
        columns[row] = column;
        compare_all(n, row + 1, columns);
    }
}

Test(placement, every_placement_of_small_boards_is_judged_right) {
    int columns[6] = {0};
    for (int n = 0; n <= 6; n++)
        compare_all(n, 0, columns);
}

static void compare_one(const int *columns, void *context) {
    compare(*(int *)context, columns);
}

Test(placement, every_permutation_is_judged_right) {
    for (int n = 6; n <= 8; n++)
        each_permutation(n, 1, compare_one, &n);
}

static const int sides[] = {9, 31, 32, 33, 63, 64, 65, 100, 257, 600};
enum { SIDES = sizeof sides / sizeof *sides, LARGEST = 600 };
static uint64_t seed = 1;

/* A solution with one queen moved. */
Test(placement, a_queen_out_of_place_is_found) {
    int columns[LARGEST];
    for (size_t i = 0; i < SIDES; i++) {
        int n = sides[i];
        cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
        compare(n, columns);
        for (int again = 0; again < 50; again++) {
            int row = random_below(&seed, n), column = columns[row];
            columns[row] = random_below(&seed, n) + 1;
            compare(n, columns);
            columns[row] = column;
        }
    }
}

/* Queens that exchanged their columns attack along diagonals alone. */
Test(placement, two_exchanged_queens_are_found) {
    int columns[LARGEST];
    for (size_t i = 0; i < SIDES; i++) {
        int n = sides[i];
        cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
        for (int again = 0; again < 50; again++) {
            int a = random_below(&seed, n), b = random_below(&seed, n), column = columns[a];
            columns[a] = columns[b];
            columns[b] = column;
            compare(n, columns);
            columns[b] = columns[a];
            columns[a] = column;
        }
    }
}

/* Random queens attack each other all over the board. */
Test(placement, attacks_of_random_queens_are_found) {
    int columns[LARGEST];
    for (size_t i = 0; i < SIDES; i++)
        for (int again = 0; again < 50; again++) {
            for (int row = 0; row < sides[i]; row++)
                columns[row] = random_below(&seed, sides[i]) + 1;
            compare(sides[i], columns);
        }
}

Test(placement, columns_off_the_board_are_refused) {
    for (int n = 1; n <= 9; n++)
        for (int row = 0; row < n; row++) {
            const int bad[] = {0, n + 1, -1, INT_MAX, INT_MIN, INT_MAX - n, -n};
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                int columns[9];
                nq_attack found;
                for (int r = 0; r < n; r++) /* attacks everywhere, which must not be reported */
                    columns[r] = 1;
                columns[row] = bad[i];
                cr_expect_eq(nq_check_placement(n, columns, &found), NQ_NO_PLACEMENT,
                             "n = %d, row %d, column %d", n, row + 1, bad[i]);
                cr_expect_eq(nq_check_placement(n, columns, NULL), NQ_NO_PLACEMENT,
                             "n = %d, row %d, column %d", n, row + 1, bad[i]);
                uint64_t pairs = 1;
                cr_expect_eq(nqi_count_attacks(n, columns, NULL, &pairs), NQ_NO_PLACEMENT,
                             "n = %d, row %d, column %d", n, row + 1, bad[i]);
                cr_expect_eq(pairs, 0);
            }
        }
}

Test(placement, n_out_of_range_is_refused) {
    const int bad[] = {-1, NQ_MAX_SIDE + 1, INT_MIN, INT_MAX}, columns[] = {1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        nq_attack found;
        uint64_t pairs;
        cr_expect_eq(nq_check_placement(bad[i], columns, &found), NQ_BAD_N, "n = %d", bad[i]);
        cr_expect_eq(nqi_count_attacks(bad[i], columns, NULL, &pairs), NQ_BAD_N, "n = %d",
                     bad[i]);
    }
}

Test(placement, the_empty_board_is_a_solution) {
    nq_attack found;
    cr_expect_eq(nq_check_placement(0, (const int[]){-1}, &found), NQ_OK);
    cr_expect_eq(nq_check_placement(0, NULL, NULL), NQ_OK);
    uint64_t pairs = 1;
    cr_expect_eq(nqi_count_attacks(0, NULL, NULL, &pairs), NQ_OK);
    cr_expect_eq(pairs, 0);
}

/* n (n - 1) / 2 pairs, which do not fit into 32 bits. */
Test(placement, a_diagonal_full_of_queens) {
    enum { MANY = 100000 };
    static int columns[MANY];
    uint64_t pairs;
    for (int row = 0; row < MANY; row++)
        columns[row] = row + 1;
    cr_expect_eq(nqi_count_attacks(MANY, columns, NULL, &pairs), NQ_OK);
    cr_expect_eq(pairs, (uint64_t)MANY * (MANY - 1) / 2);
}
