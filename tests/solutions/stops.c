/* SPDX-License-Identifier: MIT */
/* Lists and counts of classes that the progress callback stops. */
#include "counts.h"
#include "oracle.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <stdio.h>

static bool watch_and_stop(const nq_progress *progress, void *context) {
    watch(progress, context);
    return false;
}

/* Options with which each report of progress stops the call. */
#define STOPPED_BY(w)                                                                          \
    OPTIONS(.progress = watch_and_stop, .progress_context = (w), .progress_seconds = 1e-9)

/* Returns a board without a solution, for which a search takes longer than anyone waits. In
 * each of the last two rows only the same two neighbouring squares are allowed, where queens
 * attack each other. */
static const char *hopeless_board(void) {
    static char board[NQ_MAX_N * (NQ_MAX_N + 1) + 1];
    char *at = board;
    for (int row = 0; row < NQ_MAX_N; row++, *at++ = '\n')
        for (int column = 0; column < NQ_MAX_N; column++)
            *at++ = row < NQ_MAX_N - 2 || (column == 13 || column == 14) ? '.' : '*';
    return board;
}

Test(stops, a_search_without_an_end_is_stopped_again_and_again) {
    struct watch w = {0};
    nq_options options = *STOPPED_BY(&w);
    nq_list *list;
    int columns[NQ_MAX_N];
    options.board = hopeless_board();
    expect_status(nq_list_open(NQ_MAX_N, false, &options, &list), NQ_OK, "a hopeless board");
    for (int call = 1; call <= 100; call++) {
        expect_status(nq_list_next(list, columns), NQ_CANCELLED, "cancelled");
        cr_expect_eq(w.calls, call);
    }
    cr_expect(!w.wrong && w.job.n == NQ_MAX_N && w.last.share < 0.01);
    nq_list_close(list);
}

struct listed {
    int n;
    nq_list *list;
    int stops;
};

static void expect_next(const int *column, void *context) {
    struct listed *listed = context;
    int next[NQ_MAX_N];
    nq_status status;
    while ((status = nq_list_next(listed->list, next)) == NQ_CANCELLED)
        listed->stops++;
    cr_assert_eq(status, NQ_OK, "%s", nq_error_message());
    for (int row = 0; row < listed->n; row++)
        cr_assert_eq(next[row], column[row] + 1, "row %d", row + 1);
}

Test(stops, a_stopped_list_goes_on_and_lacks_nothing) {
    struct watch w = {0};
    struct listed listed = {.n = 11};
    int columns[NQ_MAX_N];
    expect_status(nq_list_open(listed.n, false, STOPPED_BY(&w), &listed.list), NQ_OK, "");
    each_solution(listed.n, UINT64_MAX, expect_next, &listed);
    cr_expect(listed.stops > 5 && listed.stops == w.calls && !w.wrong, "%d stops", w.calls);
    cr_expect(w.last.share > 0.5, "%f", w.last.share);
    for (int again = 0; again < 2; again++)
        expect_status(nq_list_next(listed.list, columns), NQ_NO_SOLUTION, "no other");
    nq_list_close(listed.list);
}

/* The list ends once the first queen has passed the middle, because the first solution of a
 * class never has that queen in the right half. The share must go up all the same. */
Test(stops, shares_of_a_list_of_classes_go_up) {
    struct watch w = {0};
    nq_list *list;
    int columns[NQ_MAX_N];
    expect_status(nq_list_open(13, true, OPTIONS(WATCHED_BY(&w)), &list), NQ_OK, "");
    while (nq_list_next(list, columns) == NQ_OK) {
    }
    cr_expect(w.calls > 2 && !w.wrong && w.last.share > 0.5, "%f", w.last.share);
    nq_list_close(list);
}

Test(stops, classes_are_not_counted_once_the_callback_says_so) {
    struct watch w = {0};
    nq_classes classes;
    expect_status(nq_count_classes(28, 0, STOPPED_BY(&w), &classes), NQ_CANCELLED, "cancelled");
    cr_expect(w.calls == 1 && !w.wrong && w.job.n == 28);
    cr_expect(classes.half_turn == 0 && classes.quarter_turn == 0 && classes.fundamental == 0 &&
              classes.verdict == NQ_UNVERIFIED);
}

Test(stops, watched_classes_are_the_known_ones) {
    for (int n = 19; n <= 21; n++) {
        struct watch w = {0};
        uint64_t solutions;
        nq_classes classes;
        cr_assert(nq_known_total(n, &solutions));
        expect_status(nq_count_classes(n, solutions, OPTIONS(WATCHED_BY(&w)), &classes), NQ_OK,
                      "");
        cr_expect_eq(classes.verdict, NQ_VERIFIED, "n = %d", n);
        cr_expect(w.calls > 5 && !w.wrong && w.last.share > 0.5, "n = %d: %d calls, %f", n,
                  w.calls, w.last.share);
    }
}

Test(stops, lists_of_classes_of_a_given_board_are_refused) {
    nq_list *list;
    expect_status(nq_list_open(4, true, OPTIONS(.board = "....\n....\n....\n...."), &list),
                  NQ_BAD_OPTION, "empty board");
    cr_expect_null(list);
}
