/* nq_check_placement and nqi_count_attacks: whether a placement is a solution, and which queens
 * attack each other if not. */
#include "length.h"
#include "library/check.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <nqueens.h>
#include <string.h>

enum { LARGEST = 600 };

/* Tries all pairs by their upper row, then by their lower row. */
static void compare(int n, const int *columns) {
    bool attacked[LARGEST], expected[LARGEST] = {false};
    uint64_t pairs = 0, found = 0;
    nq_attack first = {0}, named = {{-1, -1}, {-1, -1}};
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (attack(a, columns[a], b, columns[b])) {
                if (pairs++ == 0)
                    first = (nq_attack){{a + 1, b + 1}, {columns[a], columns[b]}};
                expected[a] = expected[b] = true;
            }
    cr_assert_eq(nqi_count_attacks(n, columns, attacked, &found), NQ_OK, "n = %d", n);
    cr_assert(found == pairs && memcmp(attacked, expected, (size_t)n * sizeof *attacked) == 0,
              "n = %d: %d pairs", n, (int)found);
    const nq_status status = nq_check_placement(n, columns, &named);
    cr_assert_eq(status, pairs > 0 ? NQ_ATTACK : NQ_OK, "n = %d", n);
    cr_assert(pairs == 0 || memcmp(&named, &first, sizeof first) == 0,
              "n = %d: rows %d and %d instead of rows %d and %d", n, named.row[0], named.row[1],
              first.row[0], first.row[1]);
    cr_assert_eq(nq_check_placement(n, columns, NULL), status, "n = %d, no room", n);
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

/* Solutions, solutions with one queen moved or with two that exchanged their columns, and
 * queens anywhere. */
Test(placement, attacks_on_larger_boards_are_found) {
    static const int sides[] = {9, 31, 32, 33, 63, 64, 65, 100, 257, LARGEST};
    int columns[LARGEST];
    uint64_t seed = 1;
    for (size_t i = 0; i < LENGTH(sides); i++)
        for (int again = 0; again < 90; again++) {
            const int n = sides[i], a = random_below(&seed, n), b = random_below(&seed, n);
            cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
            const int column = columns[a];
            if (again % 3 > 0)
                columns[a] = columns[b];
            if (again % 3 == 2)
                columns[b] = column;
            for (int row = 0; row < n && again % 9 == 0 && again > 0; row++)
                columns[row] = random_below(&seed, n) + 1;
            compare(n, columns);
        }
}

/* Attacks everywhere, which must not be reported. */
Test(placement, columns_off_the_board_are_refused) {
    for (int n = 1; n <= 9; n++)
        for (int row = 0; row < n; row++) {
            const int bad[] = {0, n + 1, -1, INT_MAX, INT_MIN, INT_MAX - n, -n};
            for (size_t i = 0; i < LENGTH(bad); i++) {
                int columns[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
                uint64_t pairs = 1;
                nq_attack found;
                columns[row] = bad[i];
                cr_expect_eq(nq_check_placement(n, columns, &found), NQ_NO_PLACEMENT,
                             "n = %d, row %d, column %d", n, row + 1, bad[i]);
                cr_expect_eq(nqi_count_attacks(n, columns, NULL, &pairs), NQ_NO_PLACEMENT,
                             "n = %d, row %d, column %d", n, row + 1, bad[i]);
                cr_expect_eq(pairs, 0);
            }
        }
}

/* The empty board is a solution. */
Test(placement, n_out_of_range_is_refused) {
    const int sizes[] = {0, -1, NQ_MAX_SIDE + 1, INT_MIN, INT_MAX}, columns[] = {1};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        const nq_status expected = sizes[i] == 0 ? NQ_OK : NQ_BAD_N;
        uint64_t pairs = 1;
        cr_expect_eq(nq_check_placement(sizes[i], columns, NULL), expected, "n = %d", sizes[i]);
        cr_expect_eq(nqi_count_attacks(sizes[i], columns, NULL, &pairs), expected, "n = %d",
                     sizes[i]);
        cr_expect_eq(pairs, 0);
    }
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
