/* Plan `halves`: the upper half of the board on a set of columns, the lower half on the others.
 *
 * For odd n the middle row's queen is placed first, and the halves share the other columns. So
 * sets are of *slots*: the columns without the middle queen's, numbered from the left. The
 * pairs of halves that fit are counted set by set, by the method `join`. Sets that are mirror
 * images or complements of each other have equally many pairs: one set of each orbit is
 * counted, and stands for all of them. docs/algorithm.md has the proof.
 *
 * A unit is one set or several, which follow each other in rising order.
 */
#ifndef PLAN_HALVES_H
#define PLAN_HALVES_H

#include <nqueens/nqueens.h>

/* Raised whenever the same n yields other units. */
enum { HALVES_VERSION = 1 };

/* What results of these units are recorded under, in the place of a plan of the search. */
extern const char nqi_halves_name[];

enum { NO_MIDDLE = 255 };

/* The slots of the upper half, and the column of the middle row's queen; NO_MIDDLE: even n. */
struct half_set {
    uint32_t slots;
    uint8_t middle;
};

struct halves {
    int n, slots;           /* slots of the board: n, without one for odd n */
    uint32_t sets_per_unit; /* the last unit of a middle queen may have fewer */
    uint64_t unit_count;
    struct half_set *first; /* [unit]: its first set; owned */
    double *cost;           /* [unit]: expected; owned */
};

/* Cuts n = 0..NQ_MAX_N into units. False: out of memory. Release with nqi_halves_free. */
bool nqi_halves_build(int n, struct halves *halves);
void nqi_halves_free(struct halves *halves);

/* How many sets this one stands for; 0: another set of its orbit stands for it. */
uint64_t nqi_halves_orbit(const struct halves *halves, struct half_set set);

/* The next set of as many slots with the same middle queen. False: that was the last. */
bool nqi_halves_next(const struct halves *halves, struct half_set *set);

/* The columns of the upper half, and those of the lower half. */
uint32_t nqi_halves_upper(struct half_set set);
uint32_t nqi_halves_lower(const struct halves *halves, struct half_set set);

#endif
