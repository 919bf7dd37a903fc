/* SPDX-License-Identifier: MIT */
/* Reports a search of one thread to the callback of nq_options, which may stop it. */
#ifndef SOLUTIONS_OBSERVED_H
#define SOLUTIONS_OBSERVED_H

#include <nqueens.h>

struct observed {
    nq_progress_fn report; /* NULL: none */
    void *context;
    double seconds; /* least time between two reports */
    double begun,
        next; /* times by nqi_seconds_now; the next report is not made before `next` */
    int n;
    const char *phase; /* as in nq_progress */
    uint64_t nodes;    /* of the search so far */
};

/* Begins a search. phase: a static string. */
struct observed nqi_observed_begin(int n, const char *phase, const nq_options *options);

/* Nodes between two looks at the clock: some 0.1 ms, so that looking costs nothing. */
enum { NODES_PER_LOOK = 1 << 13 };

/* Counts a node. Returns whether nqi_observed_go_on() is to be called now. */
static inline bool observed_is_due(struct observed *observed) {
    return ++observed->nodes % NODES_PER_LOOK == 0;
}

/* Makes a report if it is time for one. share: finished share of the search, 0..1. If it
 * returns false, the search stops. */
bool nqi_observed_go_on(struct observed *observed, double share);

#endif
