/* Plan `halves`: the upper half of the board on a set of columns, the lower half on the others.
 *
 * A *set* is the set of columns of the upper half. For odd n the middle row's queen is placed
 * between the halves, on a column that neither has: on any such column if the upper half has
 * the middle column, else on the middle column. The method `join` counts the pairs of halves
 * that fit, for each set and middle queen. Sets that are mirror images of each other, or whose
 * halves change places, have equally many pairs, so one set of each orbit is counted and stands
 * for the others. docs/algorithm.md has the proof.
 *
 * From n = 24 on a set has *cuts*, some diagonals between its halves: its pairs are counted
 * separately for each subset of the cuts that the upper half may hold, which takes less memory.
 * Up to n = 27 a unit is a set, or several in rising order. At n = 28 it is a *part* of a set:
 * what belongs to one subset of the first cuts.
 */
#ifndef JOIN_HALVES_H
#define JOIN_HALVES_H

#include "core/partition.h"
#include "core/subsets.h"
#include "join/costs.h"

/* "halves": the plan's name in ledgers and reports. */
extern const char nqi_halves_name[];

/* How sets become units. */
struct halves_division {
    uint32_t sets_per_unit; /* the last unit may have fewer; 1 if sets have parts */
    int cuts;               /* of a set */
    int cuts_of_part;       /* the first ones, which tell parts apart */
    bool listed;            /* each unit has its own expected cost; only without parts */
    size_t piece;           /* lower halves to list at once; makes no difference to units */
};

enum { MAX_CUTS = 8 };

struct halves {
    int n;
    struct halves_division division;
    const struct subsets *subsets; /* of n / 2 elements */
    struct halves_costs costs;
    uint32_t set_count; /* sets that stand for others */
    uint64_t unit_count;
    uint32_t *before; /* [i]: of those, the ones whose prefix (join/halves.c) as a number is
                         less than i; owned */
};

/* Returns how the plan divides a board. */
struct halves_division nqi_halves_division(int n);

/* Returns the plan's version, which is raised whenever n is divided into other units, a unit
 * has other work, or costs deal units to other shards. */
int nqi_halves_version(int n);

/* Divides n = 0..NQ_MAX_N into units. subsets: of n / 2 elements; they must outlive the result.
 * False: out of memory. Release with nqi_halves_free. */
bool nqi_halves_build(int n, const struct halves_division *division,
                      const struct subsets *subsets, struct halves *halves);
void nqi_halves_free(struct halves *halves);

/* A unit: `sets` sets from `set` on, fewer if there are no more, and which of the first cuts
 * their upper halves hold: bit i, cut i. */
struct halves_unit {
    uint32_t set, sets, part;
};

/* Returns a unit. id: below halves->unit_count. */
struct halves_unit nqi_halves_unit(const struct halves *halves, uint64_t id);

/* Returns a unit's expected cost, above 0. */
uint64_t nqi_halves_cost(const struct halves *halves, uint64_t id);

/* Lists all units, unless `units` is NULL, and returns the sum of their expected costs. */
uint64_t nqi_halves_each_cost(const struct halves *halves, struct unit *units);

/* Returns the same sum, for large boards without a walk over all sets. */
uint64_t nqi_halves_cost_of_all(const struct halves *halves);

/* Returns the number of boards for which one with this set and one of its middle queens stands,
 * itself included. 0: another set of its orbit stands for it. */
uint64_t nqi_halves_weight(int n, uint32_t set);

/* Returns the columns of the middle queens that are joined with a set; 0 for even n. */
uint32_t nqi_halves_middles(int n, uint32_t set);

/* Returns the columns of the board that are not in a set. */
uint32_t nqi_halves_others(int n, uint32_t set);

/* Returns the middle column as a set; 0 for even n. */
uint32_t nqi_halves_centre(int n);

/* The keys of a set's columns on the left and on the right side, each side counted from the
 * edge. */
struct halves_keys {
    uint32_t lesser, greater;
};

/* Returns the keys of a set, for even n. subsets: of n / 2 elements. */
struct halves_keys nqi_halves_keys(const struct subsets *subsets, int n, uint32_t set);

/* Advances to the next set with as many columns. False: no more. */
bool nqi_halves_next(int n, uint32_t *set);

#endif
