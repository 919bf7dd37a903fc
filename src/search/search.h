/* SPDX-License-Identifier: MIT */
/* Method `search` walks to every solution, placing a queen in row after row. It is the
 * reference for method `colours`: it is short enough to be checked by eye, and the two share no
 * code that counts. It is also the only method that completes given boards. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/walk.h"

extern const struct method nqi_method_search;

enum {
    SEARCH_ROWS = 3,   /* rows whose placements are the units of an empty board */
    SEARCH_VERSION = 2 /* `version` of struct method; raise it if the units change */
};

/* A unit consists of all ways to complete one placement on the first rows. Only the state of
 * this placement is kept, because the walk needs no more. */
struct search_partition {
    struct partition partition; /* first, so that a pointer to it can be cast to the whole */
    struct walk_board board;
    int row;             /* the row that the states of all units are about to fill */
    struct state *state; /* indexed by id */
    struct unit *unit;   /* indexed by id */
};

/* These are `partition`, `board_partition` and `describe_unit` of struct method. If `squares`
 * is NULL, nqi_board_partition does what nqi_search_partition does. */
struct partition *nqi_search_partition(int n);
struct partition *nqi_board_partition(int n, const uint32_t *squares);
void nqi_search_describe_unit(const struct partition *partition, uint64_t id, FILE *stream);

#endif
