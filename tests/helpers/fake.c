/* SPDX-License-Identifier: MIT */
#include "fake.h"
#include "search/search.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* A workspace is a pointer to the count of workspaces, so that releasing one can be seen. */
static void *workspace_new(const struct solver *job) {
    struct fake *fake = (struct fake *)job;
    if (atomic_fetch_add(&fake->workspaces_made, 1) >= fake->spare_workspaces)
        return NULL;
    atomic_fetch_add(&fake->workspaces, 1);
    return &fake->workspaces;
}

static void workspace_free(void *workspace) {
    if (workspace != NULL)
        atomic_fetch_sub((atomic_int *)workspace, 1);
}

static nq_status solve(const struct solver *job, void *workspace, struct bundle *bundle,
                       const struct heartbeat *heartbeat) {
    struct fake *fake = (struct fake *)job;
    const uint64_t id = bundle->ids[0];
    bundle->results[0] = (struct unit_result){0};
    if (workspace != &fake->workspaces || id >= job->partition->job.units)
        return NQ_INTERNAL;
    if (fake->act != NULL)
        fake->act(fake, id);
    if (id == fake->fails_at)
        return fake->failure;
    if (id == fake->waits_at) {
        while (heartbeat_go_on(heartbeat, 0))
            continue;
        return NQ_CANCELLED;
    }
    atomic_fetch_add(&fake->solved[id], 1);
    atomic_fetch_add(&fake->finished, 1);
    bundle->results[0] = fake->results[id];
    return NQ_OK;
}

static const struct solver_calls calls_of_fake = {
    .workspace_new = workspace_new, .workspace_free = workspace_free, .solve = solve};

struct fake *fake_new(uint64_t units) {
    struct fake *fake = calloc(1, sizeof *fake);
    cr_assert_not_null(fake);
    *fake = (struct fake){
        .job = {.call = &calls_of_fake, .partition = &fake->partition, .kernel = "fake kernel"},
        .partition = {.job = {5, nqi_method_search.version, "search", units}, .work = "work"},
        .units = calloc(units + 1, sizeof *fake->units),
        .results = calloc(units + 1, sizeof *fake->results),
        .solved = calloc(units + 1, sizeof *fake->solved),
        .spare_workspaces = NQ_MAX_THREADS,
        .fails_at = UINT64_MAX,
        .waits_at = UINT64_MAX};
    cr_assert(fake->units != NULL && fake->results != NULL && fake->solved != NULL);
    fake->partition.units = fake->units;
    for (uint64_t id = 0; id < units; id++) {
        fake->units[id] = (struct unit){.weight = 1, .cost = 1};
        fake->results[id] = (struct unit_result){.solutions = 1, .work = 3};
    }
    return fake;
}

void fake_free(struct fake *fake) {
    cr_expect_eq(atomic_load(&fake->workspaces), 0, "workspaces were left");
    free(fake->units);
    free(fake->results);
    free(fake->solved);
    free(fake);
}
