/* Units that a run loses, or solves twice: nqi_run_job compiled here with a sort that drops one
 * id for another, as a mistake in the order of units would. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum fault { NO_FAULT, FIRST_TWICE, LAST_TWICE };
static enum fault fault;

static void faulty_sort(void *base, size_t count, size_t size,
                        int (*compare)(const void *, const void *)) {
    qsort(base, count, size, compare);
    char *bytes = base;
    if (fault == FIRST_TWICE)
        memcpy(bytes + size, bytes, size);
    if (fault == LAST_TWICE)
        memcpy(bytes + (count - 2) * size, bytes + (count - 1) * size, size);
}

#define qsort faulty_sort
#include "run/run.c"
#include "run/selection.c"
#undef qsort
#include "whole.h"

enum { UNITS = 200 };

static void *worker_new(const struct job *job) {
    return (void *)job;
}

static void worker_free(void *worker) {
    (void)worker;
}

static nq_status solve(const struct job *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result) {
    (void)job, (void)worker, (void)id, (void)heartbeat;
    *result = (struct unit_result){.solutions = 1};
    return NQ_OK;
}

static const struct method method_fake = {
    .name = "fake", .worker_new = worker_new, .worker_free = worker_free, .solve = solve};

static nq_status run_with(enum fault kind, int threads, struct totals *totals) {
    static struct unit units[UNITS];
    for (int i = 0; i < UNITS; i++)
        units[i] = (struct unit){.weight = 1, .cost = 1 + i % 7};
    struct job job = {.method = &method_fake, .unit_count = UNITS, .units = units};
    const struct team team = {.threads = threads};
    fault = kind;
    return run_whole(&job, &team, (struct observer){0}, totals);
}

Test(lost, no_fault_is_a_count) {
    for (int threads = 1; threads <= 8; threads++) {
        struct totals totals;
        cr_expect_eq(run_with(NO_FAULT, threads, &totals), NQ_OK, "%d threads", threads);
        cr_expect_eq(totals.solutions, UNITS, "%d threads", threads);
    }
}

/* One unit twice is another one never, so the number of units alone would not show it. */
Test(lost, a_unit_solved_twice) {
    for (int threads = 1; threads <= 8; threads++)
        for (enum fault kind = FIRST_TWICE; kind <= LAST_TWICE; kind++) {
            struct totals totals;
            cr_expect_eq(run_with(kind, threads, &totals), NQ_LOST_UNIT, "%d threads, fault %d",
                         threads, (int)kind);
            cr_expect_eq(totals.solutions, 0, "%d threads, fault %d", threads, (int)kind);
        }
}

/* A unit that nobody was given: one more is selected than the run was started with. */
static struct selection growing;

static nq_status solve_and_grow(const struct job *job, void *worker, uint64_t id,
                                const struct heartbeat *heartbeat, struct unit_result *result) {
    growing.count = UNITS;
    return solve(job, worker, id, heartbeat, result);
}

Test(lost, a_unit_never_solved) {
    const struct method method = {.name = "fake",
                                  .worker_new = worker_new,
                                  .worker_free = worker_free,
                                  .solve = solve_and_grow};
    struct unit units[UNITS];
    for (int i = 0; i < UNITS; i++)
        units[i] = (struct unit){.weight = 1, .cost = 1};
    struct job job = {.method = &method, .unit_count = UNITS, .units = units};
    const struct team team = {.threads = 1};
    struct totals totals;
    fault = NO_FAULT;
    cr_assert(nqi_selection_make(&job, 0, 0, NULL, &growing));
    growing.count--;
    cr_expect_eq(nqi_run_job(&job, &growing, &(struct run_options){.team = &team}, &totals),
                 NQ_LOST_UNIT);
}
