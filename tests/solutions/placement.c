/* SPDX-License-Identifier: MIT */
/* Placements: whether one is a solution, and which queens attack each other if not; and a
 * solution for every board that has one. */
#include "solutions/placement.h"
#include "core/arrays.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <nqueens.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 600 };

/* Expects the attacks that a loop over all pairs of queens finds. The attack that the library
 * names must be the first one, in the order of upper rows and then of lower rows. */
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
    cr_assert_eq(nqi_count_attacks(n, columns, attacked, &found, NULL), NQ_OK, "n = %d", n);
    cr_assert(found == pairs && memcmp(attacked, expected, (size_t)n * sizeof *attacked) == 0,
              "n = %d: %d pairs", n, (int)found);
    const nq_status status = nq_check_placement(n, columns, &named);
    cr_assert_eq(status, pairs > 0 ? NQ_ATTACK : NQ_OK, "n = %d", n);
    cr_assert(pairs == 0 || memcmp(&named, &first, sizeof first) == 0,
              "n = %d: rows %d and %d instead of rows %d and %d", n, named.row[0], named.row[1],
              first.row[0], first.row[1]);
    cr_assert_eq(nq_check_placement(n, columns, NULL), status, "n = %d, no room", n);
}

Test(placement, attacks_are_found) {
    static const int sides[] = {1, 4, 6, 9, 31, 32, 33, 63, 64, 65, 100, 257, LARGEST};
    enum { SOLUTION, QUEEN_MOVED, QUEENS_EXCHANGED, QUEENS_ANYWHERE };
    int columns[LARGEST];
    uint64_t seed = 1;
    for (size_t i = 0; i < LENGTH(sides); i++)
        for (int again = 0; again < 90; again++) {
            const int n = sides[i], a = random_below(&seed, n), b = random_below(&seed, n);
            cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
            const int column = columns[a];
            const int kind = again > 0 && again % 9 == 0 ? QUEENS_ANYWHERE : again % 3;
            if (kind == QUEEN_MOVED || kind == QUEENS_EXCHANGED)
                columns[a] = columns[b];
            if (kind == QUEENS_EXCHANGED)
                columns[b] = column;
            for (int row = 0; row < n && kind == QUEENS_ANYWHERE; row++)
                columns[row] = random_below(&seed, n) + 1;
            compare(n, columns);
        }
}

Test(placement, pairs_on_a_full_diagonal_may_outgrow_32_bits) {
    enum { MANY = 100000 };
    static int columns[MANY];
    uint64_t pairs;
    for (int row = 0; row < MANY; row++)
        columns[row] = row + 1;
    cr_expect_eq(nqi_count_attacks(MANY, columns, NULL, &pairs, NULL), NQ_OK);
    cr_expect_eq(pairs, (uint64_t)MANY * (MANY - 1) / 2);
}

enum { FENCE = -77, FROM = 999996, TO = 1000008 };

/* Solves all boards up to n = 2000, and boards of a million rows with each remainder modulo 12.
 * The library checks the solutions with the functions that the cases above test. */
Test(construct, every_board_is_solved) {
    int *room = calloc(TO + 2, sizeof *room);
    cr_assert_not_null(room);
    for (int n = 1; n <= TO; n = n == 2000 ? FROM : n + 1) {
        const bool none = n == 2 || n == 3;
        room[0] = room[1] = room[n + 1] = FENCE;
        cr_assert_eq(nq_construct_solution(n, room + 1), none ? NQ_NO_SOLUTION : NQ_OK,
                     "n = %d", n);
        cr_assert(none ? room[1] == FENCE : nq_check_placement(n, room + 1, NULL) == NQ_OK,
                  "n = %d", n);
        cr_assert(room[0] == FENCE && room[n + 1] == FENCE, "n = %d: wrote outside", n);
    }
    free(room);
}
