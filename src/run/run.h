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
    double seconds;            /* of one thread */
    const char *kernel, *host; /* that did it, static; NULL: this run's own */
};

struct run;

/* Where results go, one by one, as they come. */
struct sink {
    /* Called by the thread that solved the unit; several may call at once. Anything but NQ_OK
     * ends the run with that status. */
    nq_status (*keep)(void *context, const struct solved *solved);
    void *context;
};

enum taken { TAKEN, NONE_YET, NO_MORE };

/* How processes share one job: units come from somewhere else than the selection's own order,
 * and results that others came to are added to this run's. */
struct exchange {
    /* The next unit to solve; waits a few milliseconds for one. Several threads may call at
     * once. */
    enum taken (*take)(void *context, uint64_t *unit);
    /* The run is ready for run_add until `finished` has returned true. */
    void (*begin)(void *context, struct run *run);
    /* This process solves no more units; asked again and again, until no more results of others
     * come, which is when it returns true. *stopped: it gave up; set when others did. */
    bool (*finished)(void *context, bool *stopped);
    void *context;
    bool part; /* only units taken here are in the sum, not the whole selection */
};

/* Adds a unit that another process has solved. Called by one thread at a time. */
nq_status run_add(struct run *run, const struct solved *solved);

/* Solves the selected units in their order. sink: NULL when the sum is all that is wanted.
 * exchange: NULL when this process does it all. options: for the progress callback; started:
 * when the count began, by seconds_now.
 *
 * NQ_OK: totals hold all units selected; NQ_CANCELLED: what was done until the callback said
 * stop; NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY, or what the sink said: no sum. Where results
 * are kept, units under way when the callback says stop have a second to finish, with an
 * exchange half a second; else they are dropped. */
nq_status run_shared_job(struct job *job, const struct selection *selection,
                         const struct sink *sink, const struct exchange *exchange,
                         const struct team *team, const nq_options *options, double started,
                         struct totals *totals);

/* The same without an exchange. */
nq_status run_job(struct job *job, const struct selection *selection, const struct sink *sink,
                  const struct team *team, const nq_options *options, double started,
                  struct totals *totals);

#endif
