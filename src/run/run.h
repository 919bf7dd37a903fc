/* SPDX-License-Identifier: MIT */
/* A run: a team of threads solves selected units and adds up their results. Units may also come
 * from another process (source), and results may go on to a ledger or an audit (sink). */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "core/method.h"
#include "run/selection.h"

struct team; /* machine/team.h */

/* The sums of a run. */
struct totals {
    uint64_t solutions;         /* multiplied by the units' weights */
    uint64_t work;              /* UINT64_MAX means that much or more */
    uint64_t units;             /* number of units solved */
    int threads, threads_bound; /* as in nq_result */
    bool stopped; /* the observer returned false; all units may have finished nevertheless */
};

/* A unit with its result. */
struct solved {
    uint64_t unit;
    struct unit_result result;
    double seconds; /* time that it took a thread */
    /* The part of `seconds` in which that thread was on a CPU. It is all of `seconds` if the
     * thread serves a device or there is no sink, and 0 if another process solved the unit. */
    double cpu_seconds;
    /* Kernel and host of the process that solved it. NULL means those of this process. The
     * strings must outlive the run. */
    const char *kernel, *host;
};

/* A sink receives the result of every unit. */
struct sink {
    /* The thread that solved the unit calls this; several threads may call it at once. A status
     * other than NQ_OK ends the run, which then returns it. */
    nq_status (*put)(void *context, const struct solved *solved);
    void *context;
};

/* A source hands out units that another process has selected. */
struct source {
    /* Stores the next unit to solve and returns true, or returns false if there is none.
     * If `wait` is false, also returns false if the next unit has not arrived yet. Several
     * threads may call this at once. */
    bool (*take)(void *context, bool wait, uint64_t *unit);
    void *context;
};

struct run_options {
    const struct team *team;
    const struct sink *sink; /* NULL if only the sum is needed */
    /* If it is not NULL, the run solves the units that the source hands out, instead of the
     * selection. These need not be all units of the board. */
    const struct source *source;
    struct observer observer;
    double started; /* time of nqi_seconds_now() at which the count began, for reports */
};

/* Begins a run of the selected units. The selection, and all that the options point to, must
 * outlive the run. Returns NULL if memory runs out. */
struct run *nqi_run_begin(struct solver *solver, const struct selection *selection,
                          const struct run_options *options);

/* Solves the units in the order of the selection. After a stop, units under way have half a
 * second to finish if there is a sink; without a sink they are dropped. While this function
 * runs, another thread may call nqi_run_take, nqi_run_add, nqi_run_tick and nqi_run_stop. */
void nqi_run_solve(struct run *run);

/* Ends a run and frees it. nqi_run_solve() need not have been called before. Returns
 *   NQ_OK if the totals are those of all selected units, even if the run was stopped;
 *   NQ_CANCELLED if the run was stopped; the totals are those of the units that had finished;
 *   NQ_OVERFLOW, NQ_LOST_UNIT, NQ_NO_MEMORY, or a status of the sink or of the solver; there is
 *   then no sum of solutions. */
nq_status nqi_run_end(struct run *run, struct totals *totals);

/* Does a whole run of all units of the solver's partition, except those whose bit is set in
 * `left_out`, which may be NULL. Returns NQ_NO_MEMORY or a status of nqi_run_end. */
nq_status nqi_run_all(struct solver *solver, const uint64_t *left_out,
                      const struct run_options *options, struct totals *totals);

/* nqi_run_take() stores the next units of the selection, at most `count` of them, for another
 * process, and returns how many it stored. nqi_run_remaining() returns how many units are still
 * to be taken. */
uint64_t nqi_run_take(struct run *run, uint64_t count, uint64_t *units);
uint64_t nqi_run_remaining(const struct run *run);

/* Adds the result of a unit that another process has solved. Only one thread at a time may call
 * this. Returns NQ_OK, NQ_INTERNAL if there is no such unit, NQ_LOST_UNIT if it was added
 * before, NQ_OVERFLOW, or a status of the sink. */
nq_status nqi_run_add(struct run *run, const struct solved *solved);

/* Calls the observer if a report is due, unless the observer has returned false before. Every
 * thread calls this after each bundle, and many times a second while it solves one. Returns
 * false once the observer has returned false. */
bool nqi_run_tick(struct run *run);

/* Returns whether a team is being started. If the system refuses a thread meanwhile, libgomp
 * prints a message and ends the process with status 1. A handler of atexit() can recognise that
 * by this function. */
bool nqi_run_is_starting(void);

/* Stops the run. by_user: whether the user wants the stop, as if the observer had returned
 * false; if not, there was a failure elsewhere. */
void nqi_run_stop(struct run *run, bool by_user);
bool nqi_run_stopped(const struct run *run);

#endif
