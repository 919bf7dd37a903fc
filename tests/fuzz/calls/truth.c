/* SPDX-License-Identifier: MIT */
#include "truth.h"

#include <stdlib.h>
#include <string.h>

static bool truth_fits(const int *columns, int row, int column) {
    for (int above = 0; above < row; above++)
        if (columns[above] == column || abs(columns[above] - column) == row - above)
            return false;
    return true;
}

void truth_find(int n, const char *squares, struct truth *truth) {
    int columns[TOP + 1] = {0}, row = 0;
    *truth = (struct truth){.n = n};
    while (row >= 0) {
        if (row == n) {
            memcpy(truth->columns[truth->count++], columns, (size_t)n * sizeof *columns);
            row--;
            continue;
        }
        int column = columns[row] + 1;
        for (; column <= n; column++) {
            bool open = truth_fits(columns, row, column);
            for (int i = 0; i < n && squares != NULL; i++) {
                const char here = squares[row * n + i];
                open &= i + 1 == column ? here == '.' || here == 'Q' : here != 'Q';
            }
            if (open)
                break;
        }
        columns[row] = column <= n ? column : 0;
        row += column <= n ? 1 : -1;
    }
}

/* The solution after a quarter turn, or its mirror image. */
static void truth_turn(int n, int *columns, bool mirror) {
    int turned[TOP];
    for (int row = 0; row < n; row++)
        if (mirror)
            turned[row] = n + 1 - columns[row];
        else
            turned[columns[row] - 1] = n - row;
    memcpy(columns, turned, (size_t)n * sizeof *turned);
}

struct symmetry truth_symmetry(int n, const int *columns) {
    struct symmetry found = {.first = true};
    int image[TOP], same = 0;
    const size_t bytes = (size_t)n * sizeof *image;
    memcpy(image, columns, bytes);
    for (int i = 1; i <= 8; i++) {
        truth_turn(n, image, i % 4 == 0);
        if (i % 4 == 0)
            truth_turn(n, image, false); /* the mirror image, turned as the solution was */
        const bool equal = memcmp(image, columns, bytes) == 0;
        same += equal;
        found.quarter_turn |= equal && i == 1;
        found.half_turn |= equal && i == 2;
        for (int row = 0; row < n && !equal; row++)
            if (image[row] != columns[row]) {
                found.first &= image[row] > columns[row];
                break;
            }
    }
    found.size = 8 / same;
    return found;
}
