/* What one thread of a run has done so far. Only that thread writes; others may look. */
#ifndef RUN_COUNTERS_H
#define RUN_COUNTERS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

struct counters {
    alignas(128) _Atomic uint64_t solutions; /* weighted. Each thread's counters have a pair of
                                                cache lines to themselves: CPUs fetch lines in
                                                pairs */
    _Atomic uint64_t work, units;
    _Atomic uint64_t under_way; /* work on the unit that is not finished yet */
    _Atomic double cost;        /* expected, of the units */
};

#endif
