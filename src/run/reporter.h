/* Progress reports: when to call the observer, and what to tell it. */
#ifndef RUN_REPORTER_H
#define RUN_REPORTER_H

#include "run/counters.h"
#include "run/selection.h"

/* The caller's callback; it may stop the run. */
struct observer {
    nq_progress_fn report; /* NULL: none */
    void *context;
    double seconds; /* least time between two calls; 0 or less: 0.1 */
};

struct reporter {
    struct observer observer;
    const struct selection *selection;
    const struct counters *counters;
    const char *work_name;
    const char *_Atomic phase; /* as in nq_progress */
    int n, counter_count;
    double started;         /* the count */
    _Atomic double solving; /* the first unit */
    double grace_seconds; /* that units under way have to finish once the observer says stop */
    _Atomic double next;  /* report is due */
    atomic_flag busy;
    atomic_bool stop;        /* start no further unit */
    _Atomic double deadline; /* once `stop` is set: when to drop the units under way */
};

/* Every thread calls it after each unit, and several times a second during long ones. */
void nqi_reporter_tick(struct reporter *reporter);

/* Ends the run; units under way have so many seconds to finish. */
void nqi_reporter_stop(struct reporter *reporter, double grace_seconds);

/* Whether to start another unit; whether to go on with one. */
bool nqi_reporter_may_start(const struct reporter *reporter);
bool nqi_reporter_may_go_on(const struct reporter *reporter);

#endif
