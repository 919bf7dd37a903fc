/* SPDX-License-Identifier: MIT */
/* Places: the processing units (PUs) for threads, the best first. */
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#include "core/failure.h"

#include <hwloc.h>
#include <stdbool.h>

struct places {
    size_t count;      /* places */
    int cores, caches; /* of all allowed PUs; caches: last-level caches */
    nq_place *place;   /* owned; release with nqi_places_free */
};

/* Lists all allowed PUs of a topology, the best first: one PU of every core before the second
 * PU of any core, fast kinds of core before slow ones. Consecutive PUs alternate between
 * packages, then between last-level caches, so that a few threads share as little as possible.
 * Returns false if memory runs out. */
bool nqi_places_list(hwloc_topology_t topology, struct places *out);

/* Lists the PUs that a text like "0,2,4-7" names, in its order. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the text is not such a list, or names a PU twice;
 *   NQ_NO_PU: a PU is not in `allowed`;
 *   NQ_NO_MEMORY, without a sentence. */
nq_status nqi_places_pick(const struct places *allowed, const char *list, struct places *out,
                          struct failure *failure);

void nqi_places_free(struct places *places);

#endif
