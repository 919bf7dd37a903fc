/* SPDX-License-Identifier: MIT */
/* A solver and a partition made up for the test. Units have the results that the test sets. */
#ifndef HELPERS_FAKE_H
#define HELPERS_FAKE_H

#include "search/search.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { FAKE_N = 5 };

struct fake {
    struct solver solver; /* first, because pointers to it are cast to `struct fake` */
    struct partition partition;
    struct unit *units;          /* [unit]: at first each of weight 1 and cost 1 */
    struct unit_result *results; /* [unit]: at first one solution and work 3 */
    atomic_ullong finished;      /* how many units were solved */
    atomic_int workspaces;       /* how many are in use */
    atomic_int workspaces_made;  /* how many were asked for, even if in vain */
    int spare_workspaces;        /* for how many there is memory */
    uint64_t fails_at;           /* the unit that ends with `failure`; UINT64_MAX: none */
    nq_status failure;
    uint64_t waits_at; /* the unit that goes on until its heartbeat says no; UINT64_MAX: none */
    void (*act)(struct fake *fake, uint64_t id); /* called for each unit; may be NULL */
};

/* A workspace is a pointer to the number of workspaces in use, which freeing it lowers. */
static inline void *fake_workspace(const struct solver *solver) {
    struct fake *fake = (struct fake *)solver;
    if (atomic_fetch_add(&fake->workspaces_made, 1) >= fake->spare_workspaces)
        return NULL;
    atomic_fetch_add(&fake->workspaces, 1);
    return &fake->workspaces;
}

static inline void fake_workspace_free(void *workspace) {
    if (workspace != NULL)
        atomic_fetch_sub((atomic_int *)workspace, 1);
}

static inline nq_status fake_solve(const struct solver *solver, void *workspace,
                                   struct bundle *bundle, const struct heartbeat *heartbeat) {
    struct fake *fake = (struct fake *)solver;
    const uint64_t id = bundle->ids[0];
    bundle->results[0] = (struct unit_result){0};
    if (workspace != &fake->workspaces || id >= solver->partition->job.units)
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
    atomic_fetch_add(&fake->finished, 1);
    bundle->results[0] = fake->results[id];
    return NQ_OK;
}

static const struct solver_calls calls_of_fake = {.workspace_new = fake_workspace,
                                                  .workspace_free = fake_workspace_free,
                                                  .solve = fake_solve};

static inline struct fake *fake_new(uint64_t units) {
    struct fake *fake = calloc(1, sizeof *fake);
    cr_assert_not_null(fake);
    *fake =
        (struct fake){.solver = {.call = &calls_of_fake,
                                 .partition = &fake->partition,
                                 .kernel = "fake kernel"},
                      .partition = {.job = {FAKE_N, nqi_method_search.version, "search", units},
                                    .work = "work"},
                      .units = calloc(units + 1, sizeof *fake->units),
                      .results = calloc(units + 1, sizeof *fake->results),
                      .spare_workspaces = NQ_MAX_THREADS,
                      .fails_at = UINT64_MAX,
                      .waits_at = UINT64_MAX};
    cr_assert(fake->units != NULL && fake->results != NULL);
    fake->partition.units = fake->units;
    for (uint64_t id = 0; id < units; id++) {
        fake->units[id] = (struct unit){.weight = 1, .cost = 1};
        fake->results[id] = (struct unit_result){.solutions = 1, .work = 3};
    }
    return fake;
}

/* Also expects that no workspace is in use. */
static inline void fake_free(struct fake *fake) {
    cr_expect_eq(atomic_load(&fake->workspaces), 0, "workspaces were left");
    free(fake->units);
    free(fake->results);
    free(fake);
}

#endif
