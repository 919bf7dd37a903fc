/* SPDX-License-Identifier: MIT */
/* Board: the tables of known totals, and the moves of a state. */
#include "core/collections.h"
#include "core/known.h"
#include "length.h"
#include "oracle.h"
#include "search/state.h"

#include <criterion/criterion.h>
#include <limits.h>

/* Numbers of solutions that a half turn leaves unchanged, A032522 (https://oeis.org/A032522),
 * and a quarter turn, A033148 (https://oeis.org/A033148). The latter are listed for n = 4k and
 * 4k + 1; other n have none. A second copy on purpose, to check the library's own. */
enum { KNOWN_HALF_TURN = 32, KNOWN_QUARTER_TURN = 63 };
static const uint64_t half_turn[KNOWN_HALF_TURN + 1] = {
    0,          1,          0,           0,           2,           2,         4,
    8,          4,          16,          12,          48,          80,        136,
    420,        1240,       3000,        8152,        18104,       44184,     144620,
    375664,     1250692,    3581240,     11675080,    34132592,    115718268, 320403024,
    1250901440, 3600075088, 14589438024, 43266334696, 181254386312};
static const uint64_t quarter_turns[KNOWN_QUARTER_TURN / 4 + 1][2] = {
    {0, 1},
    {2, 2},
    {0, 0},
    {8, 8},
    {64, 128},
    {480, 704},
    {3328, 3264},
    {32896, 43776},
    {406784, 667904},
    {5845504, 8650752},
    {77184000, 101492736},
    {1261588480, 1795233792},
    {21517426688, 35028172800},
    {406875119616, 652044443648},
    {8613581094912, 12530550128640},
    {194409626533888, 291826098503680}};

static uint64_t quarter_turn(int n) {
    return n % 4 < 2 ? quarter_turns[n / 4][n % 4] : 0;
}

static uint64_t known_number(bool (*known)(int, uint64_t *), int n) {
    uint64_t number = UINT64_MAX;
    cr_assert(known(n, &number), "n = %d", n);
    return number;
}

/* And nothing is stored for other n. */
Test(known, numbers_are_known_exactly_within_their_ranges) {
    static const struct {
        bool (*known)(int, uint64_t *);
        int first, last;
    } tables[] = {{nq_known_total, 0, NQ_MAX_KNOWN_N},
                  {nq_known_fundamental, 1, NQ_MAX_KNOWN_N},
                  {nqi_known_half_turn, 1, KNOWN_HALF_TURN},
                  {nqi_known_quarter_turn, 1, KNOWN_QUARTER_TURN}};
    for (size_t t = 0; t < LENGTH(tables); t++) {
        const int first = tables[t].first, last = tables[t].last,
                  outside[] = {INT_MIN, first - 1, last + 1, INT_MAX};
        uint64_t number = 7;
        for (size_t i = 0; i < LENGTH(outside); i++)
            cr_expect(!tables[t].known(outside[i], &number) && number == 7, "n = %d",
                      outside[i]);
        for (int n = first; n <= last; n++)
            known_number(tables[t].known, n);
    }
}

/* The suite of lists compares the first of them with brute force. */
Test(known, numbers_are_as_published) {
    for (int n = 0; n < PUBLISHED; n++)
        cr_expect_eq(known_number(nq_known_total, n), published[n], "n = %d", n);
    for (int n = 1; n <= KNOWN_HALF_TURN; n++)
        cr_expect_eq(known_number(nqi_known_half_turn, n), half_turn[n], "n = %d", n);
    for (int n = 1; n <= KNOWN_QUARTER_TURN; n++)
        cr_expect_eq(known_number(nqi_known_quarter_turn, n), quarter_turn(n), "n = %d", n);
}

/* Burnside's lemma over the eight symmetries: no reflection leaves a solution for n > 1
 * unchanged, so 8 x fundamental = all + half turn + 2 x quarter turn. A wrong digit in either
 * table breaks this equation. */
Test(known, totals_and_fundamental_numbers_agree) {
    for (int n = 2; n <= NQ_MAX_KNOWN_N; n++)
        cr_expect_eq(8 * known_number(nq_known_fundamental, n),
                     known_number(nq_known_total, n) + half_turn[n] + 2 * quarter_turn(n),
                     "n = %d", n);
}

/* One queen anywhere, seen from any row below. */
Test(state, place_attacks_the_squares_that_a_queen_attacks) {
    for (int n = 1; n <= NQ_MAX_N; n += 3)
        for (int queen = 0; queen < n; queen++)
            for (int down = 1; down < n; down++) {
                const struct state s = state_place((struct state){0}, UINT64_C(1) << queen);
                const uint64_t free = state_free_below(s, down - 1, low_bits(n));
                for (int column = 0; column < 64; column++)
                    cr_assert_eq(
                        free >> column & 1, column < n && !attack(0, queen, down, column),
                        "n = %d, queen %d, %d down, column %d", n, queen, down, column);
            }
}
