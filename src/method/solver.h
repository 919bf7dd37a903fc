/* Solver: solves the units of a partition on this machine, with one kernel and some memory. */
#ifndef METHOD_SOLVER_H
#define METHOD_SOLVER_H

#include "cpu/implementation.h"
#include "method/partition.h"
#include "work/heartbeat.h"
#include "work/sum.h"

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* in the method's measure: nodes or pairs */
};

/* The bytes that a solver may take. */
struct memory_limits {
    uint64_t all; /* 0: no limit */
    bool tables;  /* keep what workers can share */
};

/* The bytes that a solver takes in the end. */
struct memory_use {
    uint64_t tables;  /* that all workers share; 0: nothing is kept */
    uint64_t worker;  /* each, estimated */
    int most_workers; /* for which there is room, at least 1; 0: any number */
    bool fits;        /* there is room for one */
};

/* Each method embeds it in a structure of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* which must outlive it */
    const char *kernel;                /* static name */
    struct memory_use memory;
};

struct solver_calls {
    void (*close)(struct solver *solver);
    /* Makes all tables that the threads share, so that a unit's time does not include making
     * tables for others; NULL: there are none. Each thread of the OpenMP team calls it with its
     * own heartbeat, and gets a status of its own. NQ_CANCELLED: the heartbeat said stop.
     * Otherwise NQ_OK or NQ_NO_MEMORY. */
    nq_status (*prepare)(struct solver *solver, const struct heartbeat *heartbeat);
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

/* Makes a solver for a partition of this method, with one of its kernels. NULL: out of memory.
 */
struct solver *nqi_search_solver(const struct partition *partition,
                                 const struct implementation *kernel,
                                 const struct memory_limits *memory);
struct solver *nqi_join_solver(const struct partition *partition,
                               const struct implementation *kernel,
                               const struct memory_limits *memory);

/* Returns what method `join` does with the memory. */
struct memory_use nqi_join_memory(int n, const struct memory_limits *limits);

/* Lowers a number of threads to those for which there is memory. NQ_NO_MEMORY: there is not
 * enough for one; detail[0..size-1] says how much that needs. */
nq_status nqi_solver_limit_threads(const struct solver *solver, int *threads, char *detail,
                                   size_t size);

#endif
