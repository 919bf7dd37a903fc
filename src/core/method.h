/* SPDX-License-Identifier: MIT */
/* What the layers above see of a method: its jobs, partitions and solvers, and the choice among
 * what is written for several instruction sets. */
#ifndef CORE_METHOD_H
#define CORE_METHOD_H

#include "core/text.h"

#include <stdint.h>
#include <string.h>

/* The CPU's instruction sets whose registers the operating system saves. A set of features is a
 * word with one bit for each.
 *
 * FEATURE(id, name, bit): `name` is for __builtin_cpu_supports. Compilers predefine __id__ as 1
 * in a file that they compile for the feature. */
#define CPU_FEATURES(FEATURE)                                                                  \
    FEATURE(POPCNT, "popcnt", 1)                                                               \
    FEATURE(AVX2, "avx2", 2)                                                                   \
    FEATURE(AVX512F, "avx512f", 4)                                                             \
    FEATURE(AVX512BW, "avx512bw", 8)                                                           \
    FEATURE(AVX512VL, "avx512vl", 16)                                                          \
    FEATURE(AVX512VBMI2, "avx512vbmi2", 32)

/* The features for which the compiler compiles the current file: a CPU needs all of them to run
 * it. __id__ becomes "1" as a string literal, or stays as it is. */
#define CPU_STRING(text)                #text
#define CPU_IS_ONE(macro)               (sizeof CPU_STRING(macro) == sizeof "1")
#define CPU_COMPILED_FOR(id, name, bit) | (CPU_IS_ONE(__##id##__) ? bit : 0)
#define CPU_FEATURES_COMPILED_FOR       (0 CPU_FEATURES(CPU_COMPILED_FOR))

/* Writes the names of the features that programs may use on this CPU and operating system,
 * separated by spaces, cut to `size` bytes. */
void nqi_cpu_feature_names(char *text, size_t size);

/* Implementations: the same functions written for several instruction sets, and the choice of
 * one at run time.
 *
 * A list of implementations is an array, slowest first, that ends with NULL. The first one runs
 * on every CPU that the rest of the build runs on. Kernels and completers are implementations:
 * struct kernel and struct completer begin with a struct implementation. */
struct implementation {
    const char *name; /* of the instruction set, and a value of the option `kernel` */
    uint32_t needs;   /* CPU_FEATURES_COMPILED_FOR of its file */
};

/* Returns whether this CPU has all features that the implementation needs. */
bool nqi_implementation_runs_here(const struct implementation *implementation);

/* Chooses an implementation from a list by its name; NULL, "auto": the fastest that runs here.
 * NQ_NO_KERNEL: the list has no such implementation, or this CPU cannot run it;
 * `failure` then names the implementations that run here. */
nq_status nqi_implementation_choose(const struct implementation *const *list, const char *name,
                                    const struct implementation **chosen,
                                    struct failure *failure);

/* Returns the value of an option that names something, or NULL if it leaves the choice to the
 * library: "auto" does. */
