/* nq_list, fundamental: the first solution of every class, and no other. */
#include "images.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <nqueens.h>
#include <string.h>

/* Columns count from 0, as the oracle's do. */
static bool next(nq_list *list, int n, int *column) {
    bool found = nq_list_next(list, column);
    for (int row = 0; row < n; row++)
        column[row]--;
    return found;
}

/* The solutions rise, so they all differ. Each is the first of its class, so no class is listed
 * twice. The sizes of the classes add up to all solutions, so none is missing. */
Test(fundamental, lists_the_first_of_every_class_once) {
    for (int n = 0; n <= 12; n++) {
        nq_list *list;
        cr_assert_eq(nq_list_open(n, true, &list), NQ_OK, "n = %d", n);
        int column[NQ_MAX_N + 1] = {0}, before[NQ_MAX_N + 1] = {0};
        uint64_t classes = 0, solutions = 0;
        for (; next(list, n, column); classes++) {
            cr_assert(is_solution(n, column), "n = %d: class %" PRIu64, n, classes + 1);
            struct orbit orbit = orbit_of(n, column);
            cr_assert(orbit.first, "n = %d: class %" PRIu64, n, classes + 1);
            cr_assert(classes == 0 || order_of(n, before, column) < 0,
                      "n = %d: class %" PRIu64 " comes too late", n, classes + 1);
            solutions += (uint64_t)orbit.size;
            memcpy(before, column, sizeof before);
        }
        for (int again = 0; again < 5; again++)
            cr_expect_not(next(list, n, column), "n = %d", n);
        nq_list_close(list);
        cr_expect_eq(solutions, published[n], "n = %d: %" PRIu64 " in all classes", n,
                     solutions);
        uint64_t known = 1; /* of n = 0, where the table has none */
        cr_expect_eq(nq_known_fundamental(n, &known), n > 0, "n = %d", n);
        cr_expect_eq(classes, known, "n = %d: %" PRIu64 " classes", n, classes);
    }
}

struct comparison {
    int n;
    nq_list *list;
};

static void expect_next(const int *column, void *context) {
    struct comparison *c = context;
    if (!orbit_of(c->n, column).first)
        return;
    int listed[NQ_MAX_N + 1] = {0};
    cr_assert(next(c->list, c->n, listed), "n = %d: ended early", c->n);
    cr_assert_eq(order_of(c->n, listed, column), 0, "n = %d", c->n);
}

Test(fundamental, equals_brute_force) {
    for (int n = 0; n <= 9; n++) {
        struct comparison c = {.n = n};
        cr_assert_eq(nq_list_open(n, true, &c.list), NQ_OK, "n = %d", n);
        each_placement(n, n, expect_next, &c);
        int column[NQ_MAX_N + 1] = {0};
        cr_expect_not(next(c.list, n, column), "n = %d: one more", n);
        nq_list_close(c.list);
    }
}
