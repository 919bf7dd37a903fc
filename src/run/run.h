/* SPDX-License-Identifier: MIT */
/* A run: a team of threads solves the selected units of a partition and adds up their results.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "core/method.h"
#include "run/selection.h"

struct team; /* machine/team.h */

struct totals {
    uint64_t solutions; /* weighted */
    uint64_t work;      /* as of work_sum */
    uint64_t units;     /* number of units solved */
    int threads, threads_bound;
    bool stopped; /* the observer said stop; all units may have finished before */
};

/* A unit with its result. */
struct solved {
    uint64_t unit;
    struct unit_result result;
    double seconds;     /* that one thread took */
    double cpu_seconds; /* those of `seconds` in which it was on a CPU, or fed a device; 0:
                           another process solved the unit */
    const char *kernel, *host; /* of the process that solved it; NULL: of this process. They
                                  must outlive the run. */
};

/* Receives the result of every unit. */
struct sink {
    /* Called by the thread that solved the unit; several threads may call at once. A status
     * other than NQ_OK ends the run, which returns it. */
    nq_status (*put)(void *context, const struct solved *solved);
    void *context;
};

/* Where a run takes its units from, instead of the selection: another process hands them out.
 */
struct source {
    /* Stores the next unit to solve. False: there is no other; without `wait`, perhaps none
     * yet. Several threads may call at once. */
    bool (*take)(void *context, bool wait, uint64_t *unit);
    void *context;
};

/* How to run. */
struct run_options {
    const struct team *team;
    const struct sink *sink;     /* NULL: only the sum is needed */
    const struct source *source; /* NULL: the selection. Else the units that it hands out, which
                                    need not be all. */
    struct observer observer;
    double started; /* when the count began, by nqi_seconds_now */
};

/* Begins a run of the selected units, which must outlive it, as all that the options point to.
 * Returns NULL if memory runs out. */
struct run *nqi_run_begin(struct solver *solver, const struct selection *selection,
                          const struct run_options *options);

/* Solves the units in their order. After a stop, units under way have half a second to finish
 * if there is a sink; without one they are dropped. Meanwhile another thread may take units,
 * add results, tick and stop, by the functions below. */
void nqi_run_solve(struct run *run);

/* Ends a run, which need not have been solved. Returns
 *   NQ_OK: totals are of all selected units, even if the run was stopped;
 *   NQ_CANCELLED: the run was stopped; totals are of the units that had finished;
 *   NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY, or a status of the sink or of the solver: there is
 *   no sum. */
nq_status nqi_run_end(struct run *run, struct totals *totals);

/* A whole run of the solver's units, but for those whose bit is set in `left_out` (NULL: none).
 * Returns a status of nqi_run_end, or NQ_NO_MEMORY. */
nq_status nqi_run_all(struct solver *solver, const uint64_t *left_out,
                      const struct run_options *options, struct totals *totals);

/* Stores the next units of the selection, at most `count`, for another process, and returns
 * their number. nqi_run_remaining: how many are still to be taken. */
uint64_t nqi_run_take(struct run *run, uint64_t count, uint64_t *units);
uint64_t nqi_run_remaining(const struct run *run);

/* Adds a unit that another process has solved. One thread at a time may call it. Returns NQ_OK,
 * NQ_INTERNAL (no such unit), NQ_LOST_UNIT (added before), NQ_OVERFLOW, or a status of the
 * sink. */
nq_status nqi_run_add(struct run *run, const struct solved *solved);

/* Looks at the clock, and calls the observer if a report is due, unless it has said stop. Every
 * thread does so after each unit, and many times a second during a unit. Returns whether it has
 * not said stop. */
bool nqi_run_tick(struct run *run);

/* Whether a team is about to start. If the system refuses a thread, libgomp prints a message
 * and ends the process with status 1: a handler of atexit() can tell that by this. */
bool nqi_run_is_starting(void);

/* Stops the run, because of a failure elsewhere; by_user: as if the observer had said stop. */
void nqi_run_stop(struct run *run, bool by_user);
bool nqi_run_stopped(const struct run *run);

#endif
