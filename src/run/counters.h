/* What one thread of a run has done so far. Only that thread writes; other threads may read. */
#ifndef RUN_COUNTERS_H
#define RUN_COUNTERS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

struct counters {
    /* Weighted. No false sharing: a thread's counters fill two cache lines, since CPUs fetch
     * lines in pairs. */
    alignas(128) _Atomic uint64_t solutions;
    _Atomic uint64_t units; /* finished */
    /* Of the finished units, and of the unit under way: one number, so that readers never see
     * it fall when a unit is finished. As of work_sum. */
    _Atomic uint64_t work;
    uint64_t finished_work; /* of the finished units; for the writer alone */
    _Atomic uint64_t cost;  /* expected cost of the finished units */
};

#endif
