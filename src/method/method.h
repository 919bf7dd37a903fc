/* Methods: ways to turn n into a list of independent units of work, and to solve one unit.
 *
 * This is all that the run, and whatever hands units to other machines or keeps their results,
 * ever sees: how many units there are, what each is expected to cost, and what solving one
 * came to. Over all units, the sum of weight x solutions is the number of solutions.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "kernel/pulse.h"

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
    const char *name, *work; /* what it counts as work: "nodes" */
    /* The kernels that can solve its units, slowest first, as nq_kernel lists them. */
    bool (*kernel_at)(size_t index, nq_kernel_info *info);
    /* Checks the options that concern the method and cuts n = 0..NQ_MAX_N into units. On
     * failure the text for people goes to detail[0..size-1] where the status does not say
     * enough. */
    nq_status (*open)(int n, const nq_options *options, struct job **job, char *detail,
                      size_t size);
    void (*close)(struct job *job); /* NULL allowed */
    /* Makes what all threads share; called by each thread of the team, with its own pulse,
     * before any solves a unit. NQ_CANCELLED: a pulse said no. NULL: there is nothing to make.
     */
    nq_status (*prepare)(struct job *job, const struct pulse *pulse);
    /* What one thread needs to itself to solve units of the job; NULL: out of memory. */
    void *(*worker_new)(const struct job *job);
    void (*worker_free)(void *worker);
    /* Solves one unit; safe to call from several threads, each with its own worker.
     * NQ_CANCELLED: the pulse said no; NQ_NO_MEMORY, NQ_OVERFLOW. There is no result then. */
    nq_status (*solve)(const struct job *job, void *worker, uint64_t id,
                       const struct pulse *pulse, struct unit_result *result);
};

extern const struct method method_search, method_join;

/* Whether `join` has room for its tables. */
bool join_has_tables(int n, const nq_options *options);

/* The method that the options name; NULL when there is none. NULL or "auto": the fastest for n
 * with that kernel and memory, as measured; where a plan or a depth is named, the search; for
 * shards by n alone, so that all machines count parts of the same job. */
const struct method *method_choose(int n, const nq_options *options);

#endif
