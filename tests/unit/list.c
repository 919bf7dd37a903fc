/* SPDX-License-Identifier: MIT */
/* nq_list: every solution, or the first of every class, in lexicographic order. */
#include "core/known.h"
#include "images.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <nqueens.h>

/* Room for a solution, with a number on either side that a list must leave alone. */
enum { FENCE = -77 };
struct room {
    int before, column[NQ_MAX_SEARCH_N + 1];
};

struct listed {
    int n;
    bool fundamental;
    nq_list *list;
};

static struct listed open_list(int n, bool fundamental) {
    struct listed listed = {n, fundamental, NULL};
    cr_assert_eq(nq_list_open(n, fundamental, &listed.list), NQ_OK, "n = %d", n);
    return listed;
}

/* Columns count from 0, as the oracle's do. */
static bool next(const struct listed *listed, struct room *room) {
    const int n = listed->n;
    room->before = room->column[n] = FENCE;
    const bool found = nq_list_next(listed->list, room->column);
    cr_assert(room->before == FENCE && room->column[n] == FENCE,
              "n = %d: wrote outside its %d columns", n, n);
    for (int row = 0; row < n && found; row++)
        room->column[row]--;
    return found;
}

static void expect_end(const struct listed *listed) {
    struct room room;
    for (int again = 0; again < 3; again++)
        cr_expect_not(next(listed, &room), "n = %d: one more", listed->n);
    nq_list_close(listed->list);
}

static void expect_next(const int *column, void *context) {
    const struct listed *listed = context;
    struct room room;
    if (listed->fundamental && !orbit_of(listed->n, column).first)
        return;
    cr_assert(next(listed, &room), "n = %d: ended early", listed->n);
    cr_assert_eq(order_of(listed->n, room.column, column), 0, "n = %d", listed->n);
}

/* The solutions rise, so they all differ, and are as many as there are. Each of a list of
 * classes is the first of its class, and the sizes of the classes add up to all solutions. */
Test(list, rises_and_is_as_long_as_the_count) {
    for (int n = 0; n <= 12; n++)
        for (int fundamental = 0; fundamental < 2; fundamental++) {
            struct listed listed = open_list(n, fundamental == 1);
            struct room room[2];
            uint64_t length = 0, solutions = 0, half = 0, quarter = 0;
            uint64_t known[3] = {1, 1, 1}; /* of n = 0: not in the tables */
            for (; next(&listed, &room[length % 2]); length++) {
                const int *column = room[length % 2].column;
                cr_assert(
                    is_solution(n, column) &&
                        (length == 0 || order_of(n, room[1 - length % 2].column, column) < 0),
                    "n = %d: solution %" PRIu64, n, length + 1);
                const struct orbit orbit = orbit_of(n, column);
                cr_assert(orbit.first || fundamental == 0);
                solutions += fundamental == 1 ? (uint64_t)orbit.size : 1;
                half += orbit.half_turn;
                quarter += orbit.quarter_turn;
            }
            expect_end(&listed);
            nq_known_fundamental(n, &known[0]);
            nqi_known_half_turn(n, &known[1]);
            nqi_known_quarter_turn(n, &known[2]);
            cr_expect(solutions == published[n] && (fundamental == 0 || length == known[0]) &&
                          (fundamental == 1 || (half == known[1] && quarter == known[2])),
                      "n = %d: %" PRIu64 " solutions", n, length);
        }
}

/* Boards that are too large to list. The oracle tries columns from left to right, so its order
 * is lexicographic. A list may be closed early, and is not disturbed by
 * another one. */
Test(list, begins_with_the_first_solutions_of_large_boards) {
    for (int n = 13; n <= 25; n += 2) {
        struct listed all = open_list(n, false), fundamental = open_list(n, true);
        each_placement(n, n, 30, expect_next, &all);
        each_placement(n, n, 30, expect_next, &fundamental);
        nq_list_close(all.list);
        nq_list_close(fundamental.list);
    }
    nq_list_close(open_list(NQ_MAX_SEARCH_N, true).list);
    nq_list_close(NULL);
}
