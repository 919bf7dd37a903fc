/* SPDX-License-Identifier: MIT */
/* Kernels on families that no plan makes, compared with brute force: any number of rows left,
 * which need not be neighbours, squares barred at random, states at any row in lists of any
 * length. And nqi_family_expand: all placements of a family's first rows, in order. */
#include "implementations.h"
#include "length.h"
#include "made_up.h"
#include "oracle.h"
#include "room.h"

#include <criterion/criterion.h>
#include <inttypes.h>

enum { MOST_STATES = 1000 };

static void compare(const struct family *f, int row, const struct state *states, size_t count) {
    struct tally expected = {0};
    for (size_t i = 0; i < count; i++) {
        const struct tally one = complete_naively(f, row, states[i]);
        expected.solutions += one.solutions;
        expected.nodes += one.nodes;
    }
    for (const struct kernel *kernel = NULL; (kernel = kernel_after(kernel)) != NULL;) {
        struct room scratch = room_new(kernel->scratch_bytes);
        struct tally tally = {0};
        cr_assert(kernel->count(f, row, states, count, scratch.own, NULL, &tally));
        cr_assert(room_end(&scratch), "kernel %s writes outside its memory", kernel->impl.name);
        cr_expect(tally.solutions == expected.solutions && tally.nodes == expected.nodes,
                  "kernel %s, %d rows to fill, %zu states at row %d: %" PRIu64
                  " solutions, %" PRIu64 " nodes; not %" PRIu64 ", %" PRIu64,
                  kernel->impl.name, f->rows, count, row, tally.solutions, tally.nodes,
                  expected.solutions, expected.nodes);
    }
}

/* Lists of the states at a row: all, and others that are as long as no expansion is. */
static void compare_row(const struct family *f, int row, uint64_t *seed) {
    static struct state expanded[100 * MOST_STATES], states[MOST_STATES];
    const size_t all = nqi_family_expand(f, row, NULL);
    const size_t counts[] = {1, 2, 2 + (size_t)random_below(seed, 60), 200};
    if (all == 0 || all > LENGTH(expanded))
        return;
    nqi_family_expand(f, row, expanded);
    if (all <= MOST_STATES)
        compare(f, row, expanded, all);
    for (size_t c = 0; c < LENGTH(counts); c++) {
        for (size_t i = 0; i < counts[c]; i++)
            states[i] = expanded[random_below(seed, (int)all)];
        compare(f, row, states, counts[c]);
    }
}

Test(stems, equal_brute_force) {
    uint64_t seed = 1, compared = 0;
    for (int i = 0; i < 150; i++) {
        const int n = 4 + random_below(&seed, NQ_MAX_SEARCH_N - 3),
                  rows = random_below(&seed, n < 7 ? n + 1 : 8);
        const struct family f = random_family(n, rows, &seed);
        for (int row = 0; row <= rows; row++, compared++)
            compare_row(&f, row, &seed);
    }
    cr_expect_gt(compared, 500);
}

struct comparison {
    struct state states[10000];
    size_t count, at;
    int n, depth;
};

/* The next state must hold exactly the squares that this placement attacks. */
static void compare_state(const int *column, void *context) {
    struct comparison *c = context;
    cr_assert_lt(c->at, c->count, "n = %d, depth %d: states are missing", c->n, c->depth);
    const struct state s = c->states[c->at++];
    for (int square = 0; square < c->n; square++) {
        bool cols = false, left = false, right = false;
        for (int row = 0; row < c->depth; row++) {
            cols = cols || square == column[row];
            left = left || square == column[row] - (c->depth - row);
            right = right || square == column[row] + (c->depth - row);
        }
        cr_assert((s.cols >> square & 1) == cols && (s.left >> square & 1) == left &&
                      (s.right >> square & 1) == right,
                  "n = %d, depth %d, state %zu, column %d", c->n, c->depth, c->at - 1, square);
    }
}

/* each_placement visits placements in lexicographic order. */
Test(expand, gives_every_placement_in_order) {
    static struct comparison c;
    for (c.n = 0; c.n <= 9; c.n++) {
        const struct family f = empty_board(c.n);
        for (c.depth = 0; c.depth <= c.n; c.depth++) {
            c.at = 0;
            c.count = nqi_family_expand(&f, c.depth, NULL);
            cr_assert_lt(c.count, 10000u);
            c.states[c.count].cols = 0xdeadbeef;
            cr_assert_eq(nqi_family_expand(&f, c.depth, c.states), c.count);
            cr_expect_eq(c.states[c.count].cols, 0xdeadbeef, "stores more than it counts");
            each_placement(c.n, c.depth, UINT64_MAX, compare_state, &c);
            cr_expect_eq(c.at, c.count, "n = %d, depth %d: states to spare", c.n, c.depth);
        }
    }
}
