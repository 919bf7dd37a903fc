/* SPDX-License-Identifier: MIT */
/* The square's eight symmetries on plain numbers, to compare the library's classes with.
 * Columns count from 0, as the oracle's do. */
#ifndef UNIT_IMAGES_H
#define UNIT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

/* A symmetry is a number of three bits: 1 reverses the rows, 2 the columns, and 4 then swaps
 * rows and columns. */
enum { SYMMETRIES = 8, HALF_TURN = 3, QUARTER_TURN = 5 };

/* The placement's image under a symmetry. */
void image_of(int n, const int *column, int symmetry, int *image);

/* Negative: a comes before b; 0: they are equal; positive: a comes after b. */
int order_of(int n, const int *a, const int *b);

/* A placement's class, found from its eight images. */
struct orbit {
    int size;                     /* different images */
    bool half_turn, quarter_turn; /* leaves the placement unchanged */
    bool first;                   /* no image comes before the placement */
};
struct orbit orbit_of(int n, const int *column);

#endif
