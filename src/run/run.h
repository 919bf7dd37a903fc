/* A run: selected units of a job, solved by a team of threads, added up. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "run/selection.h"
#include "threads/team.h"

struct totals {
    uint64_t solutions; /* weighted */
    uint64_t work;
    uint64_t units; /* solved */
    int threads, threads_bound;
    bool stopped; /* the callback said stop, be all done by then or not */
};

/* A unit that has just been solved. */
struct solved {
    uint64_t unit;
    struct unit_result result;
    double seconds; /* of one thread */
};

/* Where results go, one by one, as they come. */
struct sink {
    /* Called by the thread that solved the unit; several may call at once. Anything but NQ_OK
     * ends the run with that status. */
    nq_status (*keep)(void *context, const struct solved *solved);
    void *context;
};

/* Solves the selected units in their order. sink: NULL when the sum is all that is wanted.
 * options: for the progress callback; started: when the count began, by seconds_now.
 *
 * NQ_OK: totals hold all units selected; NQ_CANCELLED: what was done until the callback said
 * stop; NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY, or what the sink said: no sum. Where results
 * are kept, units under way when the callback says stop have a second to finish; else they are
 * dropped. */
nq_status run_job(struct job *job, const struct selection *selection, const struct sink *sink,
                  const struct team *team, const nq_options *options, double started,
                  struct totals *totals);

#endif
