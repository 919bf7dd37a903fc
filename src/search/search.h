/* SPDX-License-Identifier: MIT */
/* Method `search` walks to every solution. It is the reference: short enough to be checked by
 * eye, and it shares no code that counts with method `colours`. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/walk.h"

extern const struct method nqi_method_search;

/* The rows by which an empty board is cut, and the version of the units, which a change of them
 * raises. */
enum { SEARCH_ROWS = 3, SEARCH_VERSION = 2 };

/* A unit is all completions of one state of the first rows. */
struct search_partition {
    struct partition partition; /* first, so that a pointer to it is one to the whole */
    struct walk_board board;
    int row;             /* where the states of all units stand */
    struct state *state; /* [id] */
    struct unit *unit;   /* [id] */
};

/* The functions `partition`, `board_partition` and `describe_unit` of struct method. Without
 * squares the second one does what the first does. */
struct partition *nqi_search_partition(int n);
struct partition *nqi_board_partition(int n, const uint32_t *squares);
void nqi_search_describe_unit(const struct partition *partition, uint64_t id, FILE *stream);

#endif
