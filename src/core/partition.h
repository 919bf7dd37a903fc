/* Partition: the units that one n is divided into, by a method and its plan.
 *
 * It is the same on every machine and in every run: units, weights and costs depend on n, the
 * method, the plan, its version and its depth alone, and are whole numbers. The number of
 * solutions is the sum over all units of weight x solutions; core/solver.h solves units.
 */
#ifndef CORE_PARTITION_H
#define CORE_PARTITION_H

#include "core/failure.h"
#include "core/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A unit of work; its id is its index in the partition. */
struct unit {
    uint64_t weight;
    uint64_t cost; /* expected, above 0, on one scale for the whole partition */
};

/* Each method embeds it in a structure of its own. */
struct partition {
    nq_job job;
    const char *work;         /* a static name: "nodes", "completions" */
    uint64_t cost;            /* of all units: below 2^64 */
    const struct unit *units; /* [id] */
    void (*close)(struct partition *partition);
};

/* Closes a partition; NULL allowed. */
static inline void partition_close(struct partition *partition) {
    if (partition != NULL)
        partition->close(partition);
}

/* Divides n = 0..NQ_MAX_N into units. plan: NULL, the method's default. depth: 0, the plan's
 * own. NQ_BAD_OPTION: the method has no such plan, or the plan no such depth; `failure` then
 * says which there are. Otherwise NQ_OK or NQ_NO_MEMORY. */
nq_status nqi_search_partition(int n, const char *plan, int depth, struct partition **partition,
                               struct failure *failure);
nq_status nqi_colours_partition(int n, const char *plan, int depth,
                                struct partition **partition, struct failure *failure);

#endif
