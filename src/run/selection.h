/* The units that a run solves, in order: all units of a job or of a shard, except those whose
 * results are recorded. */
#ifndef RUN_SELECTION_H
#define RUN_SELECTION_H

#include "method/method.h"

struct selection {
    uint64_t count;
    uint64_t *unit; /* ids, the costliest unit first; owned */
    double cost;    /* expected cost of these units */
    /* Number and expected cost of all units of the job or shard, recorded ones included. */
    uint64_t all_count;
    double all_cost;
};

/* Returns the bit of a unit. bits: one bit per unit; NULL: all zero. */
static inline bool bit_is_set(const uint64_t *bits, uint64_t id) {
    return bits != NULL && (bits[id / 64] >> (id % 64) & 1) != 0;
}

/* Selects the units of a shard, 1..shards (0 of 0, or 1 of 1: all units), except those whose
 * bit is set in `recorded` (NULL: none). Returns false if memory runs out.
 *
 * Shards depend on the job alone. The expected costs of two shards of a job differ by at most
 * the cost of the costliest unit. */
bool nqi_selection_make(const struct job *job, int shard, int shards, const uint64_t *recorded,
                        struct selection *out);
void nqi_selection_free(struct selection *selection);

#endif
