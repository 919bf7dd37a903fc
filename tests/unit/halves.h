/* All halves of a board, by brute force on squares. */
#ifndef UNIT_HALVES_H
#define UNIT_HALVES_H

#include <nqueens.h>

struct half {
    int column[NQ_MAX_N]; /* of the queen in each of the n / 2 rows */
    uint32_t columns;     /* the same as a set */
};

struct all_halves {
    int n;
    struct half *half; /* by rising set of columns; the caller frees them */
    size_t count;
};

struct all_halves all_halves(int n);

/* The halves on exactly these columns, which are neighbours in the list. */
const struct half *halves_on(const struct all_halves *all, uint32_t columns, size_t *count);

/* Whether no queen of one half attacks a queen of the other. Both are stored as upper halves;
 * `lower` stands upside down at the board's lower edge. */
bool halves_fit(int n, const struct half *upper, const struct half *lower);

#endif
