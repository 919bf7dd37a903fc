/* SPDX-License-Identifier: MIT */
/* A machine that counts a unit wrong once. FAULT="WHAT N METHOD UNIT TIME" names the unit, and
 * WHAT is `solutions` or `work`: the number to which 1 is added. The TIME-th result of this
 * unit is wrong, counted from 1 over all solvers of a burn-in or an audit. */
#include "methods/methods.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fault_n;
static char fault_in[16], fault_method[16];
static uint64_t fault_unit;
static int fault_time;
static _Atomic int times;
static const struct solver_calls *right;

static nq_status solve(const struct solver *solver, void *workspace, struct bundle *bundle,
                       const struct heartbeat *heartbeat) {
    struct unit_result *result = bundle->results;
    nq_status status = right->solve(solver, workspace, bundle, heartbeat);
    if (status == NQ_OK && bundle->ids[0] == fault_unit &&
        atomic_fetch_add(&times, 1) + 1 == fault_time)
        ++*(strcmp(fault_in, "work") == 0 ? &result->work : &result->solutions);
    return status;
}

nq_status __real_nqi_solver_for(const struct partition *partition, const char *kernel,
                                const char *device, const struct observer *observer,
                                struct solver **solver, struct failure *failure);
nq_status __wrap_nqi_solver_for(const struct partition *partition, const char *kernel,
                                const char *device, const struct observer *observer,
                                struct solver **solver, struct failure *failure);

nq_status __wrap_nqi_solver_for(const struct partition *partition, const char *kernel,
                                const char *device, const struct observer *observer,
                                struct solver **solver, struct failure *failure) {
    static struct solver_calls calls;
    const char *fault = getenv("FAULT");
    nq_status status =
        __real_nqi_solver_for(partition, kernel, device, observer, solver, failure);
    if (status != NQ_OK || fault == NULL ||
        sscanf(fault, "%15s %d %15s %" SCNu64 " %d", fault_in, &fault_n, fault_method,
               &fault_unit, &fault_time) < 5 ||
        partition->job.n != fault_n || strcmp(partition->job.method, fault_method) != 0)
        return status;
    right = (*solver)->call;
    calls = *right;
    calls.solve = solve;
    (*solver)->call = &calls;
    return status;
}
