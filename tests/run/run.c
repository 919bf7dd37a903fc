/* SPDX-License-Identifier: MIT */
/* nqi_run_all, with a solver made up for the test: what is added up, and what goes wrong. */
#include "run/run.h"
#include "core/arrays.h"
#include "count/count.h"
#include "counts.h"
#include "fake.h"
#include "machine/clock.h"
#include "machine/team.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <sched.h>

static nq_status run_observed(struct fake *fake, int threads, struct watch *w,
                              struct totals *totals) {
    const struct team team = {.threads = threads};
    const struct run_options options = {
        .team = &team,
        .observer = {.report = w != NULL ? watch : NULL, .context = w, .seconds = 1e-9},
        .started = nqi_seconds_now()};
    return nqi_run_all(&fake->solver, NULL, &options, totals);
}

static nq_status run(struct fake *fake, int threads, struct totals *totals) {
    return run_observed(fake, threads, NULL, totals);
}

static const int thread_counts[] = {1, 2, 5};

/* The team has the right size even if the caller lets OpenMP choose sizes by the load, as
 * OMP_DYNAMIC does. This setting is the caller's, so it must not change. */
Test(run, the_team_has_the_size_asked_for) {
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        struct fake *fake = fake_new(100);
        struct totals totals;
        omp_set_dynamic(dynamic);
        cr_expect_eq(run(fake, 64, &totals), NQ_OK);
        cr_expect(totals.threads == 64 && omp_get_dynamic() == dynamic);
        fake_free(fake);
    }
}

static atomic_int met;

/* Holds up each of two threads until the other one has a unit, too. */
static void meet(struct fake *fake, uint64_t id) {
    (void)fake, (void)id;
    atomic_fetch_add(&met, 1);
    while (atomic_load(&met) < 2)
        sched_yield();
}

/* With one thread, both units are in the same sum. With more, each of two threads has a unit,
 * so that their sums are added up at the end. */
Test(run, sums_beyond_64_bits_are_refused) {
    static const struct {
        uint32_t weight;          /* of the first unit */
        uint64_t solutions, more; /* of the first unit; of the second one */
        nq_status status;
    } cases[] = {{1, UINT64_MAX - 5, 5, NQ_OK},
                 {1, UINT64_MAX - 5, 6, NQ_OVERFLOW},
                 {2, UINT64_MAX / 2, 1, NQ_OK},
                 {2, UINT64_MAX / 2, 2, NQ_OVERFLOW},
                 {2, UINT64_MAX / 2 + 1, 0, NQ_OVERFLOW},
                 {UINT32_MAX, UINT64_MAX, UINT64_MAX, NQ_OVERFLOW}};
    for (size_t t = 0; t < LENGTH(thread_counts); t++)
        for (size_t c = 0; c < LENGTH(cases); c++) {
            struct fake *fake = fake_new(2);
            struct totals totals;
            fake->units[0].weight = cases[c].weight;
            fake->results[0].solutions = cases[c].solutions;
            fake->results[1].solutions = cases[c].more;
            fake->act = thread_counts[t] > 1 ? meet : NULL;
            atomic_store(&met, 0);
            cr_expect_eq(run(fake, thread_counts[t], &totals), cases[c].status, "case %zu", c);
            cr_expect_eq(totals.solutions, cases[c].status == NQ_OK ? UINT64_MAX : 0);
            fake_free(fake);
        }
}

Test(run, work_beyond_64_bits_becomes_the_largest_number) {
    for (size_t t = 0; t < LENGTH(thread_counts); t++)
        for (uint64_t units = 1; units <= 64; units *= 2) {
            struct fake *fake = fake_new(units);
            struct totals totals;
            struct watch w = {0};
            for (uint64_t id = 0; id < units; id++)
                fake->results[id].work = UINT64_C(1) << 62;
            cr_expect_eq(run_observed(fake, thread_counts[t], &w, &totals), NQ_OK);
            cr_expect(totals.work == (units < 4 ? units << 62 : UINT64_MAX) &&
                      w.last.work <= totals.work && totals.solutions == units);
            cr_expect(w.last.work == totals.work || thread_counts[t] > 1);
            fake_free(fake);
        }
}

/* The run ends with the status with which the solver ends a unit, or with NQ_NO_MEMORY if one
 * thread gets no workspace, even though others do. */
