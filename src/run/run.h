/* A run: all units of a job, solved by a team of threads, added up. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "method/method.h"
#include "threads/team.h"

struct totals {
    uint64_t solutions; /* weighted */
    uint64_t work;
    uint64_t units; /* solved */
    int threads, threads_bound;
};

/* Solves every unit, the costliest first. options: for the progress callback; started: when the
 * count began, by seconds_now. NQ_OK: totals hold the whole count; NQ_CANCELLED: what was done
 * until the callback said stop; NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY: no count. */
nq_status run_job(const struct job *job, const struct team *team, const nq_options *options,
                  double started, struct totals *totals);

#endif
