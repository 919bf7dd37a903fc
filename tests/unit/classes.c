/* nq_count_classes: the number of classes, given the number of solutions, and the searches for
 * symmetric solutions that it needs. */
#include "core/known.h"
#include "images.h"
#include "library/symmetric.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <nqueens.h>
#include <stdio.h>
#include <string.h>

Test(classes, numbers_equal_brute_force) {
    for (int n = 0; n <= 11; n++) {
        struct symmetric s = count_symmetric(n);
        cr_expect_eq(nqi_count_half_turn(n), s.half_turn, "n = %d: half turn", n);
        cr_expect_eq(nqi_count_quarter_turn(n), s.quarter_turn, "n = %d: quarter turn", n);
        nq_classes classes;
        nq_status status = nq_count_classes(n, published[n], &classes);
        cr_expect_eq(status, NQ_OK, "n = %d: %s", n, nq_error_message());
        cr_expect_eq(classes.half_turn, s.half_turn, "n = %d: %" PRIu64, n, classes.half_turn);
        cr_expect_eq(classes.quarter_turn, s.quarter_turn, "n = %d: %" PRIu64, n,
                     classes.quarter_turn);
        cr_expect_eq(classes.fundamental, s.fundamental, "n = %d: %" PRIu64, n,
                     classes.fundamental);
    }
}

/* A search for symmetric solutions alone: each queen is placed together with its images under
 * the turn, row by row from the top, on squares that no queen attacks. */
struct turned {
    int n, quarter;
    int column[NQ_MAX_N]; /* -1: no queen yet */
    uint64_t count;
};

static bool put(struct turned *t, int row, int column) {
    if (t->column[row] == column)
        return true; /* this queen is there already */
    if (t->column[row] >= 0)
        return false;
    for (int other = 0; other < t->n; other++)
        if (t->column[other] >= 0 && attack(other, t->column[other], row, column))
            return false;
    t->column[row] = column;
    return true;
}

static void place(struct turned *t, int row) {
    while (row < t->n && t->column[row] >= 0)
        row++;
    t->count += row == t->n;
    int last = t->n - 1;
    struct turned before = *t;
    for (int column = 0; column < t->n && row < t->n; column++) {
        bool fits = put(t, row, column) && put(t, last - row, last - column);
        if (t->quarter != 0)
            fits = fits && put(t, column, last - row) && put(t, last - column, row);
        if (fits)
            place(t, row + 1);
        memcpy(t->column, before.column, sizeof t->column);
    }
}

static uint64_t count_turned(int n, int quarter) {
    struct turned t = {.n = n, .quarter = quarter};
    for (int row = 0; row < NQ_MAX_N; row++)
        t.column[row] = -1;
    place(&t, 0);
    return t.count;
}

Test(classes, symmetric_numbers_of_larger_boards_equal_a_search) {
    for (int n = 0; n <= 15; n++)
        cr_expect_eq(nqi_count_half_turn(n), count_turned(n, 0), "n = %d", n);
    for (int n = 0; n <= 20; n++)
        cr_expect_eq(nqi_count_quarter_turn(n), count_turned(n, 1), "n = %d", n);
}

/* The tables begin at n = 1. */
Test(classes, numbers_are_verified_where_all_are_known) {
    for (int n = 0; n <= 22; n++) {
        uint64_t total, fundamental = 1, half_turn = 1, quarter_turn = 1;
        bool known = nq_known_fundamental(n, &fundamental) &&
                     nqi_known_half_turn(n, &half_turn) &&
                     nqi_known_quarter_turn(n, &quarter_turn);
        cr_assert(nq_known_total(n, &total), "n = %d", n);
        nq_classes classes;
        nq_status status = nq_count_classes(n, total, &classes);
        cr_expect_eq(status, NQ_OK, "n = %d: %s", n, nq_error_message());
        cr_expect_eq(known, n > 0, "n = %d", n);
        cr_expect_eq(classes.verdict, n > 0 ? NQ_VERIFIED : NQ_UNVERIFIED, "n = %d", n);
        cr_expect_eq(classes.fundamental, fundamental, "n = %d: %" PRIu64, n,
                     classes.fundamental);
        cr_expect_eq(classes.half_turn, half_turn, "n = %d: %" PRIu64, n, classes.half_turn);
        cr_expect_eq(classes.quarter_turn, quarter_turn, "n = %d: %" PRIu64, n,
                     classes.quarter_turn);
        cr_expect_str_empty(nq_error_message(), "n = %d", n);
    }
}

