/* Plan `halves`: the upper half of the board on a set of columns, the lower half on the others.
 *
 * For odd n the middle row's queen is placed first, and the halves share the other columns. The
 * sets are sets of *slots*: all columns but the middle queen's, numbered from the left. The
 * method `join` counts, for each set, the pairs of halves that fit. Sets that are mirror images
 * or complements of each other have equally many pairs, so one set of each orbit is counted and
 * stands for the others. docs/algorithm.md has the proof.
 *
 * A unit is one such set, or several in rising order.
 */
#ifndef PLAN_HALVES_H
#define PLAN_HALVES_H

#include <nqueens/nqueens.h>

/* Raised whenever the same n yields other units. */
enum { HALVES_VERSION = 1 };

/* "halves": the plan's name in ledgers and reports. */
extern const char nqi_halves_name[];

enum { NO_MIDDLE = 255 };

struct half_set {
    uint32_t slots; /* of the upper half */
    uint8_t middle; /* column of the middle row's queen; NO_MIDDLE for even n */
};

struct halves {
    int n, slots;           /* slots of the board: n, or n - 1 for odd n */
    uint32_t sets_per_unit; /* the last unit of each middle queen may have fewer */
    uint64_t unit_count;
    struct half_set *first; /* [unit]: its first set; owned */
    double *cost;           /* [unit]: expected cost; owned */
};

/* Cuts n = 0..NQ_MAX_N into units. False: out of memory. Release with nqi_halves_free. */
bool nqi_halves_build(int n, struct halves *halves);
void nqi_halves_free(struct halves *halves);

/* Returns the number of sets that this set stands for, itself included. 0: another set of its
 * orbit stands for it. */
uint64_t nqi_halves_orbit(const struct halves *halves, struct half_set set);

/* Advances to the next set with as many slots and the same middle queen. False: no more. */
bool nqi_halves_next(const struct halves *halves, struct half_set *set);

/* Return the columns of the upper half and of the lower half. */
uint32_t nqi_halves_upper(struct half_set set);
uint32_t nqi_halves_lower(const struct halves *halves, struct half_set set);

#endif
