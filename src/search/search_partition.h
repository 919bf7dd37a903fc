/* The units of method `search`: parts of families, or several families of one weight. */
#ifndef SEARCH_SEARCH_PARTITION_H
#define SEARCH_SEARCH_PARTITION_H

#include "core/partition.h"
#include "search/plan.h"

/* Units that are made alike: the parts of one family, or several families of one weight that
 * are dealt out to units, family i to unit i % units. */
struct batch {
    uint64_t first_unit, units;
    size_t first_family, families;
};

struct search_partition {
    struct partition partition; /* first, so that a pointer to it is one to the whole */
    struct families families;
    struct batch *batch;
    size_t batch_count;
    struct unit *units;
};

#endif
