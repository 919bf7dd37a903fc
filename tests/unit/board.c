/* Board: the tables of known totals, and the moves of a state. */
#include "board/state.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>

/* Solutions that a half turn leaves unchanged, A032522 (https://oeis.org/A032522), and a
 * quarter turn, A033148 (https://oeis.org/A033148); n = 1.. . */
static const uint64_t half_turn[NQ_MAX_KNOWN_N + 1] = {
    0,      1,      0,       0,       2,        2,        4,         8,        4,     16,
    12,     48,     80,      136,     420,      1240,     3000,      8152,     18104, 44184,
    144620, 375664, 1250692, 3581240, 11675080, 34132592, 115718268, 320403024};
static const uint64_t quarter_turn[NQ_MAX_KNOWN_N + 1] = {
    [1] = 1,    [4] = 2,    [5] = 2,    [12] = 8,    [13] = 8,   [16] = 64,
    [17] = 128, [20] = 480, [21] = 704, [24] = 3328, [25] = 3264};

enum { SYMMETRIES = 8 };

/* The placement's image: reversed rows, reversed columns and rows for columns, as the bits of
 * `symmetry` say. */
static void map(int n, const int *column, int symmetry, int *image) {
    for (int row = 0; row < n; row++) {
        int r = (symmetry & 1) != 0 ? n - 1 - row : row;
        int c = (symmetry & 2) != 0 ? n - 1 - column[row] : column[row];
        if ((symmetry & 4) != 0)
            image[c] = r;
        else
            image[r] = c;
    }
}

static int compare(int n, const int *a, const int *b) {
    for (int row = 0; row < n; row++)
        if (a[row] != b[row])
            return a[row] < b[row] ? -1 : 1;
    return 0;
}

struct symmetric {
    int n;
    uint64_t fundamental, half, quarter;
};

/* Counts a solution if it is the smallest of its images. */
static void count_symmetric(const int *column, void *context) {
    struct symmetric *s = context;
    int image[NQ_MAX_N];
    bool smallest = true;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        map(s->n, column, symmetry, image);
        int order = compare(s->n, image, column);
        smallest = smallest && order >= 0;
        s->half += symmetry == 3 && order == 0;    /* both reversed: half a turn */
        s->quarter += symmetry == 5 && order == 0; /* exchanged, then one reversed */
    }
    s->fundamental += smallest;
}

Test(known, totals_have_a_range) {
    uint64_t total = 7;
    const int outside[] = {-1, NQ_MAX_KNOWN_N + 1, NQ_MAX_N + 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        cr_expect_not(nq_known_total(outside[i], &total), "n = %d", outside[i]);
        cr_expect_not(nq_known_fundamental(outside[i], &total), "n = %d", outside[i]);
    }
    cr_expect_not(nq_known_fundamental(0, &total));
    cr_expect_eq(total, 7, "a total was stored where none is known");
}

Test(known, totals_by_brute_force) {
    for (int n = 0; n <= 10; n++) {
        uint64_t total = 0;
        cr_assert(nq_known_total(n, &total), "n = %d", n);
        cr_expect_eq(total, each_placement(n, n, NULL, NULL), "n = %d: %" PRIu64, n, total);
    }
}

Test(known, totals_as_published) {
    for (int n = 0; n < PUBLISHED; n++) {
        uint64_t total = 0;
        cr_assert(nq_known_total(n, &total), "n = %d", n);
        cr_expect_eq(total, published[n], "n = %d: %" PRIu64, n, total);
    }
}

Test(known, fundamental_by_brute_force) {
    for (int n = 1; n <= 10; n++) {
        struct symmetric s = {.n = n};
        each_placement(n, n, count_symmetric, &s);
        uint64_t total = 0;
        cr_assert(nq_known_fundamental(n, &total), "n = %d", n);
        cr_expect_eq(total, s.fundamental, "n = %d: %" PRIu64, n, total);
        cr_expect_eq(half_turn[n], s.half, "n = %d: the test's own table", n);
        cr_expect_eq(quarter_turn[n], s.quarter, "n = %d: the test's own table", n);
    }
}

/* Burnside's lemma over the eight symmetries: no solution for n > 1 is unchanged by a
 * reflection, so 8 x fundamental = all + half turn + 2 x quarter turn. A slip in any digit of
 * either table breaks it. */
Test(known, totals_and_fundamental_agree_for_every_n) {
    for (int n = 2; n <= NQ_MAX_KNOWN_N; n++) {
        uint64_t all = 0, fundamental = 0;
        cr_assert(nq_known_total(n, &all) && nq_known_fundamental(n, &fundamental), "n = %d",
                  n);
        cr_expect_eq(8 * fundamental, all + half_turn[n] + 2 * quarter_turn[n], "n = %d", n);
    }
}

Test(state, low_bits) {
    cr_expect_eq(low_bits(0), 0);
    cr_expect_eq(low_bits(1), 1);
    cr_expect_eq(low_bits(8), 0xff);
    cr_expect_eq(low_bits(28), 0x0fffffff);
    cr_expect_eq(low_bits(31), 0x7fffffff);
}

/* One queen anywhere, seen from any row further down, also past rows that the stem fills. */
Test(state, place_attacks_the_squares_a_queen_does) {
    for (int n = 1; n <= NQ_MAX_N; n += 3)
        for (int queen = 0; queen < n; queen++)
            for (int down = 1; down < n; down++) {
                struct state s =
                    state_place((struct state){0}, UINT32_C(1) << queen, (unsigned)down);
                uint32_t free = state_free(s, low_bits(n));
                for (int column = 0; column < 32; column++)
                    cr_assert_eq(
                        free >> column & 1, column < n && !attack(0, queen, down, column),
                        "n = %d, queen %d, %d down, column %d", n, queen, down, column);
            }
}

Test(state, free_keeps_to_the_open_squares) {
    const struct state s = {.cols = 0x1, .left = 0x2, .right = 0x4};
    cr_expect_eq(state_free(s, 0xff), 0xf8);
    cr_expect_eq(state_free(s, 0x0f), 0x08);
    cr_expect_eq(state_free(s, 0), 0);
}
