/* The units of method `join`: sets of columns, or parts of them. Sets have the weights of their
 * orbits, so a unit has weight 1. */
#ifndef JOIN_JOIN_PARTITION_H
#define JOIN_JOIN_PARTITION_H

#include "core/partition.h"
#include "join/halves.h"

struct join_partition {
    struct partition partition; /* first, so that a pointer to it is one to the whole */
    struct subsets subsets;     /* of the columns of one side of the board */
    struct halves halves;
    struct unit *units;
};

/* Divides n otherwise than the plan does. NULL: out of memory. */
struct partition *nqi_join_partition_divided(int n, const struct halves_division *division);

#endif
