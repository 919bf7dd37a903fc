/* SPDX-License-Identifier: MIT */
/* A selection: the units that a run solves, in the order in which threads take them. It has all
 * units of a partition or of a shard, except those whose results are recorded. */
#ifndef RUN_SELECTION_H
#define RUN_SELECTION_H

#include "core/method.h"

struct selection {
    uint64_t count; /* number of units to solve */
    uint64_t cost;  /* their expected cost */
    /* Number and cost of all units of the partition or shard, including recorded ones. */
    uint64_t all_count, all_cost;
    uint64_t *unit; /* ids of the units to solve; owned */
};

/* Returns the bit of a unit. bits: one bit for each unit; NULL means that all are zero. */
static inline bool bit_is_set(const uint64_t *bits, uint64_t id) {
    return bits != NULL && (bits[id / 64] >> (id % 64) & 1) != 0;
}

/* Selects the units of a shard, except those whose bit is set in `recorded`, which may be NULL.
 * shard: 1..shards; if both are 0, all units are selected. Returns false if memory runs out.
 *
 * Which units a shard has depends only on the partition. The numbers of units of two shards
 * differ by at most one, and their expected costs by at most the cost of the costliest unit. */
bool nqi_selection_make(const struct partition *partition, int shard, int shards,
                        const uint64_t *recorded, struct selection *out);
void nqi_selection_free(struct selection *selection);

/* Returns the ids of all units, the costliest first, in an array that the caller must free, or
 * NULL if memory runs out. */
uint32_t *nqi_selection_order(const struct partition *partition);

/* Returns the shard, from 1, to which the unit at this position of that order is dealt. */
static inline uint64_t shard_of_position(uint64_t position, uint64_t shards) {
    const uint64_t round = position / shards, turn = position % shards;
    return round % 2 == 0 ? turn + 1 : shards - turn;
}

#endif
