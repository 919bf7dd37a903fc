/* nq_list: every solution, in lexicographic order. */
#include "images.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <nqueens.h>
#include <string.h>

/* Room for a solution, with a number on either side that a list must leave alone. */
enum { FENCE = -77 };
struct room {
    int before, column[NQ_MAX_N + 1];
};

static nq_list *open_list(int n, bool fundamental) {
    nq_list *list = NULL;
    nq_status status = nq_list_open(n, fundamental, &list);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, nq_status_text(status));
    cr_assert_not_null(list, "n = %d", n);
    return list;
}

static bool next(nq_list *list, int n, struct room *room) {
    room->before = room->column[n] = FENCE;
    bool found = nq_list_next(list, room->column);
    cr_assert(room->before == FENCE && room->column[n] == FENCE,
              "n = %d: wrote outside its %d columns", n, n);
    return found;
}

static void expect_end(nq_list *list, int n) {
    struct room room;
    for (int again = 0; again < 5; again++)
        cr_expect_not(next(list, n, &room), "n = %d: one more, asked %d times", n, again + 1);
    nq_list_close(list);
}

struct comparison {
    int n;
    nq_list *list;
};

static void expect_next(const int *column, void *context) {
    struct comparison *c = context;
    struct room room;
    cr_assert(next(c->list, c->n, &room), "n = %d: ended early", c->n);
    for (int row = 0; row < c->n; row++)
        cr_assert_eq(room.column[row], column[row] + 1, "n = %d, row %d: %d instead of %d",
                     c->n, row + 1, room.column[row], column[row] + 1);
    cr_assert_eq(nq_check_placement(c->n, room.column, NULL), NQ_OK, "n = %d", c->n);
}

/* The oracle tries columns from left to right, so its order is lexicographic. */
Test(list, equals_brute_force) {
    for (int n = 0; n <= 10; n++) {
        struct comparison c = {n, open_list(n, false)};
        each_placement(n, n, expect_next, &c);
        expect_end(c.list, n);
    }
}

/* Some of these boards fill the list's waves many times over. */
Test(list, rises_and_is_as_long_as_the_count) {
    for (int n = 0; n <= 13; n++) {
        nq_list *list = open_list(n, false);
        struct room room[2];
        uint64_t length = 0;
        for (; next(list, n, &room[length % 2]); length++)
            cr_assert(length == 0 ||
                          order_of(n, room[1 - length % 2].column, room[length % 2].column) < 0,
                      "n = %d: solution %" PRIu64 " comes too late", n, length + 1);
        expect_end(list, n);
        nq_result result = NQ_RESULT_INIT;
        cr_assert_eq(nq_count_solutions(n, NULL, &result), NQ_OK, "n = %d: %s", n,
                     nq_error_message());
        cr_expect_eq(length, result.solutions, "n = %d: %" PRIu64 " solutions", n, length);
        cr_expect_eq(length, published[n], "n = %d: %" PRIu64 " solutions", n, length);
    }
}

Test(list, has_the_four_solutions_of_six_queens) {
    const int expected[4][6] = {
        {2, 4, 6, 1, 3, 5}, {3, 6, 2, 5, 1, 4}, {4, 1, 5, 2, 6, 3}, {5, 3, 1, 6, 4, 2}};
    nq_list *list = open_list(6, false);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct room room;
        cr_assert(next(list, 6, &room), "solution %zu", i + 1);
        cr_expect_arr_eq(room.column, expected[i], sizeof expected[i], "solution %zu", i + 1);
    }
    expect_end(list, 6);
}

/* A depth-first search on arrays of taken columns and diagonals, for boards that are too large
 * to list. It finds solutions in lexicographic order, and compares the first ones. */
struct first_solutions {
    struct comparison all, fundamental;
    int left; /* to compare */
    int column[NQ_MAX_N];
    bool taken[NQ_MAX_N], sum[2 * NQ_MAX_N], difference[2 * NQ_MAX_N];
};

static void search(struct first_solutions *f, int row) {
    int n = f->all.n;
    if (row == n) {
        expect_next(f->column, &f->all);
        if (orbit_of(n, f->column).first)
            expect_next(f->column, &f->fundamental);
        f->left--;
        return;
    }
    for (int c = 0; c < n && f->left > 0; c++) {
        bool *taken = &f->taken[c], *sum = &f->sum[row + c];
        bool *difference = &f->difference[row - c + n];
        if (*taken || *sum || *difference)
            continue;
        *taken = *sum = *difference = true;
        f->column[row] = c;
        search(f, row + 1);
        *taken = *sum = *difference = false;
    }
}

Test(list, begins_with_the_first_solutions_of_large_boards) {
    for (int n = 12; n <= 27; n++) {
        struct first_solutions f = {.all = {n, open_list(n, false)},
                                    .fundamental = {n, open_list(n, true)},
                                    .left = 30};
        search(&f, 0);
        nq_list_close(f.all.list);
        nq_list_close(f.fundamental.list);
    }
}

/* The brute-force solutions for one n. */
struct solutions {
    int n;
    size_t count;
    int column[352][9];
};

static void keep(const int *column, void *context) {
    struct solutions *all = context;
    cr_assert_lt(all->count, sizeof all->column / sizeof *all->column);
    memcpy(all->column[all->count++], column, sizeof *column * (size_t)all->n);
}

static void expect_solution(nq_list *list, struct solutions *all, size_t index) {
    if (index < all->count)
        expect_next(all->column[index], &(struct comparison){all->n, list});
}

/* Two lists for one n, a few solutions apart, and one for another n. */
Test(list, does_not_disturb_other_lists) {
    enum { APART = 5 };
    static struct solutions eight = {.n = 8}, nine = {.n = 9};
    each_placement(8, 8, keep, &eight);
    each_placement(9, 9, keep, &nine);
    nq_list *ahead = open_list(8, false), *other = open_list(9, false);
    nq_list *behind = open_list(8, false);
    for (size_t i = 0; i < nine.count; i++) {
        expect_solution(ahead, &eight, i);
        expect_solution(other, &nine, i);
        if (i >= APART)
            expect_solution(behind, &eight, i - APART);
        if (i == eight.count)
            expect_end(ahead, 8);
    }
    expect_end(behind, 8);
    expect_end(other, 9);
}

Test(list, can_be_closed_early) {
    nq_list_close(NULL);
    nq_list_close(open_list(NQ_MAX_N, false));
    nq_list_close(open_list(NQ_MAX_N, true));
    for (int solutions = 0; solutions < 20; solutions++) {
        nq_list *list = open_list(8, solutions % 2 != 0);
        for (int i = 0; i < solutions / 2; i++) {
            struct room room;
            cr_expect(next(list, 8, &room));
        }
        nq_list_close(list);
    }
}

Test(list, n_out_of_range_is_refused) {
    const int bad[] = {-1, NQ_MAX_N + 1, 29, 64, INT_MIN, INT_MAX};
    int rubbish;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int fundamental = 0; fundamental < 2; fundamental++) {
            nq_list *list = (nq_list *)(void *)&rubbish;
            cr_expect_eq(nq_list_open(bad[i], fundamental != 0, &list), NQ_BAD_N, "n = %d",
                         bad[i]);
            cr_expect_null(list, "n = %d", bad[i]);
        }
}
