/* Methods: ways to turn n into a list of independent units of work, and to solve one unit.
 *
 * The layers above (run, ledger, mpi, api) see no more than this: how many units there are, the
 * expected cost of each, and what solving one came to. Over all units, the sum of weight x
 * solutions is the number of solutions.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "cpu/implementation.h"
#include "work/heartbeat.h"

#include <nqueens/nqueens.h>

/* A unit's id is its index in the job: fixed by n, the method, the plan, its version and its
 * depth; the same on every machine and in every run. */
struct unit {
    uint64_t weight;
    double cost; /* expected, in any one measure for the whole job; > 0 */
};

struct unit_result {
    uint64_t solutions; /* unweighted */
    uint64_t work;      /* what the method counts as work */
};

/* What to count, and how. */
struct job_request {
    int n;                      /* 0..NQ_MAX_N */
    const char *method, *plan;  /* names; NULL: chosen */
    int depth;                  /* 0: chosen */
    const char *kernel;         /* a name; NULL: chosen */
    uint64_t table_memory;      /* bytes that tables shared by the threads may take */
    bool same_on_every_machine; /* choose the method by n alone: several machines each
                                   count a part of the job */
};

/* One n, cut into units. Methods embed it in what they need to solve them. */
struct job {
    const struct method *method;
    int n;
    const char *plan, *kernel; /* static names */
    int plan_version;
    int depth;              /* 0 where the plan has none */
    uint64_t memory;        /* bytes of the tables that `prepare` makes */
    uint64_t worker_memory; /* bytes that each worker comes to need, about */
    uint64_t unit_count;
    struct unit *units;
};

struct method {
    const char *name, *work; /* what it counts as work: "nodes", "pairs" */
    /* The implementations that can solve its units: slowest first, NULL at the end. */
    const struct implementation *const *kernels;
    /* Cuts n into units for one of these implementations. NQ_BAD_OPTION: the method has no such
     * plan, or the plan no such depth; detail[0..size-1] then says which it has. NQ_NO_MEMORY.
     */
    nq_status (*open)(const struct job_request *request, const struct implementation *kernel,
                      struct job **job, char *detail, size_t size);
    void (*close)(struct job *job); /* NULL allowed */
    /* Makes what all threads share. Each thread of the team calls it, with its own heartbeat,
     * before any thread solves a unit; all calls return the same status. NQ_CANCELLED: a
     * heartbeat said stop. NQ_NO_MEMORY. NQ_LOST_UNIT: the tables do not have as many entries
     * as they must. NULL: there is nothing to make. */
    nq_status (*prepare)(struct job *job, const struct heartbeat *heartbeat);
    /* Memory for one thread to solve units of the job in; NULL: out of memory. */
    void *(*worker_new)(const struct job *job);
    void (*worker_free)(void *worker);
    /* Solves one unit. Several threads may call it at once, each with its own worker.
     * NQ_CANCELLED: the heartbeat said stop; NQ_NO_MEMORY, NQ_OVERFLOW: there is no result. */
    nq_status (*solve)(const struct job *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result);
};

extern const struct method nqi_method_search, nqi_method_join;

/* Returns the bytes of the quarter tables that method `join` makes for n; 0: it makes none. */
uint64_t nqi_join_table_bytes(int n);

/* The quarter tables that method `join` makes for n fit into so many bytes. */
bool nqi_join_has_tables(int n, uint64_t table_memory);

/* Chooses the method and its kernel. Without a name for the method: by the plan if one is
 * named; `search` if a depth is; by n alone for parts on several machines; else the faster one,
 * as measured, with that kernel and memory. NQ_BAD_OPTION, NQ_NO_KERNEL: detail[0..size-1] says
 * what there is. */
nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, char *detail, size_t size);

/* Chooses the method and its kernel, and cuts the board into units. The caller closes the job
 * with job->method->close. Statuses as of nqi_method_choose and of `open`; *job is NULL then.
 */
nq_status nqi_job_open(const struct job_request *request, struct job **job, char *detail,
                       size_t size);

#endif
