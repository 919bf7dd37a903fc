/* What the sets of the plan `halves` (join/halves.h) are expected to cost. */
#ifndef JOIN_COSTS_H
#define JOIN_COSTS_H

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

struct halves;

/* What expected costs are made of; n decides it. Logarithms are in units of 2^-16. Subsets of a
 * side's columns, the left ones or the middle one and the right ones, are numbered by bits. */
struct halves_costs {
    int32_t *near[NQ_MAX_N]; /* [column][subset of the left side, then of the other]: logarithm
                                of what pairs of it and one of these divide by; near[0] owned */
    int32_t *near_all;       /* [subset, as above]: the same of all pairs among them; owned */
    int32_t scale;           /* logarithm of the cost of halves without close columns */
    uint32_t least;          /* of the fit (join/costs.c) */
};

/* Makes the sums for n = 0..NQ_MAX_N. False: out of memory. Release with nqi_halves_costs_free.
 */
bool nqi_halves_costs_init(int n, struct halves_costs *costs);
void nqi_halves_costs_free(struct halves_costs *costs);

/* Returns the expected cost of a set. */
uint64_t nqi_halves_cost_of_set(const struct halves *halves, uint32_t set);

/* What the sum over pairs of logarithms of a set and of all others depends on, if their
 * columns on the right are given, besides the pairs of the left side. */
struct prefix_costs {
    int32_t base; /* without columns on the left */
    int outer;    /* the left side is divided into so many outer columns, and inner ones */
    int32_t of_outer[1 << NQ_MAX_N / 4];                  /* [subset]: to be added */
    int32_t of_inner[1 << (NQ_MAX_N / 2 - NQ_MAX_N / 4)]; /* likewise */
};

/* right: those columns, and the middle one. */
void nqi_prefix_costs_init(const struct halves *halves, uint32_t right,
                           struct prefix_costs *prefix);

/* Returns the expected cost of a set with these columns on the right. */
uint64_t nqi_prefix_costs_of_set(const struct halves *halves, const struct prefix_costs *prefix,
                                 uint32_t set);

#endif