Test(run, ends_with_the_status_of_what_fails) {
    const nq_status failures[] = {NQ_NO_MEMORY, NQ_OVERFLOW, NQ_LOST_UNIT};
    for (size_t t = 0; t < LENGTH(thread_counts); t++)
        for (int i = 0; i < 3; i++) {
            struct totals totals;
            struct fake *fake = fake_new(500);
            fake->fails_at = 250;
            fake->failure = failures[i];
            cr_expect_eq(run(fake, thread_counts[t], &totals), failures[i]);
            cr_expect(totals.solutions == 0 && !totals.stopped);
            fake_free(fake);
            if (i >= thread_counts[t])
                continue;
            fake = fake_new(500);
            fake->spare_workspaces = i;
            cr_expect_eq(run(fake, thread_counts[t], &totals), NQ_NO_MEMORY,
                         "%d threads, memory for %d", thread_counts[t], i);
            cr_expect_eq(atomic_load(&fake->workspaces_made), thread_counts[t]);
            fake_free(fake);
        }
}

/* The callback is called before the first unit, and again after it, when it says stop. If that
 * was the only unit, the run is complete all the same. */
Test(run, stopped_before_the_last_unit_is_cancelled) {
    for (uint64_t units = 1; units <= 1000; units += 999) {
        struct fake *fake = fake_new(units);
        struct totals totals;
        struct watch w = {.stop_at = 2};
        cr_expect_eq(run_observed(fake, 1, &w, &totals), units == 1 ? NQ_OK : NQ_CANCELLED);
        cr_expect(totals.stopped && totals.units == 1 && atomic_load(&fake->finished) == 1);
        fake_free(fake);
    }
}

/* One unit would take for ever. It calls the callback again and again, and ends when the
 * callback says stop. */
Test(run, stopped_in_the_middle_of_a_unit_is_cancelled) {
    for (size_t t = 0; t < LENGTH(thread_counts); t++) {
        struct fake *fake = fake_new(10);
        struct totals totals;
        struct watch w = {.stop_at = 20};
        fake->waits_at = 0;
        cr_expect_eq(run_observed(fake, thread_counts[t], &w, &totals), NQ_CANCELLED);
        cr_expect(totals.units < 10 && w.calls == 20, "%d threads", thread_counts[t]);
        fake_free(fake);
    }
}

/* What is wrong with the units that are solved. If one unit takes the place of another, the
 * number of solved units is still right. If a unit is kept for another process, which never
 * adds its result, only that number is wrong. */
enum fault { NONE, FIRST_FOR_SECOND, LAST_FOR_FIRST, ONE_ONCE_MORE, ONE_KEPT, FAULTS };

static nq_status solve_faulty(void *context, struct run *run, const struct setup *setup,
                              struct failure *failure) {
    (void)failure;
    const enum fault fault = *(enum fault *)context;
    struct selection *faulty = (struct selection *)&setup->selection; /* of the run */
    cr_assert_gt(faulty->count, 1);
    if (fault == FIRST_FOR_SECOND)
        faulty->unit[1] = faulty->unit[0];
    if (fault == LAST_FOR_FIRST)
        faulty->unit[0] = faulty->unit[faulty->count - 1];
    if (fault == ONE_ONCE_MORE)
        faulty->unit[faulty->count++] = faulty->unit[0];
    uint64_t kept;
    if (fault == ONE_KEPT)
        cr_assert_eq(nqi_run_take(run, 1, &kept), 1);
    nqi_run_solve(run);
    return NQ_OK;
}

/* The count ends with NQ_LOST_UNIT, and has no total. Its executor spoils the list of units
 * before it solves them. */
Test(run, a_unit_solved_twice_or_never_is_found) {
    for (enum fault fault = NONE; fault < FAULTS; fault++)
        for (size_t t = 0; t < LENGTH(thread_counts); t++) {
            const int threads = thread_counts[t];
            const struct executor executor = {.execute = solve_faulty, .context = &fault};
            nq_result result = NQ_RESULT_INIT;
            struct failure failure = {0};
            const nq_status status =
                nqi_count_on(&executor, 8, OPTIONS(.threads = threads, .method = "search"),
                             &result, &failure);
            cr_expect_eq(status, fault == NONE ? NQ_OK : NQ_LOST_UNIT, "fault %d, %d threads",
                         (int)fault, threads);
            cr_expect_eq(result.solutions, fault == NONE ? 92 : 0);
        }
}
