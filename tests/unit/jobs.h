/* SPDX-License-Identifier: MIT */
/* Jobs under test, and their units. */
#ifndef UNIT_JOBS_H
#define UNIT_JOBS_H

#include "engine/methods.h"

/* Opens a partition of method search and its solver, which must succeed. The caller closes both
 * with close_solver. */
struct solver *open_search(int n);

/* The same for method colours. kernel: NULL for the default. */
struct solver *open_colours(int n, const char *kernel);

void close_solver(struct solver *job);

/* Solves one unit, which must succeed. */
struct unit_result solve_unit(const struct solver *job, void *worker, uint64_t id);

/* Solves units id[0..count-1] with a new worker. */
void solve_units(const struct solver *job, const uint64_t *id, size_t count,
                 struct unit_result *result);

/* Solves all units; the caller frees their results. */
struct unit_result *solve_all(const struct solver *job);

/* Solves all units by rising and by falling id in turn, with two workers. A unit's result must
 * depend neither on the worker nor on the unit that the worker solved before. */
void expect_results_by_id_alone(const struct solver *job);

/* A unit that its heartbeat cancels must have no result, and leave the worker fit for others.
 */
void expect_stops(const struct solver *job, uint64_t id);

#endif