/* If a total is wrong by 1 to 7, the sum over the symmetries is no multiple of eight; if it is
 * wrong by 8, there is one class too many or too few. With the largest totals the sum outgrows
 * 64 bits. */
Test(classes, wrong_totals_are_reported) {
    for (int n = 0; n <= 15; n++) {
        const uint64_t wrong[] = {published[n] + 1, published[n] + 7,  published[n] + 8,
                                  published[n] - 1, published[n] - 8,  UINT64_MAX,
                                  UINT64_MAX - 3,   UINT64_MAX / 2 + 1};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            nq_classes classes;
            char names[24];
            snprintf(names, sizeof names, "n = %d:", n);
            nq_status status = nq_count_classes(n, wrong[i], &classes);
            cr_expect_eq(status, NQ_MISMATCH, "n = %d, %" PRIu64 " solutions: %s", n, wrong[i],
                         nq_status_text(status));
            cr_expect_eq(classes.verdict, NQ_WRONG, "n = %d, %" PRIu64 " solutions", n,
                         wrong[i]);
            cr_expect_not_null(strstr(nq_error_message(), names), "n = %d: '%s'", n,
                               nq_error_message());
        }
    }
}

/* Totals for which the sum over the symmetries is 0 modulo 2^64. */
Test(classes, sums_beyond_64_bits_are_reported) {
    for (int n = 4; n <= 16; n++) {
        uint64_t half_turn, quarter_turn;
        cr_assert(nqi_known_half_turn(n, &half_turn) &&
                      nqi_known_quarter_turn(n, &quarter_turn),
                  "n = %d", n);
        nq_classes classes;
        nq_status status = nq_count_classes(n, 0 - half_turn - 2 * quarter_turn, &classes);
        cr_expect_eq(status, NQ_MISMATCH, "n = %d: %s", n, nq_status_text(status));
        cr_expect_not_null(strstr(nq_error_message(), "cannot be"), "%s", nq_error_message());
    }
}

Test(classes, totals_below_the_symmetric_solutions_are_reported) {
    for (int n = 0; n <= 15; n++) {
        nq_classes classes;
        nq_status expected = published[n] == 0 ? NQ_OK : NQ_MISMATCH;
        cr_expect_eq(nq_count_classes(n, 0, &classes), expected, "n = %d: %s", n,
                     nq_error_message());
        cr_expect_eq(*nq_error_message() == '\0', expected == NQ_OK, "n = %d", n);
    }
}

Test(classes, n_out_of_range_is_refused) {
    const int bad[] = {-1, NQ_MAX_N + 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        nq_classes classes;
        char names[32];
        snprintf(names, sizeof names, "n = %d:", bad[i]);
        cr_expect_eq(nq_count_classes(bad[i], 1, &classes), NQ_BAD_N, "n = %d", bad[i]);
        cr_expect_eq(classes.verdict, NQ_UNVERIFIED, "n = %d", bad[i]);
        cr_expect_eq(classes.fundamental, 0, "n = %d", bad[i]);
        cr_expect_not_null(strstr(nq_error_message(), names), "n = %d: '%s'", bad[i],
                           nq_error_message());
        cr_expect_not_null(strstr(nq_error_message(), "0 to 28"), "%s", nq_error_message());
    }
}
