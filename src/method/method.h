/* Methods: ways to cut n into independent units of work, and to solve them.
 *
 * The layers above (run, ledger, mpi, api) see a method's partitions and solvers alone.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "method/solver.h"

/* What to count, and how. */
struct job_request {
    int n;                     /* 0..NQ_MAX_N */
    const char *method, *plan; /* names; NULL: the library chooses */
    int depth;                 /* 0: the library chooses */
    const char *kernel;        /* a name; NULL: the library chooses */
    struct memory_limits memory;
    bool same_on_every_machine; /* choose the method by n alone, since several machines
                                   count parts of the partition */
};

/* A plan of a method: a value of nq_options.plan. */
struct plan_info {
    const char *name;
    int min_depth, max_depth; /* range of nq_options.depth; 0, 0: the plan takes no depth */
};

struct method {
    const char *name, *work; /* the measure of work: "nodes", "pairs" */
    /* The implementations that solve its units: slowest first, NULL at the end. */
    const struct implementation *const *kernels;
    /* Stores what users may choose as its plan, the default one first, by index 0, 1, ...
     * False: past the last one. */
    bool (*plan_at)(size_t index, struct plan_info *info);
    nq_status (*partition)(int n, const char *plan, int depth, struct partition **partition,
                           char *detail, size_t size);
    struct solver *(*solver)(const struct partition *partition,
                             const struct implementation *kernel,
                             const struct memory_limits *memory);
};

extern const struct method nqi_method_search, nqi_method_join;

/* Returns the method at an index, from 0, or NULL past the last. */
const struct method *nqi_method_at(size_t index);

/* Returns the method of that name, or NULL if there is none. */
const struct method *nqi_method_by_name(const char *name);

/* Chooses the method and its kernel. If the request names no method: by the plan or the depth
 * if it names one; else, for same_on_every_machine, by n alone; else `join` if only that has
 * the kernel; else the method that was measured to be faster with that kernel and memory.
 * NQ_BAD_OPTION, NQ_NO_KERNEL: detail[0..size-1] says which methods or kernels there are. */
nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, char *detail, size_t size);

/* Chooses the method and its kernel, cuts the board into units, and makes their solver. The
 * caller closes the solver, and then the partition. Fails as nqi_method_choose and `partition`
 * do; both are NULL then. */
nq_status nqi_solver_open(const struct job_request *request, struct partition **partition,
                          struct solver **solver, char *detail, size_t size);

/* Makes a solver of a partition. kernel: as in struct job_request. Fails as nqi_method_choose
 * does; *solver is NULL then. */
nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         const struct memory_limits *memory, struct solver **solver,
                         char *detail, size_t size);

#endif
