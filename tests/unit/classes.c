/* nq_count_classes: the number of classes, given the number of solutions, and the searches for
 * symmetric solutions that it needs. */
#include "core/known.h"
#include "counts.h"
#include "library/symmetric.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <nqueens.h>
#include <stdio.h>
#include <string.h>

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

/* The tables begin at n = 1. Other suites compare them with brute force. */
Test(classes, numbers_are_verified_where_all_are_known) {
    for (int n = 0; n <= 22; n++) {
        uint64_t total, fundamental = 1, half_turn = 1, quarter_turn = 1;
        nq_classes classes;
        nq_known_fundamental(n, &fundamental);
        nqi_known_half_turn(n, &half_turn);
        nqi_known_quarter_turn(n, &quarter_turn);
        cr_assert(nq_known_total(n, &total), "n = %d", n);
        expect_status(nq_count_classes(n, total, &classes), NQ_OK, "");
        cr_expect(classes.verdict == (n > 0 ? NQ_VERIFIED : NQ_UNVERIFIED) &&
                      classes.fundamental == fundamental && classes.half_turn == half_turn &&
                      classes.quarter_turn == quarter_turn,
                  "n = %d: %" PRIu64, n, classes.fundamental);
    }
}

/* If a total is wrong by 1 to 7, the sum over the symmetries is no multiple of eight; if it is
 * wrong by 8, there is one class too many or too few. With the largest totals the sum outgrows
 * 64 bits; with the last one it is 0 modulo 2^64. */
Test(classes, wrong_totals_are_reported) {
    for (int n = 4; n <= 15; n++) {
        uint64_t half_turn, quarter_turn;
        cr_assert(nqi_known_half_turn(n, &half_turn) &&
                  nqi_known_quarter_turn(n, &quarter_turn));
        const uint64_t wrong[] = {published[n] + 1,   published[n] + 7,
                                  published[n] + 8,   published[n] - 1,
                                  published[n] - 8,   0,
                                  UINT64_MAX,         UINT64_MAX - 3,
                                  UINT64_MAX / 2 + 1, 0 - half_turn - 2 * quarter_turn};
        for (size_t i = 0; i < LENGTH(wrong); i++) {
            nq_classes classes;
            char named[24];
            snprintf(named, sizeof named, "n = %d:", n);
            expect_status(nq_count_classes(n, wrong[i], &classes), NQ_MISMATCH, named);
            cr_expect_eq(classes.verdict, NQ_WRONG, "n = %d, %" PRIu64 " solutions", n,
                         wrong[i]);
        }
    }
}

Test(classes, n_out_of_range_is_refused) {
    const int bad[] = {-1, NQ_MAX_N + 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        nq_classes classes;
        expect_status(nq_count_classes(bad[i], 1, &classes), NQ_BAD_N, "0 to 28");
        cr_expect(classes.verdict == NQ_UNVERIFIED && classes.fundamental == 0);
    }
}
