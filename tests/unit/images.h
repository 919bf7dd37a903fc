/* The square's eight symmetries on plain numbers, to compare the library's classes with.
 * Columns count from 0, as the oracle's do. */
#ifndef UNIT_IMAGES_H
#define UNIT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Reversed rows, reversed columns, and rows for columns, as the bits of the number say. */
enum { SYMMETRIES = 8, HALF_TURN = 3, QUARTER_TURN = 5 };

/* The placement's image under a symmetry. */
void image_of(int n, const int *column, int symmetry, int *image);

/* Below, at or above 0: a comes before b, is b, comes after b. */
int order_of(int n, const int *a, const int *b);

/* What there is to say of a placement's class, from its eight images. */
struct orbit {
    int size; /* images that differ */
    bool half_turn, quarter_turn, first;
};
struct orbit orbit_of(int n, const int *column);

/* Of the solutions for n, by brute force: those that come first in their classes, and those
 * that a half or a quarter turn leaves as they are. */
struct symmetric {
    int n;
    uint64_t fundamental, half_turn, quarter_turn;
};
struct symmetric count_symmetric(int n);

#endif