static inline const char *named_choice(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

/* Returns the index of a name; -1: it is none of these, and `failure` says which there are.
 * option: the option's name. */
int nqi_choose_name(const char *option, const char *name, const char *const *names,
                    size_t count, struct failure *failure);

/* Jobs: what is counted. The same job is in a partition, a ledger, a message between processes
 * and a result.
 *
 * nqi_job makes one. Names longer than its members are cut: no method or plan has such a name.
 */
nq_job nqi_job(int n, const char *method, const char *plan, int plan_version, uint64_t units);

bool nqi_job_equal(const nq_job *left, const nq_job *right);

/* The bytes of a job's text, at most. */
enum { MAX_JOB_TEXT = 96 };

/* Writes, for example, "n = 18, method search, plan cross (version 2)". */
void nqi_job_text(const nq_job *job, char text[MAX_JOB_TEXT]);

/* A unit of work; its id is its index in the partition. */
struct unit {
    uint64_t weight;
    uint64_t cost; /* expected, above 0, on one scale for the whole partition */
};

/* Partition: the units that one n is divided into, by a method and its plan. Each method embeds
 * it in a structure of its own.
 *
 * It is the same on every machine and in every run: units, weights and costs depend on n, the
 * method, the plan and its version alone, and are whole numbers. The number of solutions is the
 * sum over all units of weight x solutions. */
struct partition {
    nq_job job;
    const char *work;         /* a static name: "nodes", "completions" */
    uint64_t cost;            /* of all units: below 2^64 */
    const struct unit *units; /* [id] */
    void (*close)(struct partition *partition);
};

/* Closes a partition; NULL allowed. */
static inline void partition_close(struct partition *partition) {
    if (partition != NULL)
        partition->close(partition);
}

/* Expected costs are equal on every machine: shards and the order of units depend on them. So
 * costs are whole numbers of 64 bits, made of whole numbers alone: a compiler may round other
 * arithmetic as it likes (x87, -ffast-math).
 *
 * cost_power_of_2 returns less than 2^(MAX_COST_POWER + 0.5). */
enum { MAX_COST_POWER = 62 };

/* Returns 2 to the power of x / 2^16, within 0.4 %, rounded down, at least 1. x: at most
 * MAX_COST_POWER x 2^16. The fractional part f of the exponent contributes 1 + f (a + b
 * f), a = 43024 / 2^16, b = 22512 / 2^16: exact at f = 0 and at f = 1, since a + b = 1. */
static inline uint64_t cost_power_of_2(int32_t x) {
    if (x <= 0)
        return 1;
    const int32_t whole = x >> 16;
    const uint64_t f = (uint64_t)(x & 0xffff);
    const uint64_t mantissa = (1 << 16) + (f * (43024 + (22512 * f >> 16)) >> 16);
    return whole >= 16 ? mantissa << (whole - 16) : mantissa >> (16 - whole);
}

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

/* Solver: solves the units of a partition on this machine, with one kernel. Each method embeds
 * it in a structure of its own. */
struct solver {
    const struct solver_calls *call;
    const struct partition *partition; /* which must outlive it */
    const char *kernel;                /* static name */
};

struct solver_calls {
    void (*close)(struct solver *solver);
    /* Allocates the memory in which one thread solves units. NULL: out of memory. */
    void *(*worker_new)(const struct solver *solver);
    void (*worker_free)(void *worker); /* NULL allowed; before the solver is closed */
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
 * hold. The sum then stays at UINT64_MAX: a wrapped one would look like little work, and a
 * failure would lose a count that does not depend on it. */

/* Returns the work of a unit as ledgers record it, in SQLite's signed 64 bits. INT64_MAX means
 * that or more. */
static inline uint64_t work_kept(uint64_t work) {
    return work < INT64_MAX ? work : INT64_MAX;
}

/* Returns a + b; UINT64_MAX: that or more. */
static inline uint64_t work_sum(uint64_t a, uint64_t b) {
    uint64_t both;
    return __builtin_add_overflow(a, b, &both) ? UINT64_MAX : both;
}

struct families;

/* A plan of a method: a value of nq_options.plan. */
struct plan {
    const char *name;
    int version; /* raised whenever the same n yields other units */
    /* For method `search` alone: makes the families (search/plan.h) of n = 0..NQ_MAX_N. False:
     * out of memory. */
    bool (*build)(int n, struct families *out);
};

/* Chooses a plan from a list that ends with NULL; name: NULL, the first one. NQ_BAD_OPTION:
 * there is no such plan; `failure` says which there are. */
nq_status nqi_plan_choose(const struct plan *const *plans, const char *name,
                          const struct plan **plan, struct failure *failure);

/* Method: a way to divide n into independent units of work, and to solve them. engine/methods.c
 * lists the methods. */
struct method {
    const char *name, *work; /* the measure of work: "nodes", "completions" */
    /* The implementations that solve its units: slowest first, NULL at the end. */
    const struct implementation *const *kernels;
    const struct plan *const *plans; /* the default one first, NULL at the end */
    /* Divides n = 0..NQ_MAX_N into units. Fails as nqi_plan_choose does, or with NQ_NO_MEMORY.
     */
    nq_status (*partition)(int n, const char *plan, struct partition **partition,
                           struct failure *failure);
    struct solver *(*solver)(const struct partition *partition,
                             const struct implementation *kernel);
    /* Makes a solver to audit the method with. The kernel counts each unit; the solutions of
     * one part, drawn at random, are those of a plain search, which shares nothing with the
     * method. kernel: NULL, the plain search counts all, and work is 0. NULL: the method has no
     * such solver. */
    struct solver *(*plain)(const struct partition *partition,
                            const struct implementation *kernel);
};

#endif
