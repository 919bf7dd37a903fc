/* The units of a job that one run is to solve, in the order to solve them: all, or those of a
 * shard, without those whose results are recorded already. */
#ifndef RUN_SELECTION_H
#define RUN_SELECTION_H

#include "method/method.h"

struct selection {
    uint64_t count;
    uint64_t *unit; /* ids, the costliest first; owned */
    double cost;    /* expected of these units */
    /* Of the whole job or shard, what is recorded already included: */
    uint64_t all_count;
    double all_cost;
};

/* A bit for every unit. */
static inline bool bit_is_set(const uint64_t *bits, uint64_t id) {
    return bits != NULL && (bits[id / 64] >> (id % 64) & 1) != 0;
}

/* Selects the units of shard 1..shards of the job (0 of 0, or 1 of 1: all of them) without
 * those whose bit is set in `recorded` (NULL: none). Shards depend on the job alone; no two
 * shards of one job differ in their expected cost by more than that of the costliest unit.
 * False: out of memory. */
bool nqi_selection_make(const struct job *job, int shard, int shards, const uint64_t *recorded,
                        struct selection *out);
void nqi_selection_free(struct selection *selection);

#endif
