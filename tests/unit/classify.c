/* SPDX-License-Identifier: MIT */
/* Classes of solutions: that of one, compared with its eight images, and their number. */
#include "core/known.h"
#include "counts.h"
#include "images.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* column: from 0. Returns the class found from the images. */
static struct orbit compare(int n, const int *column) {
    int *columns = calloc((size_t)n + 1, sizeof *columns);
    cr_assert_not_null(columns);
    for (int row = 0; row < n; row++)
        columns[row] = column[row] + 1;
    nq_class found = {.size = -1};
    nq_status status = nq_classify_solution(n, columns, &found);
    free(columns);
    cr_assert_eq(status, NQ_OK, "n = %d: %s", n, nq_status_text(status));
    struct orbit orbit = orbit_of(n, column);
    cr_assert_eq(found.size, orbit.size, "n = %d: a class of %d, not %d", n, orbit.size,
                 found.size);
    cr_assert(found.half_turn == orbit.half_turn && found.quarter_turn == orbit.quarter_turn,
              "n = %d: turns", n);
    cr_assert_eq(found.first, orbit.first, "n = %d: first %d", n, found.first);
    return orbit;
}

static void compare_one(const int *column, void *context) {
    compare(*(int *)context, column);
}

Test(classify, classes_of_small_boards_are_those_of_the_images) {
    for (int n = 0; n <= 10; n++)
        each_placement(n, n, UINT64_MAX, compare_one, &n);
}

enum { LARGEST = 300 };

/* All images of a solution are of one class, and one solution of it is the first. */
static void compare_images(int n, const int *column, const struct orbit *expected) {
    int image[LARGEST], first = 0;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        image_of(n, column, symmetry, image);
        struct orbit orbit = compare(n, image);
        cr_assert(orbit.size == expected->size && orbit.half_turn == expected->half_turn &&
                      orbit.quarter_turn == expected->quarter_turn,
                  "n = %d, symmetry %d", n, symmetry);
        first += orbit.first;
    }
    cr_assert_eq(first * expected->size, SYMMETRIES, "n = %d: %d images come first", n, first);
}

/* Above n = 64 the library allocates memory. For even n, a half turn leaves the first form of
 * the construction unchanged. */
Test(classify, images_of_a_constructed_solution_are_one_class) {
    int columns[LARGEST];
    for (int n = 4; n <= LARGEST; n += n < 70 ? 1 : 23) {
        cr_assert_eq(nq_construct_solution(n, columns), NQ_OK, "n = %d", n);
        for (int row = 0; row < n; row++)
            columns[row]--;
        struct orbit orbit = orbit_of(n, columns);
        compare_images(n, columns, &orbit);
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
        cr_assert_eq((k * k + 1) % n, 0, "n = %d", n);
        cr_assert(is_solution(n, column), "n = %d", n);
        compare_images(n, column, &(struct orbit){2, true, true, true});
    }
}

/* The tables begin at n = 1. Another suite compares them with brute force. */
Test(classes, numbers_are_verified_where_all_are_known) {
    for (int n = 0; n <= 22; n++) {
        uint64_t total, fundamental = 1, half_turn = 1, quarter_turn = 1;
        nq_classes classes;
        nq_known_fundamental(n, &fundamental);
        nqi_known_half_turn(n, &half_turn);
        nqi_known_quarter_turn(n, &quarter_turn);
        cr_assert(nq_known_total(n, &total), "n = %d", n);
        expect_status(nq_count_classes(n, total, 0, &classes), NQ_OK, "");
        cr_expect(classes.verdict == (n > 0 ? NQ_VERIFIED : NQ_UNVERIFIED) &&
                      classes.fundamental == fundamental && classes.half_turn == half_turn &&
                      classes.quarter_turn == quarter_turn,
                  "n = %d: %" PRIu64, n, classes.fundamental);
    }
}

/* If a total is wrong by 1 to 7, the sum over the symmetries is no multiple of eight; if it is
 * wrong by 8, there is one class too many or too few. The largest sums outgrow 64 bits or 128;
 * in 64 bits some would be 0 or right. */
Test(classes, wrong_totals_are_reported) {
    for (int n = 4; n <= 15; n++) {
        uint64_t half_turn, quarter_turn;
        cr_assert(nqi_known_half_turn(n, &half_turn) &&
                  nqi_known_quarter_turn(n, &quarter_turn));
        const uint64_t right = published[n], zero = 0 - half_turn - 2 * quarter_turn;
        const struct total wrong[] = {
            {right + 1, 0},          {right + 7, 0}, {right + 8, 0},  {right - 1, 0},
            {right - 8, 0},          {0, 0},         {UINT64_MAX, 0}, {UINT64_MAX - 3, 0},
            {UINT64_MAX / 2 + 1, 0}, {zero, 0},      {right, 1},      {right, 8},
            {zero, UINT64_MAX}};
        for (size_t i = 0; i < LENGTH(wrong); i++) {
            nq_classes classes;
            char named[24];
            snprintf(named, sizeof named, "n = %d:", n);
            expect_status(nq_count_classes(n, wrong[i].low, wrong[i].high, &classes),
                          NQ_MISMATCH, named);
            cr_expect_eq(classes.verdict, NQ_WRONG, "n = %d, %" PRIu64 " solutions", n,
                         wrong[i].low);
        }
    }
}

Test(classes, numbers_beyond_64_bits_are_divided_whole) {
    nq_classes classes;
    expect_status(nq_count_classes(8, published[8] - 8, 40, &classes), NQ_MISMATCH,
                  "92233720368547758091, but the known number is 12");
    cr_expect(classes.fundamental == 11 && classes.fundamental_high == 5);
}
