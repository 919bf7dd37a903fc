/* Progress reports: when to call the caller's callback, and what to tell it. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "run/selection.h"
#include "run/share.h"

struct reporter {
    const nq_options *options;
    const struct selection *selection;
    const struct share *shares;
    const char *work_name;
    int n, share_count;
    double started;         /* the count */
    _Atomic double solving; /* the first unit */
    double
        patience; /* seconds that units under way have to finish when the callback says stop */
    _Atomic double next;
    atomic_flag busy;
    atomic_bool stop;          /* start no further unit */
    _Atomic double give_up_at; /* once `stop` is set: when to drop the units under way */
};

void reporter_init(struct reporter *reporter, const struct job *job,
                   const struct selection *selection, const nq_options *options,
                   const struct share *shares, int share_count, double started,
                   double patience);

/* To be called by every thread after every unit and, on long ones, now and then. */
void reporter_tick(struct reporter *reporter);

/* Ends the run, units under way after so many seconds. */
void reporter_stop(struct reporter *reporter, double patience);

/* Whether to start another unit; whether to go on with one. */
bool reporter_may_start(const struct reporter *reporter);
bool reporter_may_go_on(const struct reporter *reporter);

#endif
