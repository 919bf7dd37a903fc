/* The partition of method `colours`: units of some X each. */
#ifndef COLOURS_COLOURS_PARTITION_H
#define COLOURS_COLOURS_PARTITION_H

#include "colours/board.h"
#include "core/partition.h"

extern const char nqi_colours_plan[]; /* the name of the only plan */

/* The X of a unit have the same odd rows; their even rows are `sets` sets of one size, in the
 * order of next_subset. Those of weight 0 count nothing. */
struct colours_unit {
    struct rows first;
    uint32_t sets;
};

struct colours_partition {
    struct partition partition; /* first, so that a pointer to it is one to this */
    struct colours_board board;
    struct colours_unit *unit; /* [id] */
    struct unit *units;
};

/* Moves on to the next set of even rows. False: there is none. */
static inline bool colours_next_even(const struct colours_board *board, uint32_t *even) {
    if (*even == 0)
        return false;
    *even = next_subset(*even);
    return *even <= low_bits(board->evens);
}

#endif
