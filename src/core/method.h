/* SPDX-License-Identifier: MIT */
/* The contract of a method. A method divides a board into units (its partition) and solves them
 * (its solver). The layers above know methods only by these structs, so they work with any of
 * them. */
#ifndef CORE_METHOD_H
#define CORE_METHOD_H

#include "core/failure.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct kernel; /* core/isa.h */

/* A unit: a part of a board that one thread solves. Its id is its index in the partition. */
struct unit {
    uint32_t weight; /* number of solutions of the board that each solution of the unit
                        represents, because of symmetry */
    uint64_t cost;   /* expected time, above 0, on a scale of the partition's own */
};

/* The units of a board. The number of the board's solutions is the sum over all units of weight
 * x solutions. Each method embeds this struct in one of its own.
 *
 * The partition of an empty board depends only on n, the method and its version, and is the
 * same on every machine. To that end, costs are computed with whole numbers, because
 * floating-point numbers are rounded as the compiler likes (x87, -ffast-math). */
struct partition {
    nq_job job;
    const char *work;         /* what is counted as work: "nodes" or "completions"; static */
    uint64_t cost;            /* sum of the units' costs, which does not wrap around */
    const struct unit *units; /* indexed by id */
    void (*close)(struct partition *partition);
};

/* partition: may be NULL */
static inline void partition_close(struct partition *partition) {
    if (partition != NULL)
        partition->close(partition);
}

/* The function by which a solver reports progress and learns whether to go on. */
struct heartbeat {
    /* Solvers call this many times a second with the work done so far in the call of `solve`.
     * If it returns false, they stop. */
    bool (*go_on)(void *context, uint64_t work);
    void *context;
};

/* Reports the work done so far, and returns whether to go on. If `heartbeat` is NULL, it always
 * returns true. */
static inline bool heartbeat_go_on(const struct heartbeat *heartbeat, uint64_t work) {
    return heartbeat == NULL || heartbeat->go_on(heartbeat->context, work);
}

/* The progress callback of nq_options. */
struct observer {
    nq_progress_fn report; /* may be NULL */
    void *context;
    double seconds; /* least time between two calls; 0 or less means 0.1 */
};

struct unit_result {
    uint64_t solutions; /* not yet multiplied by the unit's weight */
    uint64_t work;      /* nodes or completions */
};

/* The units that one call of a solver solves. On a CPU this is a single unit. A device needs
 * many units at a time to be kept busy. */
struct bundle {
    uint64_t *ids;               /* input */
    struct unit_result *results; /* output: results[i] is the result of ids[i] */
    size_t count;                /* input; 1 unless the solver has a bundle_cost */
    /* Input and output: the expected cost that bundles should have. The solver adapts it to the
     * speed that it sees, for the thread's next bundle. */
    uint64_t cost;
    /* Output: name of the kernel and its device, valid while the solver lives; or NULL if the
     * solver's member `kernel` is the whole name. */
    const char *kernel;
};

/* A solver solves the units of a partition on this machine with one kernel. Each kernel may
 * embed this struct in one of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* must outlive the solver */
    const char *kernel;                /* name of the kernel; static */

    /* The members below are 0 and NULL for a kernel on CPUs. */

    int threads;          /* number of threads that a run must have to serve the devices */
    uint64_t bundle_cost; /* expected cost of a thread's first bundle */
    uint64_t devices;     /* bit i is set if device i counts */
    const char *warning;  /* as in nq_progress */
};

struct solver_calls {
    void (*close)(struct solver *solver);
    /* Allocates a workspace: the memory in which one thread solves units. Returns NULL if
     * memory runs out. */
    void *(*workspace_new)(const struct solver *solver);
    /* Frees a workspace, which may be NULL, before the solver is closed. */
    void (*workspace_free)(void *workspace);
    /* Solves a bundle. Several threads may call it at once, each with its own workspace.
     *
     * Returns NQ_OK; NQ_CANCELLED if the heartbeat returned false; NQ_NO_MEMORY, NQ_OVERFLOW,
     * NQ_DEVICE or NQ_DISAGREE. The last two are explained in the `failure` that was passed
     * when the solver was made. Results are valid only if the status is NQ_OK. */
    nq_status (*solve)(const struct solver *solver, void *workspace, struct bundle *bundle,
                       const struct heartbeat *heartbeat);
};

static inline nq_status solver_solve(const struct solver *solver, void *workspace, uint64_t id,
                                     const struct heartbeat *heartbeat,
                                     struct unit_result *result) {
    struct bundle bundle = {.ids = &id, .results = result, .count = 1};
    return solver->call->solve(solver, workspace, &bundle, heartbeat);
}

/* solver: may be NULL */
static inline void solver_close(struct solver *solver) {
    if (solver != NULL)
        solver->call->close(solver);
}

/* Adds weight x solutions to a sum. Returns NQ_OVERFLOW if the sum exceeds 64 bits. That shows
 * an error, because no total up to NQ_MAX_N is so large. */
static inline nq_status solutions_add(uint64_t *sum, uint64_t weight, uint64_t solutions) {
    uint64_t weighted;
    return __builtin_mul_overflow(weight, solutions, &weighted) ||
                   __builtin_add_overflow(*sum, weighted, sum)
               ? NQ_OVERFLOW
               : NQ_OK;
}

static inline bool results_agree(struct unit_result a, struct unit_result b) {
    return a.solutions == b.solutions && a.work == b.work;
}

/* Returns a + b, or UINT64_MAX if the sum exceeds 64 bits, as in a complete count of a large
 * board. Wrapping around would report too little work; failing would discard a right count. */
static inline uint64_t work_sum(uint64_t a, uint64_t b) {
    uint64_t both;
    return __builtin_add_overflow(a, b, &both) ? UINT64_MAX : both;
}

/* A way to count. methods/methods.c lists the methods. */
struct method {
    const char *name;
    const char *work; /* what its work counts, as in struct partition; each method has a word
                         of its own */
    /* The kernels that solve its units, the slowest first, and NULL at the end. */
    const struct kernel *const *kernels;
    /* Number of the rules by which it divides a board into units. It is raised whenever the
     * units of any n change. */
    int version;
    /* Number of neighbouring units that have parts in common, which a thread then computes
     * once. 1 means that units have no parts in common. */
    int block_units;
    /* The largest n that can be estimated. Measuring a unit of a larger board would take longer
     * than a user waits. */
    int max_estimated_n;
    /* The largest n that burn-ins count. */
    int max_burn_in_n;
    /* Divides the empty board of n = 0..NQ_MAX_N into units. It returns NULL if memory runs
     * out. */
    struct partition *(*partition)(int n);
    /* Divides a given board into units. squares[row]: the set of squares that a queen may take.
     * Returns NULL if memory runs out. If this member is NULL, the method counts only empty
     * boards. */
    struct partition *(*board_partition)(int n, const uint32_t *squares);
    /* Writes what identifies a unit, in the form of results/vectors.json: JSON values separated
     * by ", ". */
    void (*describe_unit)(const struct partition *partition, uint64_t id, FILE *stream);
    /* Returns the most bytes that a workspace takes for n = 0..NQ_MAX_N. If this member is
     * NULL, a workspace is too small to matter. */
    uint64_t (*workspace_bytes)(int n);
};

#endif
