/* Runs of all units of a job, whose results are not recorded. */
#ifndef UNIT_WHOLE_H
#define UNIT_WHOLE_H

#include "run/clock.h"
#include "run/run.h"

static inline nq_status run_whole(struct job *job, const struct team *team,
                                  const nq_options *options, struct totals *totals) {
    struct selection all;
    if (!selection_make(job, 0, 0, NULL, &all))
        return NQ_NO_MEMORY;
    nq_status status = run_job(job, &all, NULL, team, options, seconds_now(), totals);
    selection_free(&all);
    return status;
}

#endif
