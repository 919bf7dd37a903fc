/* The list of methods, and which one a count takes. */
#ifndef ENGINE_METHODS_H
#define ENGINE_METHODS_H

#include "core/method.h"

/* What to count, and how. */
struct job_request {
    int n;                     /* 0..NQ_MAX_N */
    const char *method, *plan; /* names; NULL: the library chooses */
    int depth;                 /* 0: the library chooses */
    const char *kernel;        /* a name; NULL: the library chooses */
};

/* Returns the method at an index, from 0, or NULL past the last. */
const struct method *nqi_method_at(size_t index);

/* Returns the method of that name, or NULL if there is none; `failure` then names those that
 * there are. */
const struct method *nqi_method_by_name(const char *name, struct failure *failure);

/* Chooses the method and its kernel. If the request names no method: by the plan or the depth
 * if it names one; else by n alone. NQ_BAD_OPTION, NQ_NO_KERNEL: `failure` says which methods
 * or kernels there are. */
nq_status nqi_method_choose(const struct job_request *request, const struct method **method,
                            const struct implementation **kernel, struct failure *failure);

/* Chooses the method and its kernel, divides the board into units, and makes their solver. The
 * caller closes the solver, and then the partition. Fails as nqi_method_choose and `partition`
 * do; both are NULL then. */
nq_status nqi_solver_open(const struct job_request *request, struct partition **partition,
                          struct solver **solver, struct failure *failure);

/* Makes a solver of a partition. kernel: as in struct job_request, or "plain" for the
 * plain search that audits a method: NQ_BAD_OPTION, if it has none. Fails as nqi_method_choose
 * does; *solver is NULL then. */
nq_status nqi_solver_for(const struct partition *partition, const char *kernel,
                         struct solver **solver, struct failure *failure);

#endif
