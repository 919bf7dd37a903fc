/* nqi_family_expand: all placements of a family's first rows, in order. */
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>

struct comparison {
    struct state states[10000];
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
            each_placement(c.n, c.depth, compare, &c);
            cr_expect_eq(c.at, c.count, "n = %d, depth %d: states to spare", c.n, c.depth);
        }
    }
}

Test(expand, keeps_to_open_squares) {
    struct family f = empty_board(8);
    struct state states[4];
    f.open[0] = 0x01;
    f.open[1] = 0xf0;
    cr_assert_eq(nqi_family_expand(&f, 2, NULL), 4);
    nqi_family_expand(&f, 2, states);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(states[i].cols, UINT32_C(1) | UINT32_C(0x10) << i);
}
