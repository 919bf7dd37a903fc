/* All halves of a board, by brute force on squares, and the rule by which method join counts
 * one of two solutions that are a quarter turn apart. */
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

/* No middle queen: n is even. */
enum { NONE = -1 };

/* How often a pair of halves counts if it fits: 0, 1 or 2. */
int times_counted(int n, const struct half *upper, const struct half *lower, int middle);

/* Whether an upper half is in any pair that counts. */
bool may_count(int n, const struct half *upper);

#endif
