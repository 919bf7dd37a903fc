/* SPDX-License-Identifier: MIT */
#include "fake.h"
#include "search/search.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* A worker is a pointer to the count of workers, so that releasing one can be seen. */
static void *worker_new(const struct solver *job) {
    struct fake *fake = (struct fake *)job;
    if (atomic_fetch_add(&fake->workers_made, 1) >= fake->spare_workers)
        return NULL;
    atomic_fetch_add(&fake->workers, 1);
    return &fake->workers;
}

static void worker_free(void *worker) {
    if (worker != NULL)
        atomic_fetch_sub((atomic_int *)worker, 1);
}

static nq_status solve(const struct solver *job, void *worker, struct bundle *bundle,
                       const struct heartbeat *heartbeat) {
    struct fake *fake = (struct fake *)job;
    const uint64_t id = bundle->ids[0];
    bundle->results[0] = (struct unit_result){0};
    if (worker != &fake->workers || id >= job->partition->job.units)
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
    .worker_new = worker_new, .worker_free = worker_free, .solve = solve};

struct fake *fake_new(uint64_t units) {
    struct fake *fake = calloc(1, sizeof *fake);
    cr_assert_not_null(fake);
    *fake = (struct fake){
        .job = {.call = &calls_of_fake, .partition = &fake->partition, .kernel = "fake kernel"},
        .partition = {.job = {5, nqi_method_search.version, "search", units}, .work = "work"},
        .units = calloc(units + 1, sizeof *fake->units),
        .results = calloc(units + 1, sizeof *fake->results),
        .solved = calloc(units + 1, sizeof *fake->solved),
        .spare_workers = NQ_MAX_THREADS,
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
    cr_expect_eq(atomic_load(&fake->workers), 0, "workers were left");
    free(fake->units);
    free(fake->results);
    free(fake->solved);
    free(fake);
}
