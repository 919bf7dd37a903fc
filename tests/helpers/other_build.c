/* SPDX-License-Identifier: MIT */
/* Linked into nqueens-mpi (-Wl,--wrap), so that one rank can be of another build. The
 * variable OTHER says what is different. */
#include "methods/methods.h"

#include <stdlib.h>
#include <string.h>

static bool other_is(const char *what) {
    const char *other = getenv("OTHER");
    return other != NULL && strcmp(other, what) == 0;
}

const char *__real_nq_version(void);
const char *__wrap_nq_version(void);
nq_status __real_nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                                 struct partition **partition, struct solver **solver,
                                 struct failure *failure);
nq_status __wrap_nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                                 struct partition **partition, struct solver **solver,
                                 struct failure *failure);

const char *__wrap_nq_version(void) {
    return other_is("version") ? "0.9.0" : __real_nq_version();
}

nq_status __wrap_nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                                 struct partition **partition, struct solver **solver,
                                 struct failure *failure) {
    const nq_status status =
        __real_nqi_solver_open(n, options, squares, partition, solver, failure);
    if (status == NQ_OK && other_is("units"))
        (*partition)->job.version += 7;
    return status;
}
