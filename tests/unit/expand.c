/* nqi_family_expand: all placements of a family's first rows, in order. */
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct state *expand(const struct family *f, int depth, size_t *count) {
    *count = nqi_family_expand(f, depth, NULL);
    struct state *states = malloc((*count + 1) * sizeof *states);
    cr_assert_not_null(states);
    size_t stored = nqi_family_expand(f, depth, states);
    cr_assert_eq(stored, *count, "depth %d", depth);
    return states;
}

struct comparison {
    const struct state *states;
    size_t count, at;
    int n, depth;
};

/* The next state must hold exactly the squares that this placement attacks. */
static void compare(const int *column, void *context) {
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
    for (int n = 0; n <= 9; n++) {
        const struct family f = empty_board(n);
        for (int depth = 0; depth <= n; depth++) {
            struct comparison c = {.n = n, .depth = depth};
            struct state *states = expand(&f, depth, &c.count);
            c.states = states;
            each_placement(n, depth, compare, &c);
            cr_expect_eq(c.at, c.count, "n = %d, depth %d: states to spare", n, depth);
            free(states);
        }
    }
}

Test(expand, of_no_rows_gives_the_family_itself) {
    struct family f = empty_board(6);
    f.cols = 0x24;
    f.rows = 4;
    size_t count;
    struct state *states = expand(&f, 0, &count);
    cr_assert_eq(count, 1);
    cr_expect(states[0].cols == 0x24 && states[0].left == 0 && states[0].right == 0);
    free(states);
}

static bool same(struct state a, struct state b) {
    return a.cols == b.cols && a.left == b.left && a.right == b.right;
}

Test(expand, stores_no_more_than_it_counts) {
    const struct state mark = {0xdeadbeef, 0xdeadbeef, 0xdeadbeef};
    for (int n = 1; n <= 8; n++) {
        const struct family f = empty_board(n);
        struct state states[64];
        size_t count = nqi_family_expand(&f, n < 2 ? n : 2, NULL);
        cr_assert_lt(count, 64);
        states[count] = mark;
        nqi_family_expand(&f, n < 2 ? n : 2, states);
        cr_expect(same(states[count], mark), "n = %d", n);
    }
}

Test(expand, keeps_to_open_squares) {
    struct family f = empty_board(8);
    f.open[0] = 0x01;
    f.open[1] = 0xf0;
    size_t count;
    struct state *states = expand(&f, 2, &count);
    cr_assert_eq(count, 4);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(states[i].cols, UINT32_C(1) | UINT32_C(0x10) << i);
    free(states);
    f.open[1] = 0;
    cr_expect_eq(nqi_family_expand(&f, 2, NULL), 0);
}
