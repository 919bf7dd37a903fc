/* The order in which threads are given processing units (PUs). */
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#include <hwloc.h>
#include <nqueens/nqueens.h>

struct places {
    size_t count;
    nq_place *place; /* owned; release with nqi_places_free */
};

/* All allowed PUs of a topology, best first: one PU of every core before the second of any,
 * fast kinds of core before slow ones, and neighbours in the list as far apart as can be, over
 * packages first and last-level caches next, so that few threads share little. With smt
 * false, the first PU of each core only. False: out of memory. */
bool nqi_places_list(hwloc_topology_t topology, bool smt, struct places *out);

/* The PUs of a list like "0,2,4-7" in its order. NQ_BAD_OPTION: not such a list, or a PU twice;
 * NQ_NO_PU: one that is not in `allowed`. On failure, detail says what and what would do. */
nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          char *detail, size_t size);

void nqi_places_free(struct places *places);

#endif
