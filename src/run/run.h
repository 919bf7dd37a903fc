/* A run: selected units of a job, solved by a team of threads, added up. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "machine/team.h"
#include "run/reporter.h"
#include "run/selection.h"

struct totals {
    uint64_t solutions; /* weighted */
    uint64_t work;
    uint64_t units; /* solved */
    int threads, threads_bound;
    bool stopped;       /* the observer said stop, even if all units were finished by then */
    double next_report; /* as in run_options, for what comes after the run */
};

/* A unit that has just been solved. */
struct solved {
    uint64_t unit;
    struct unit_result result;
    double seconds;            /* of one thread */
    const char *kernel, *host; /* of another process, static; NULL: this run's own */
};

struct run;

/* Where results go, one by one, as they come. */
struct sink {
    /* The thread that solved the unit calls it; several may call at once. Any status but NQ_OK
     * ends the run with that status. */
    nq_status (*keep)(void *context, const struct solved *solved);
    void *context;
};

enum taken { TAKEN, NONE_YET, NO_MORE };

/* How processes share one job: units come from the exchange instead of the selection's order,
 * and results of other processes are added to this run's. */
struct exchange {
    /* The next unit to solve; waits a few milliseconds for one. Several threads may call at
     * once. */
    enum taken (*take)(void *context, uint64_t *unit);
    /* Called once: from now on until `finished` has returned true, nqi_run_add may be called.
     */
    void (*begin)(void *context, struct run *run);
    /* Called repeatedly once this process solves no more units. True: no more results of other
     * processes will come. *stopped: on entry, whether this process was stopped; to be set when
     * another process was. */
    bool (*finished)(void *context, bool *stopped);
    void *context;
    bool part; /* the sum is of the units taken here, not of the whole selection */
};

/* Adds a unit that another process has solved. One thread at a time may call it. */
nq_status nqi_run_add(struct run *run, const struct solved *solved);

/* How to run. */
struct run_options {
    const struct team *team;
    const struct sink *sink;         /* NULL: the sum is all that is wanted */
    const struct exchange *exchange; /* NULL: this process solves all units */
    struct observer observer;
    double started; /* when the count began, by nqi_seconds_now */
    /* By nqi_seconds_now: the observer is not called before. 0: it may be called at once. */
    double next_report;
};

/* Solves the selected units in their order.
 *
 * NQ_OK: totals hold all units selected. NQ_CANCELLED: the observer said stop; totals hold what
 * was done. NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY, or a status of the sink: there is no sum.
 * When the observer says stop, units under way have a second to finish where results are kept,
 * with an exchange half a second; without a sink they are dropped. */
nq_status nqi_run_job(struct job *job, const struct selection *selection,
                      const struct run_options *options, struct totals *totals);

#endif
