/* Methods: ways to cut n into independent units of work, and to solve one unit.
 *
 * The layers above (run, ledger, mpi, api) see only the number of units, the weight and the
 * expected cost of each, and the results of solving them. The number of solutions is the sum
 * over all units of weight x solutions.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "cpu/implementation.h"
#include "work/heartbeat.h"
#include "work/sum.h"

#include <nqueens/nqueens.h>

/* A unit of work; its id is its index in the job. A job's list of units depends on n, the
 * method, the plan, its version and its depth alone, so ids are the same on every machine and
 * in every run. */
struct unit {
    uint64_t weight;
    double cost; /* expected, above 0, on one scale for the whole job */
};

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* in the method's measure: nodes or pairs */
};

/* The bytes that a job may take. */
struct memory_limits {
    uint64_t all; /* 0: no limit */
    bool tables;  /* keep what workers can share */
};

/* The bytes that a job takes in the end. */
struct memory_use {
    uint64_t tables;  /* that all workers share; 0: nothing is kept */
    uint64_t worker;  /* each, estimated */
    int most_workers; /* for which there is room, at least 1; 0: any number */
    bool fits;        /* there is room for one */
};

struct halves_cut;

/* What to count, and how. */
struct job_request {
    int n;                     /* 0..NQ_MAX_N */
    const char *method, *plan; /* names; NULL: the library chooses */
    int depth;                 /* 0: the library chooses */
    const char *kernel;        /* a name; NULL: the library chooses */
    struct memory_limits memory;
    const struct halves_cut *cut; /* for method `join`; NULL: as its plan does */
    bool same_on_every_machine;   /* choose the method by n alone, since several machines
                                     count parts of the job */
};

/* One n, cut into units. Each method embeds it in a structure of its own. */
struct job {
    const struct method *method;
    int n;
    const char *plan, *kernel; /* static names */
    int plan_version;
    int depth; /* 0: the plan has no depth */
    struct memory_use memory;
    uint64_t unit_count;
    struct unit *units; /* NULL: too many to be listed */
};

/* Returns a unit of a job. Units that are not listed have weight 1, and count as equally
 * costly.
 */
static inline struct unit job_unit(const struct job *job, uint64_t id) {
    return job->units != NULL ? job->units[id] : (struct unit){.weight = 1, .cost = 1};
}

/* Returns the cost of all units. */
static inline double job_cost(const struct job *job) {
    double cost = job->units != NULL ? 0 : (double)job->unit_count;
    for (uint64_t id = 0; job->units != NULL && id < job->unit_count; id++)
        cost += job->units[id].cost;
    return cost;
}

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
    /* Cuts n into units for one of these implementations. NQ_BAD_OPTION: the method has no such
     * plan, or the plan no such depth; detail[0..size-1] then says which there are. Otherwise
     * NQ_OK or NQ_NO_MEMORY. */
    nq_status (*open)(const struct job_request *request, const struct implementation *kernel,
                      struct job **job, char *detail, size_t size);
    void (*close)(struct job *job); /* NULL allowed */
    /* Makes all tables that the threads share, so that a unit's time does not include making
     * tables for others; NULL: the method has none. Each thread of the
     * OpenMP team calls it with its own heartbeat, and gets a status of its own. NQ_CANCELLED:
     * the heartbeat said stop. Otherwise NQ_OK or NQ_NO_MEMORY. */
    nq_status (*prepare)(struct job *job, const struct heartbeat *heartbeat);
    /* Allocates the memory in which one thread solves units of the job. NULL: out of memory. */
    void *(*worker_new)(const struct job *job);
    void (*worker_free)(void *worker);
    /* Returns the expected cost of a unit of a job whose units are not listed, above 0, on one
     * scale for the whole job. NULL: units are always listed. */
    double (*cost)(const struct job *job, uint64_t id);
    /* Solves one unit. Several threads may call it at once, each with its own worker. The
     * result is valid for NQ_OK alone. NQ_CANCELLED: the heartbeat said stop. Otherwise
     * NQ_NO_MEMORY or NQ_OVERFLOW. */
    nq_status (*solve)(const struct job *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result);
};

extern const struct method nqi_method_search, nqi_method_join;

/* Returns the method at an index, from 0, or NULL past the last. */
const struct method *nqi_method_at(size_t index);

/* Returns the method of that name, or NULL if there is none. */
const struct method *nqi_method_by_name(const char *name);

/* Lowers a number of threads to those for which there is memory. NQ_NO_MEMORY: there is not
 * enough for one; detail[0..size-1] says how much that needs. */
nq_status nqi_job_limit_threads(const struct job *job, int *threads, char *detail, size_t size);

/* Returns what method `join` does with the memory. */
struct memory_use nqi_join_memory(int n, const struct memory_limits *limits);

/* Chooses the method and its kernel. If the request names no method: by the plan or the depth
 * if it names one; else, for same_on_every_machine, by n alone; else `join` if only that has
 * the kernel; else the method that was measured to be faster with that kernel and memory.
 * NQ_BAD_OPTION, NQ_NO_KERNEL: detail[0..size-1] says which methods or kernels there are. */
nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, char *detail, size_t size);

/* Chooses the method and its kernel, and cuts the board into units. The caller closes the job
 * with job->method->close. Fails as nqi_method_choose and `open` do; *job is NULL then. */
nq_status nqi_job_open(const struct job_request *request, struct job **job, char *detail,
                       size_t size);

#endif
