/* SPDX-License-Identifier: MIT */
/* Lists of solutions; the class of a solution, which is compared with the solution's eight
 * images; and the number of classes. tests/fuzz/test_calls.py has lists of small boards. */
#include "core/arrays.h"
#include "core/known.h"
#include "counts.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

/* A symmetry is a number of three bits: 1 reverses the rows, 2 the columns, and 4 then swaps
 * rows and columns. Columns count from 0, as the oracle's do. */
enum { SYMMETRIES = 8, HALF_TURN = 3, QUARTER_TURN = 5, LARGEST = 300 };

/* Stores the placement's image under a symmetry. */
static void image_of(int n, const int *column, int symmetry, int *image) {
    for (int row = 0; row < n; row++) {
        int r = (symmetry & 1) != 0 ? n - 1 - row : row;
        int c = (symmetry & 2) != 0 ? n - 1 - column[row] : column[row];
        if ((symmetry & 4) != 0)
            image[c] = r;
        else
            image[r] = c;
    }
}

/* Returns a negative number if a comes before b, 0 if they are equal, and a positive number if
 * a comes after b. */
static int order_of(int n, const int *a, const int *b) {
    for (int row = 0; row < n; row++)
        if (a[row] != b[row])
            return a[row] < b[row] ? -1 : 1;
    return 0;
}

/* Finds a placement's class from its eight images. The placement is the first of its class if
 * no image comes before it. */
static nq_class orbit_of(int n, const int *column) {
    nq_class orbit = {.first = true};
    int image[LARGEST], alike = 0; /* how many images are the placement itself */
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        image_of(n, column, symmetry, image);
        const int order = order_of(n, image, column);
        alike += order == 0;
        orbit.first &= order >= 0;
        orbit.half_turn |= symmetry == HALF_TURN && order == 0;
        orbit.quarter_turn |= symmetry == QUARTER_TURN && order == 0;
    }
    orbit.size = SYMMETRIES / alike;
    return orbit;
}

struct listed {
    int n;
    bool fundamental;
    nq_list *list;
};

static void expect_next(const int *column, void *context) {
    const struct listed *listed = context;
    int next[NQ_MAX_N];
    if (listed->fundamental && !orbit_of(listed->n, column).first)
        return;
    cr_assert_eq(nq_list_next(listed->list, next), NQ_OK, "n = %d: ended early", listed->n);
    for (int row = 0; row < listed->n; row++)
        cr_assert_eq(next[row], column[row] + 1, "n = %d", listed->n);
}

/* The oracle tries columns from left to right, so its order is lexicographic. */
Test(list, of_a_larger_board_begins_with_the_solutions_of_brute_force) {
    for (int n = 11; n <= 25; n += 2)
        for (int fundamental = 0; fundamental < 2; fundamental++) {
            struct listed listed = {n, fundamental, NULL};
            cr_assert_eq(nq_list_open(n, fundamental, NULL, &listed.list), NQ_OK, "n = %d", n);
            each_solution(n, n == 11 ? UINT64_MAX : 30, expect_next, &listed);
            nq_list_close(listed.list);
        }
    nq_list_close(NULL);
}

/* Compares the class that the library finds with that of the images. Columns count from 0. */
static void compare(int n, const int *column) {
    int columns[LARGEST];
    for (int row = 0; row < n; row++)
        columns[row] = column[row] + 1;
    nq_class found = {.size = -1};
    expect_status(nq_classify_solution(n, columns, &found), NQ_OK, "");
    const nq_class orbit = orbit_of(n, column);
    cr_assert(found.size == orbit.size && found.half_turn == orbit.half_turn &&
                  found.quarter_turn == orbit.quarter_turn && found.first == orbit.first,
              "n = %d: a class of %d, not %d; turns %d %d, first %d", n, found.size, orbit.size,
              found.half_turn, found.quarter_turn, found.first);
}

static void compare_one(const int *column, void *context) {
    compare(*(int *)context, column);
}

Test(classify, classes_of_small_boards_are_those_of_the_images) {
    for (int n = 0; n <= 10; n++)
        each_solution(n, UINT64_MAX, compare_one, &n);
}

static void compare_images(int n, const int *column) {
    int image[LARGEST];
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        image_of(n, column, symmetry, image);
        compare(n, image);
    }
}

/* Above n = 64 the library allocates memory. For even n, a half turn leaves the constructed
 * solution unchanged. */
Test(classify, images_of_a_constructed_solution_are_one_class) {
    int columns[LARGEST];
    for (int n = 4; n <= LARGEST; n += n < 70 ? 1 : 23) {
        cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
        for (int row = 0; row < n; row++)
            columns[row]--;
        compare_images(n, columns);
    }
}

/* Queens on a line through the centre of a torus: column = k row (mod n), both counted from the
 * centre. If k k = -1 (mod n), a quarter turn leaves the line unchanged. */
Test(classify, quarter_turns_of_large_boards_are_found) {
    const struct { int n, k; } lines[] = {{5, 2}, {13, 5}, {61, 11}, {65, 8}, {257, 16}};
    for (size_t i = 0; i < LENGTH(lines); i++) {
        int n = lines[i].n, k = lines[i].k, centre = n / 2, column[LARGEST];
        for (int row = 0; row < n; row++)
            column[row] = (((row - centre) * k + centre) % n + n) % n;
        cr_assert(orbit_of(n, column).quarter_turn, "n = %d", n);
        compare_images(n, column);
    }
}

/* If a total is wrong by 1 to 7, the sum over the symmetries is no multiple of eight; if it is
 * wrong by 8, there is one class too many or too few. With the largest totals, the sum exceeds
 * 64 bits. Its lowest 64 bits may then be 0 or a multiple of eight. */
Test(classes, wrong_totals_are_reported) {
    for (int n = 4; n <= 15; n++) {
        uint64_t right, half_turn, quarter_turn;
        cr_assert(nq_known_total(n, &right) && nqi_known_half_turn(n, &half_turn) &&
                  nqi_known_quarter_turn(n, &quarter_turn));
        /* With this total, the sum over the symmetries is 2^64. */
        const uint64_t zero = 0 - half_turn - 2 * quarter_turn;
        const uint64_t wrong[] = {right + 1,          right + 7, right + 8,  right - 1,
                                  right - 8,          0,         UINT64_MAX, UINT64_MAX - 3,
                                  UINT64_MAX / 2 + 1, zero};
        for (size_t i = 0; i < LENGTH(wrong); i++) {
            nq_classes classes;
            char named[24];
            snprintf(named, sizeof named, "n = %d:", n);
            expect_status(nq_count_classes(n, wrong[i], NULL, &classes), NQ_MISMATCH, named);
            cr_expect_eq(classes.verdict, NQ_WRONG, "n = %d, %" PRIu64 " solutions", n,
                         wrong[i]);
        }
    }
}

/* 8 + 80 + 2 * 8 is a multiple of eight, as Burnside's lemma asks for. But 80 solutions are
 * left as they are by a half turn, so there cannot be only 8. */
Test(classes, are_not_of_fewer_solutions_than_a_half_turn_leaves) {
    nq_classes classes;
    expect_status(nq_count_classes(12, 8, NULL, &classes), NQ_MISMATCH,
                  "8 solutions cannot be");
}
