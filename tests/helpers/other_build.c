/* SPDX-License-Identifier: MIT */
/* Linked into nqueens-mpi (-Wl,--wrap), so that one rank can be of another build, or on another
 * host. The variable OTHER says what is different: "version", "host", or "units". With
 * "host" and "units", the rank's host has the name "other", which is recorded with each unit
 * that the rank solves. */
#include "methods/methods.h"

#include <stdlib.h>
#include <string.h>

static bool other_is(const char *what) {
    const char *other = getenv("OTHER");
    return other != NULL && strcmp(other, what) == 0;
}

const char *__real_nq_version(void);
const char *__wrap_nq_version(void);
int __real_gethostname(char *name, size_t size);
int __wrap_gethostname(char *name, size_t size);
nq_status __real_nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                                 struct partition **partition, struct solver **solver,
                                 struct failure *failure);
nq_status __wrap_nqi_solver_open(int n, const nq_options *options, const uint32_t *squares,
                                 struct partition **partition, struct solver **solver,
                                 struct failure *failure);

const char *__wrap_nq_version(void) {
    return other_is("version") ? "0.9.0" : __real_nq_version();
}

int __wrap_gethostname(char *name, size_t size) {
    static const char other[] = "other";
    if ((!other_is("host") && !other_is("units")) || size < sizeof other)
        return __real_gethostname(name, size);
    memcpy(name, other, sizeof other);
    return 0;
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
