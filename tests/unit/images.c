/* SPDX-License-Identifier: MIT */
#include "images.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void image_of(int n, const int *column, int symmetry, int *image) {
    for (int row = 0; row < n; row++) {
        int r = (symmetry & 1) != 0 ? n - 1 - row : row;
        int c = (symmetry & 2) != 0 ? n - 1 - column[row] : column[row];
        if ((symmetry & 4) != 0)
            image[c] = r;
        else
            image[r] = c;
    }
}

int order_of(int n, const int *a, const int *b) {
    for (int row = 0; row < n; row++)
        if (a[row] != b[row])
            return a[row] < b[row] ? -1 : 1;
    return 0;
}

struct orbit orbit_of(int n, const int *column) {
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
