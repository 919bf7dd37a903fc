/* SPDX-License-Identifier: MIT */
/* The tables of known numbers. */
#include "core/known.h"
#include "core/arrays.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>

static uint64_t known_number(bool (*known)(int, uint64_t *), int n) {
    uint64_t number = UINT64_MAX;
    cr_assert(known(n, &number), "n = %d", n);
    return number;
}

/* For an n outside its range, a function returns false and stores nothing. */
Test(known, numbers_are_known_exactly_within_their_ranges) {
    static const struct {
        bool (*known)(int, uint64_t *);
        int first, last;
    } tables[] = {{nq_known_total, 0, NQ_MAX_KNOWN_N},
                  {nq_known_fundamental, 1, NQ_MAX_KNOWN_N},
                  {nqi_known_half_turn, 1, 32},
                  {nqi_known_quarter_turn, 1, 63}};
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

/* Burnside's lemma over the eight symmetries: no reflection leaves a solution for n > 1
 * unchanged, so 8 x fundamental = all + half turn + 2 x quarter turn. A wrong digit in any
 * table breaks this equation. */
Test(known, numbers_agree) {
    for (int n = 2; n <= NQ_MAX_KNOWN_N; n++)
        cr_expect_eq(8 * known_number(nq_known_fundamental, n),
                     known_number(nq_known_total, n) + known_number(nqi_known_half_turn, n) +
                         2 * known_number(nqi_known_quarter_turn, n),
                     "n = %d", n);
}

/* No equation checks these numbers. The hash is that of the numbers published as A032522 and
 * A033148. */
Test(known, numbers_of_larger_boards_stay_as_they_are) {
    uint64_t hash = 0, number;
    for (int n = NQ_MAX_KNOWN_N + 1; n <= 63; n++)
        for (int turn = 0; turn < 2; turn++)
            if ((turn == 0 ? nqi_known_half_turn : nqi_known_quarter_turn)(n, &number))
                hash = hash * UINT64_C(0x100000001b3) ^ number;
    cr_expect_eq(hash, UINT64_C(0x995102d30eb18778), "%" PRIx64, hash);
}
