/* Solver: solves the units of a partition on this machine, with one kernel. */
#ifndef CORE_SOLVER_H
#define CORE_SOLVER_H

#include "core/heartbeat.h"
#include "core/implementation.h"
#include "core/partition.h"
#include "core/sum.h"

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* in the method's measure: nodes or completions */
};

/* Each method embeds it in a structure of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* which must outlive it */
    const char *kernel;                /* static name */
    bool without_work;                 /* results have no work, but 0 */
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

#endif
