/* SPDX-License-Identifier: MIT */
/* Reports the progress of a search that runs in the calling thread (lists, classes) to the
 * callback of nq_options, which may stop it. */
#ifndef SOLUTIONS_OBSERVED_H
#define SOLUTIONS_OBSERVED_H

#include <nqueens.h>

struct observed {
    nq_progress_fn report; /* may be NULL */
    void *context;
    double seconds; /* least time between two reports */
    /* Times of nqi_seconds_now(): when the search began; when the next report may be made. */
    double begun, next;
    int n;
    const char *phase; /* as in nq_progress */
    uint64_t nodes;    /* nodes that the search has visited so far */
};

/* Begins to observe a search. phase: as in nq_progress; a static string. */
struct observed nqi_observed_begin(int n, const char *phase, const nq_options *options);

/* Nodes between two looks at the clock. They take about 0.1 ms, so a look costs next to
 * nothing. */
enum { NODES_PER_LOOK = 1 << 13 };

/* Counts a node. Returns whether nqi_observed_go_on() should be called now. */
static inline bool observed_is_due(struct observed *observed) {
    return ++observed->nodes % NODES_PER_LOOK == 0;
}

/* Calls the callback if a report is due. share: finished share of the search, 0..1. Returns
 * false if the callback wants the search to stop. */
bool nqi_observed_go_on(struct observed *observed, double share);

#endif
