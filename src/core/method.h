/* Method: a way to divide n into independent units of work, and to solve them. The layers above
 * see a method's partitions and solvers alone; engine/methods.c lists the methods.
 */
#ifndef CORE_METHOD_H
#define CORE_METHOD_H

#include "core/solver.h"

/* A plan of a method: a value of nq_options.plan. */
struct plan_info {
    const char *name;
    int min_depth, max_depth; /* range of nq_options.depth; 0, 0: the plan takes no depth */
};

struct method {
    const char *name, *work; /* the measure of work: "nodes", "completions" */
    /* The implementations that solve its units: slowest first, NULL at the end. */
    const struct implementation *const *kernels;
    /* Stores what users may choose as its plan, the default one first, by index 0, 1, ...
     * False: past the last one. */
    bool (*plan_at)(size_t index, struct plan_info *info);
    nq_status (*partition)(int n, const char *plan, int depth, struct partition **partition,
                           struct failure *failure);
    struct solver *(*solver)(const struct partition *partition,
                             const struct implementation *kernel);
    /* Makes a solver that counts a unit's solutions by a plain search, to audit the method; too
     * slow to count with. NULL: there is none. */
    struct solver *(*plain)(const struct partition *partition);
};

#endif
