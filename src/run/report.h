/* Progress reports: when to call the caller's callback, and what to tell it. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "method/method.h"
#include "run/share.h"

struct reporter {
    const nq_options *options;
    const struct job *job;
    const struct share *shares;
    int share_count;
    double started;
    double cost; /* expected of the whole job */
    _Atomic double next;
    atomic_flag busy;
    atomic_bool stop; /* the callback said so, or the run failed */
};

void reporter_init(struct reporter *reporter, const struct job *job, const nq_options *options,
                   const struct share *shares, int share_count, double started);

/* To be called by every thread after every unit and, on long ones, now and then. */
void reporter_tick(struct reporter *reporter);

#endif
