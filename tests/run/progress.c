/* SPDX-License-Identifier: MIT */
/* The progress callback: when it is called, and with which figures. Counts that it stops are in
 * run.c and machine/masks.c. */
#include "clock.h"
#include "core/arrays.h"
#include "count/count.h"
#include "counts.h"
#include "fake.h"
#include "run/run.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* What a callback has seen, and how many of its calls are under way at once. */
struct looks {
    struct watch watch;
    atomic_int inside;
    int most_inside;
};

static bool look(const nq_progress *progress, void *context) {
    struct looks *l = context;
    const int inside = atomic_fetch_add(&l->inside, 1) + 1;
    sched_yield(); /* lets other threads in, unless something keeps them out */
    l->most_inside = inside > l->most_inside ? inside : l->most_inside;
    const bool go_on = watch(progress, &l->watch);
    atomic_fetch_sub(&l->inside, 1);
    return go_on;
}

/* A report is due after every unit. With several threads, the last report may be missing, since
 * only one thread reports at a time. */
Test(progress, is_of_what_is_done) {
    const struct method *method;
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++)
        for (int threads = 1; threads <= 9; threads = 4 * threads + 1) {
            const int n = method->max_burn_in_n < 13 ? method->max_burn_in_n : 13;
            struct looks looks = {.most_inside = 0};
            const nq_result result = count_ok(
                n, OPTIONS(.threads = threads, .method = method->name, .progress = look,
                           .progress_context = &looks, .progress_seconds = 1e-9));
            const struct watch *w = &looks.watch;
            cr_expect(w->calls >= 1 && looks.most_inside == 1 && !w->wrong && w->job.n == n &&
                          w->last.units == result.units && w->last.work <= result.work &&
                          w->last.seconds <= result.seconds &&
                          strcmp(w->last.phase, "counting") == 0,
                      "method %s, %d threads: %d calls, %d at once", method->name, threads,
                      w->calls, looks.most_inside);
            if (threads > 1)
                continue;
            cr_expect(w->last.units_done == result.units && w->last.work == result.work);
            cr_expect_float_eq(w->last.share, 1, 1e-9);
            cr_expect_float_eq(w->last.remaining, 0, 1e-6);
        }
}

static nq_status solve(void *context, struct run *run, const struct setup *setup,
                       struct failure *failure) {
    (void)context, (void)setup, (void)failure;
    nqi_run_solve(run);
    return NQ_OK;
}

/* If several processes count, each knows only its own threads, so no number is reported. */
Test(progress, tells_no_threads_where_other_processes_count) {
    const struct executor executors[] = {{.execute = solve}};
    for (int shared = 0; shared < 2; shared++) {
        struct watch w = {0};
        nq_result result;
        struct failure failure = {0};
        cr_expect_eq(nqi_count_on(shared ? executors : NULL, 8,
                                  OPTIONS(.threads = 2, WATCHED_BY(&w)), &result, &failure),
                     NQ_OK);
        cr_expect(w.calls > 0 && result.threads == 2 && w.last.threads == (shared ? 0 : 2) &&
                  (w.last.pus > 0) == !shared);
    }
}

/* The options may give the least time between two calls. Otherwise it is 0.1 s. */
Test(progress, keeps_the_time_between_calls) {
    for (int i = 0; i < 2; i++) {
        const double seconds = i == 0 ? 0.01 : 0, least = i == 0 ? 0.01 : 0.1;
        struct watch w = {0};
        const nq_result result =
            count_ok(13, OPTIONS(.threads = 1, .method = "search", .progress = watch,
                                 .progress_context = &w, .progress_seconds = seconds));
        cr_expect_geq(w.least_gap, least - 1e-6, "%g s", w.least_gap);
        cr_expect(w.calls <= 1 + (int)(result.seconds / least) &&
                      w.calls >= (int)(result.seconds / least / 2),
                  "%d calls in %g s", w.calls, result.seconds);
    }
}

static void take_a_second(struct fake *fake, uint64_t id) {
    (void)fake, (void)id;
    clock_advance(1);
}

/* Ten units take a second each, after 100 s in which they were planned. After the first unit,
 * about nine seconds remain, however long the planning took. */
Test(progress, remaining_time_is_not_that_of_planning) {
    struct fake *fake = fake_new(10);
    struct watch w = {.stop_at = 2};
    struct totals totals;
    const struct team team = {.threads = 1};
    fake->act = take_a_second;
    clock_advance(100);
    const struct run_options options = {
        .team = &team,
        .observer = {.report = watch, .context = &w, .seconds = 1e-9},
        .started = nqi_seconds_now() - 100};
    cr_expect_eq(nqi_run_all(&fake->solver, NULL, &options, &totals), NQ_CANCELLED);
    cr_expect(w.last.units_done > 0 && w.last.seconds > 100);
    cr_expect(w.last.remaining > 0 && w.last.remaining < 10, "%f s", w.last.remaining);
    fake_free(fake);
}

/* Two threads that mean to report at the same time: the first one finds that a report is due,
 * and is held up until the second one has reported. The test plays both in one thread: the
 * second thread's report is made while the first one looks at the clock. */
static struct run *of_two;

static void looked_at(void) {
    clock_looked_at = NULL;
    nqi_run_tick(of_two); /* by the second thread */
}

struct reports {
    int count;
    double seconds[2];
};

static bool note(const nq_progress *progress, void *context) {
    struct reports *reports = context;
    if (reports->count < 2)
        reports->seconds[reports->count] = progress->seconds;
    reports->count++;
    return true;
}

static struct reports report_by_two(double progress_seconds) {
    struct fake *fake = fake_new(0);
    const struct selection none = {0};
    const struct team team = {.threads = 1};
    struct reports reports = {0};
    struct totals totals;
    of_two = nqi_run_begin(
        &fake->solver, &none,
        &(struct run_options){
            .team = &team,
            .observer = {.report = note, .context = &reports, .seconds = progress_seconds}});
    cr_assert_not_null(of_two);
    clock_looked_at = looked_at;
    nqi_run_tick(of_two);
    cr_expect_eq(nqi_run_end(of_two, &totals), NQ_OK);
    fake_free(fake);
    return reports;
}

Test(observer, never_goes_back_in_time_nor_is_told_twice) {
    cr_expect_eq(report_by_two(100).count, 1);
    const struct reports reports = report_by_two(1e-9);
    cr_assert_eq(reports.count, 2);
    cr_expect_gt(reports.seconds[1], reports.seconds[0]);
}
