/* SPDX-License-Identifier: MIT */
/* The square's eight symmetries on plain numbers, to compare the library's classes with.
 * Columns count from 0, as the oracle's do. */
#ifndef UNIT_IMAGES_H
#define UNIT_IMAGES_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

/* A symmetry is a number of three bits: 1 reverses the rows, 2 the columns, and 4 then swaps
 * rows and columns. */
enum { SYMMETRIES = 8, HALF_TURN = 3, QUARTER_TURN = 5 };

/* The placement's image under a symmetry. */
static inline void image_of(int n, const int *column, int symmetry, int *image) {
    for (int row = 0; row < n; row++) {
        int r = (symmetry & 1) != 0 ? n - 1 - row : row;
        int c = (symmetry & 2) != 0 ? n - 1 - column[row] : column[row];
        if ((symmetry & 4) != 0)
            image[c] = r;
        else
            image[r] = c;
    }
}

/* Negative: a comes before b; 0: they are equal; positive: a comes after b. */
static inline int order_of(int n, const int *a, const int *b) {
    for (int row = 0; row < n; row++)
        if (a[row] != b[row])
            return a[row] < b[row] ? -1 : 1;
    return 0;
}

/* A placement's class, found from its eight images. */
struct orbit {
    int size;                     /* different images */
    bool half_turn, quarter_turn; /* leaves the placement unchanged */
    bool first;                   /* no image comes before the placement */
};

static inline struct orbit orbit_of(int n, const int *column) {
    struct orbit orbit = {.first = true};
    size_t side = (size_t)n;
    int *image = calloc(SYMMETRIES * side + 1, sizeof *image);
    cr_assert_not_null(image);
    for (size_t symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        int *this = image + symmetry * side;
        image_of(n, column, (int)symmetry, this);
        int order = order_of(n, this, column);
        orbit.first = orbit.first && order >= 0;
        orbit.half_turn = orbit.half_turn || (symmetry == HALF_TURN && order == 0);
        orbit.quarter_turn = orbit.quarter_turn || (symmetry == QUARTER_TURN && order == 0);
        bool seen = false;
        for (size_t earlier = 0; earlier < symmetry && !seen; earlier++)
            seen = order_of(n, image + earlier * side, this) == 0;
        orbit.size += !seen;
    }
    free(image);
    return orbit;
}

#endif
