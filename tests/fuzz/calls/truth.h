/* SPDX-License-Identifier: MIT */
/* Brute force for made-up calls: boards as arrays of squares, queens row by row, loops over the
 * queens above. It knows nothing of the library. */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdbool.h>

enum { TOP = 10, MOST = 800 }; /* the largest n, and room for its solutions */

/* All solutions of a board, in lexicographic order. */
struct truth {
    int n, count;
    int columns[MOST][TOP]; /* from 1 */
};

/* squares: n * n of '.', '*', 'Q', row by row; NULL: all are free. */
void truth_find(int n, const char *squares, struct truth *truth);

/* Of a solution. size: of its class. first: no other of the class is less. */
struct symmetry {
    int size;
    bool half_turn, quarter_turn, first;
};
struct symmetry truth_symmetry(int n, const int *columns);

#endif
