/* SPDX-License-Identifier: MIT */
/* What the layers above see of a method: its partitions (core/partition.h) and its solvers,
 * which solve the units of a partition on this machine, with one kernel. */
#ifndef CORE_SOLVER_H
#define CORE_SOLVER_H

#include "core/implementation.h"
#include "core/partition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Heartbeat: the solver of a long unit reports its progress and learns whether to go on. go_on
 * is called many times a second with the work done on the unit so far. False: stop. */
struct heartbeat {
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Passes of a kernel between two heartbeats: a few milliseconds. */
enum { PASSES_PER_BEAT = 4096 };

/* Reports the work done so far, and returns whether to go on. heartbeat: NULL, never stop. */
static inline bool heartbeat_go_on(const struct heartbeat *heartbeat, uint64_t work) {
    return heartbeat == NULL || heartbeat->go_on(heartbeat->context, work);
}

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* in the method's measure: nodes or completions */
};

/* Each method embeds it in a structure of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* which must outlive it */
    const char *kernel;                /* static name */
    bool without_work;                 /* its results say 0 for work */
};

struct solver_calls {
    void (*close)(struct solver *solver);
    /* Allocates the memory in which one thread solves units. NULL: out of memory. */
    void *(*worker_new)(const struct solver *solver);
    void (*worker_free)(void *worker); /* NULL allowed */
    /* Solves one unit. Several threads may call it at once, each with its own worker. The
     * result is valid for NQ_OK alone. NQ_CANCELLED: the heartbeat said stop. Otherwise
     * NQ_NO_MEMORY or NQ_OVERFLOW. */
    nq_status (*solve)(const struct solver *solver, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result);
};

/* Closes a solver; NULL allowed. */
static inline void solver_close(struct solver *solver) {
    if (solver != NULL)
        solver->call->close(solver);
}

/* Sums of the work of units. A whole count of a large board may do more work than 64 bits
 * hold. Such a sum must not wrap, which would look like little work, nor fail: no total
 * depends on it. So it stays at the most that 64 bits hold. */

/* Work of units is kept with 63 bits, those of SQLite's numbers. Returns what is kept of it;
 * INT64_MAX: that or more. */
static inline uint64_t work_kept(uint64_t work) {
    return work < INT64_MAX ? work : INT64_MAX;
}

/* Returns a + b; UINT64_MAX: that or more. */
static inline uint64_t work_sum(uint64_t a, uint64_t b) {
    uint64_t both;
    return __builtin_add_overflow(a, b, &both) ? UINT64_MAX : both;
}

/* A plan of a method: a value of nq_options.plan. */
struct plan_info {
    const char *name;
    int min_depth, max_depth; /* range of nq_options.depth; 0, 0: the plan takes no depth */
};

/* Method: a way to divide n into independent units of work, and to solve them. engine/methods.c
 * lists the methods. */
struct method {
    const char *name, *work; /* the measure of work: "nodes", "completions" */
    /* The implementations that solve its units: slowest first, NULL at the end. */
    const struct implementation *const *kernels;
    /* Stores what users may choose as its plan, the default one first, by index 0, 1, ...
     * False: past the last one. */
    bool (*plan_at)(size_t index, struct plan_info *info);
    /* Divides n = 0..NQ_MAX_N into units. plan: NULL, the method's default. depth: 0, the
     * plan's own. NQ_BAD_OPTION: the method has no such plan, or the plan no such depth;
     * `failure` then says which there are. Otherwise NQ_OK or NQ_NO_MEMORY. */
    nq_status (*partition)(int n, const char *plan, int depth, struct partition **partition,
                           struct failure *failure);
    struct solver *(*solver)(const struct partition *partition,
                             const struct implementation *kernel);
    /* Makes a solver that counts a unit's solutions by a plain search, to audit the method; too
     * slow to count with. NULL: there is none. */
    struct solver *(*plain)(const struct partition *partition);
};

#endif
