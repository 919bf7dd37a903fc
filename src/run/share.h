/* What one thread of a run has done so far. Only that thread writes; others may look. */
#ifndef RUN_SHARE_H
#define RUN_SHARE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

struct share {
    alignas(128) _Atomic uint64_t solutions; /* a pair of cache lines to itself: CPUs fetch
                                                lines in pairs */
    _Atomic uint64_t work, units;
    _Atomic uint64_t under_way; /* work on the unit that is not finished yet */
    _Atomic double cost;
};

#endif
