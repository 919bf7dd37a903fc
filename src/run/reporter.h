/* SPDX-License-Identifier: MIT */
/* Progress reports: when to call the observer, and what to report. */
#ifndef RUN_REPORTER_H
#define RUN_REPORTER_H

#include "core/solver.h"
#include "machine/team.h"
#include "run/selection.h"

#include <stdalign.h>
#include <stdatomic.h>

/* What one thread of a run has done so far. Only that thread writes; other threads may read. */
struct counters {
    /* Weighted. No false sharing: a thread's counters fill two cache lines, since CPUs fetch
     * lines in pairs. */
    alignas(128) _Atomic uint64_t solutions;
    _Atomic uint64_t units; /* finished */
    /* Of the finished units, and of the unit under way: one number, so that readers never see
     * it fall when a unit is finished. As of work_sum. */
    _Atomic uint64_t work;
    uint64_t finished_work; /* of the finished units; for the writer alone */
    _Atomic uint64_t cost;  /* expected cost of the finished units */
};

/* The caller's callback; it may stop the run. */
struct observer {
    nq_progress_fn report; /* NULL: none */
    void *context;
    double seconds; /* least time between two calls; 0 or less: 0.1 */
};

static inline struct observer observer_of(const nq_options *options) {
    return (struct observer){options->progress, options->progress_context,
                             options->progress_seconds};
}

/* Returns the least time between two calls, with the default filled in. */
double nqi_observer_interval(const struct observer *observer);

/* Returns what all reports of a run have in common. */
nq_progress nqi_progress_begin(const struct solver *solver, const struct team *team);

struct reporter {
    struct observer observer;
    const struct selection *selection;
    const struct counters *counters;
    nq_progress common;
    int counter_count;
    /* Times by nqi_seconds_now. */
    double started;               /* when the count began */
    double solving;               /* since when units are solved */
    _Atomic double next_report;   /* the observer is not called before */
    _Atomic double deadline;      /* once `stop` is set: when units under way are dropped */
    double grace_seconds;         /* from the observer's stop to the deadline */
    atomic_flag reporting;        /* a thread is calling the observer */
    atomic_bool observer_stopped; /* the observer said stop */
    atomic_bool stop;             /* no further unit is started */
};

/* Calls the observer if a report is due. Every thread calls this after each unit, and many
 * times a second during a unit. */
void nqi_reporter_tick(struct reporter *reporter);

/* Stops the run. Units under way have grace_seconds to finish. */
void nqi_reporter_stop(struct reporter *reporter, double grace_seconds);

/* Returns whether another unit may be started: until the run is stopped. */
bool nqi_reporter_may_start(const struct reporter *reporter);

/* Returns whether a unit under way may go on: until the deadline after a stop. */
bool nqi_reporter_may_go_on(const struct reporter *reporter);

#endif
