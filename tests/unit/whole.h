/* A run of all units of a job, without a ledger. */
#ifndef UNIT_WHOLE_H
#define UNIT_WHOLE_H

#include "machine/clock.h"
#include "run/run.h"

static inline nq_status run_whole(struct solver *job, const struct team *team,
                                  struct observer observer, struct totals *totals) {
    struct selection all;
    if (!nqi_selection_make(job->partition, 0, 0, NULL, &all))
        return NQ_NO_MEMORY;
    const struct run_options options = {
        .team = team, .observer = observer, .started = nqi_seconds_now()};
    nq_status status = nqi_run_job(job, &all, &options, totals);
    nqi_selection_free(&all);
    return status;
}

#endif
