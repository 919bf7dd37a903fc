/* SPDX-License-Identifier: MIT */
/* Method `search`: walks to every solution. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "core/method.h"
#include "search/plan.h"

extern const struct method nqi_method_search;

/* The units of a board as in nq_options.board: NQ_OK, NQ_BAD_OPTION or NQ_NO_MEMORY. */
nq_status nqi_board_partition(int n, const char *board, struct partition **partition,
                              struct failure *failure);

/* For struct method.partition. */
nq_status nqi_search_partition(int n, const char *plan, int depth, struct partition **partition,
                               struct failure *failure);

/* Units that are made alike: the parts of one family, or several families of one weight that
 * are dealt out to units, family i to unit i % units. */
struct search_batch {
    uint64_t first_unit, units;
    size_t first_family, families;
};

struct search_partition {
    struct partition partition; /* first, so that a pointer to it is one to the whole */
    struct families families;
    struct search_batch *batch;
    size_t batch_count;
    struct unit *units;
};

#endif
