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
    _Atomic uint64_t work, units; /* of finished units */
    _Atomic uint64_t under_way;   /* work on the unfinished unit */
    _Atomic double cost;          /* expected cost of the finished units */
};

#endif
