/* SPDX-License-Identifier: MIT */
/* Jobs under test, and their units. */
#ifndef HELPERS_JOBS_H
#define HELPERS_JOBS_H

#include "counts.h"
#include "methods/methods.h"

/* Opens a partition and its solver, which must succeed. The caller closes both with
 * close_solver. */
struct solver *open_solver(int n, const nq_options *options);
void close_solver(struct solver *job);

/* Solves one unit, which must succeed. */
struct unit_result solve_unit(const struct solver *job, void *workspace, uint64_t id);

/* Solves units id[0..count-1] with a new workspace. */
void solve_units(const struct solver *job, const uint64_t *id, size_t count,
                 struct unit_result *result);

/* A unit that its heartbeat cancels must have no result, and leave the workspace fit for
 * others.
 */
void expect_stops(const struct solver *job, uint64_t id);

#endif
