/* SPDX-License-Identifier: MIT */
/* Places for threads: the processing units (PUs) that a process may use, the best first. */
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#include "core/failure.h"

#include <hwloc.h>
#include <stdbool.h>

struct places {
    size_t count;      /* number of places */
    int cores, caches; /* cores and last-level caches of the places; set by nqi_places_list */
    nq_place *place;   /* owned; release with nqi_places_free */
};

/* Lists all PUs of a topology, the best first. One PU of every core comes before the second PU
 * of any core, and fast kinds of core come before slow ones. Consecutive PUs alternate between
 * packages, then between last-level caches, so that a few threads share as little as possible.
 * Takes time quadratic in the number of PUs. Returns false if memory runs out. */
bool nqi_places_list(hwloc_topology_t topology, struct places *out);

/* Lists the PUs that a text like "0,2,4-7" names, in the order of the text. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the text is not such a list, or names a PU twice;
 *   NQ_NO_PU: a PU is not in `allowed`;
 *   NQ_NO_MEMORY, without a reason in `failure`. */
nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          struct failure *failure);

void nqi_places_free(struct places *places);

#endif
