/* SPDX-License-Identifier: MIT */
/* What a method is to the layers above: it cuts a board into units (partition) and solves them
 * (solver). They know no method otherwise. */
#ifndef CORE_METHOD_H
#define CORE_METHOD_H

#include "core/failure.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct kernel; /* core/isa.h */

/* A unit of work; its id is its index in the partition. */
struct unit {
    uint32_t weight;
    uint64_t cost; /* expected, above 0, on one scale for the whole partition */
};

/* The units of a board. Each method embeds it in a structure of its own.
 *
 * It depends on n, the method and its version alone, and is the same on every machine: costs
 * are made of whole numbers, since compilers round others as they like (x87, -ffast-math). The
 * number of solutions is the sum over all units of weight x solutions. */
struct partition {
    nq_job job;
    const char *work;         /* its measure, a static name: "nodes", "completions" */
    uint64_t cost;            /* of all units: below 2^64 */
    const struct unit *units; /* [id] */
    void (*close)(struct partition *partition);
};

/* Closes a partition; NULL allowed. */
static inline void partition_close(struct partition *partition) {
    if (partition != NULL)
        partition->close(partition);
}

/* By which the solver of a long unit reports its progress and learns whether to go on. go_on is
 * called many times a second with the work done on the unit so far. False: stop. */
struct heartbeat {
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Reports the work done so far, and returns whether to go on. heartbeat: NULL, never stop. */
static inline bool heartbeat_go_on(const struct heartbeat *heartbeat, uint64_t work) {
    return heartbeat == NULL || heartbeat->go_on(heartbeat->context, work);
}

/* The caller's callback; it may stop the call. */
struct observer {
    nq_progress_fn report; /* NULL: none */
    void *context;
    double seconds; /* least time between two calls; 0 or less: 0.1 */
};

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* in the method's measure: nodes or completions */
};

/* Units that a thread solves at a time. The solver fills in what follows the count. */
struct bundle {
    uint64_t *ids;
    struct unit_result *results; /* [index of the id] */
    size_t count;                /* 1, unless the solver has `bundle_cost` */
    uint64_t cost;               /* expected, that the next bundle should have */
    const char *kernel; /* with the device, while the solver lives; NULL: the solver's */
};

/* Solves the units of a partition on this machine, with one kernel. Each method embeds it in a
 * structure of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* which must outlive it */
    const char *kernel;                /* static name */
    /* On devices, each of which several threads feed; else 0 and NULL. */
    int threads; /* of a run; 0: those of the team */
    uint64_t
        bundle_cost;  /* expected cost of a thread's first bundle; 0: bundles are of a unit */
    uint64_t devices; /* bit i: device i counts */
    const char *warning; /* as in nq_progress */
};

struct solver_calls {
    void (*close)(struct solver *solver);
    /* Allocates the memory in which one thread solves units. NULL: out of memory. */
    void *(*workspace_new)(const struct solver *solver);
    void (*workspace_free)(void *workspace); /* NULL allowed; before the solver is closed */
    /* Solves a bundle. Several threads may call it at once, each with its own workspace. The
     * results are valid for NQ_OK alone. NQ_CANCELLED: the heartbeat said stop. Otherwise
     * NQ_NO_MEMORY or NQ_OVERFLOW; or NQ_DEVICE or NQ_DISAGREE, which the solver explains to
     * its opener. */
    nq_status (*solve)(const struct solver *solver, void *workspace, struct bundle *bundle,
                       const struct heartbeat *heartbeat);
};

/* Solves one unit. */
static inline nq_status solver_solve(const struct solver *solver, void *workspace, uint64_t id,
                                     const struct heartbeat *heartbeat,
                                     struct unit_result *result) {
    struct bundle bundle = {.ids = &id, .results = result, .count = 1};
    return solver->call->solve(solver, workspace, &bundle, heartbeat);
}

/* Closes a solver; NULL allowed. */
static inline void solver_close(struct solver *solver) {
    if (solver != NULL)
        solver->call->close(solver);
}

/* Adds weight x solutions to a sum. NQ_OVERFLOW: it outgrows 64 bits, as no total up to
 * NQ_MAX_N does. */
static inline nq_status solutions_add(uint64_t *sum, uint64_t weight, uint64_t solutions) {
    uint64_t weighted;
    return __builtin_mul_overflow(weight, solutions, &weighted) ||
                   __builtin_add_overflow(*sum, weighted, sum)
               ? NQ_OVERFLOW
               : NQ_OK;
}

/* Returns whether two results of a unit are the same. */
static inline bool results_agree(struct unit_result a, struct unit_result b) {
    return a.solutions == b.solutions && a.work == b.work;
}

/* Returns a + b; UINT64_MAX: that or more, as in a whole count of a large board. A sum that
 * wraps around would look like little work, a failure lose a count that does not depend on it.
 */
static inline uint64_t work_sum(uint64_t a, uint64_t b) {
    uint64_t both;
    return __builtin_add_overflow(a, b, &both) ? UINT64_MAX : both;
}

/* A way to count. methods/methods.c lists the methods. */
struct method {
    const char *name;
    const char *work; /* its measure, as in struct partition, and no other method's */
    /* The kernels that solve its units: slowest first, NULL at the end. */
    const struct kernel *const *kernels;
    int version;         /* of its units: raised whenever the same n yields others */
    int block_units;     /* neighbouring units that have parts in common; 1: they have none */
    int max_estimated_n; /* a unit of a larger board takes longer than a user waits for an
                            estimate */
    int max_burn_in_n;   /* a larger board is left out of burn-ins */
    /* Cuts the board of n = 0..NQ_MAX_N into units. NULL: out of memory. */
    struct partition *(*partition)(int n);
    /* Cuts a given board, of which squares[row] may be used, into units. It returns NULL if
     * memory runs out. If there is no such function, the method counts empty boards only. */
    struct partition *(*board_partition)(int n, const uint32_t *squares);
    /* Writes what a unit consists of, as results/vectors.json has it: values of JSON, separated
     * by ", ". */
    void (*describe_unit)(const struct partition *partition, uint64_t id, FILE *stream);
    /* Returns the bytes of memory that a workspace takes at most, n = 0..NQ_MAX_N. NULL:
     * little.
     */
    uint64_t (*workspace_bytes)(int n);
};

#endif
