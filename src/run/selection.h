/* SPDX-License-Identifier: MIT */
/* The units that a run solves, in order: all units of a partition or of a shard, except those
 * whose results are recorded. */
#ifndef RUN_SELECTION_H
#define RUN_SELECTION_H

#include "core/method.h"

struct selection {
    uint64_t count;
    uint64_t cost; /* expected cost of these units */
    /* Of all units of the partition or shard, recorded ones included. */
    uint64_t all_count, all_cost;
    uint64_t *unit; /* ids, costly units first, those of like cost in order. Owned. */
};

/* Returns the bit of a unit. bits: one bit per unit; NULL: all zero. */
static inline bool bit_is_set(const uint64_t *bits, uint64_t id) {
    return bits != NULL && (bits[id / 64] >> (id % 64) & 1) != 0;
}

/* Selects the units of a shard, 1..shards (0 of 0, or 1 of 1: all units), except those whose
 * bit is set in `recorded` (NULL: none). Returns false if memory runs out.
 *
 * Shards depend on the partition alone, and the numbers of their units differ by at most one.
 * The expected costs of two shards differ by at most the cost of the costliest unit. */
bool nqi_selection_make(const struct partition *partition, int shard, int shards,
                        const uint64_t *recorded, struct selection *out);
void nqi_selection_free(struct selection *selection);

/* Returns the ids of all units, the costliest first, to be freed; NULL: out of memory. */
uint32_t *nqi_selection_order(const struct partition *partition);

/* Returns the shard, from 1, to which the unit at a place of that order is dealt. */
static inline uint64_t shard_of_place(uint64_t place, uint64_t shards) {
    const uint64_t round = place / shards, turn = place % shards;
    return round % 2 == 0 ? turn + 1 : shards - turn;
}

#endif
