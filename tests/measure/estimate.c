/* SPDX-License-Identifier: MIT */
/* nqi_estimate_count: samples of large boards, and what stops an estimate. count/options.c
 * tests which options are refused. test_estimate.py tests small boards, and whether the figures
 * agree with each other. */
#include "clock.h"
#include "core/arrays.h"
#include "counts.h"
#include "measure/measure.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct estimate estimate(int n, const nq_options *options, double budget,
                                nq_status expected) {
    struct estimate e;
    struct failure failure = {0};
    cr_expect_eq(nqi_estimate_count(n, options, budget, &e, &failure), expected, "%s",
                 failure.text);
    cr_expect(expected != NQ_OK || (e.thread_seconds > 0 && e.units_measured > 0 &&
                                    e.error > 0 && isfinite(e.error)),
              "n = %d: %g s, %g", n, e.thread_seconds, e.error);
    return e;
}

/* The time in which a thread waits for its PU is no work. */
Test(estimate, a_busy_machine_makes_no_more_work) {
    const nq_options *options = OPTIONS(.method = "search", .threads = 1);
    const struct estimate idle = estimate(12, options, 30, NQ_OK);
    clock_share = 0.25;
    const struct estimate busy = estimate(12, options, 30, NQ_OK);
    cr_expect_float_eq(busy.thread_seconds, 0.25 * idle.thread_seconds,
                       0.01 * idle.thread_seconds);
    cr_expect_float_eq(busy.cpu_share, 0.25 * idle.cpu_share, 0.01);
}

/* Makes an estimate with one thread. Expects that its reports of progress do not go back. */
static struct estimate look_at(int n, const char *method, double budget, nq_status expected,
                               struct watch *w) {
    const struct estimate e =
        estimate(n, OPTIONS(.method = method, .threads = 1, WATCHED_BY(w)), budget, expected);
    cr_expect(!w->wrong && w->job.n == n, "n = %d", n);
    return e;
}

Test(estimate, progress_is_reported_after_every_unit) {
    struct watch all = {0}, some = {0};
    const struct estimate e = look_at(13, "search", 30, NQ_OK, &all);
    cr_expect_geq((uint64_t)all.calls, e.job.units);
    look_at(18, "colours", 0.5, NQ_OK, &some);
}

/* The callback is first called before the first unit. A budget of 1e-9 s is over at once, but
 * measuring goes on until eight draws are measured. Four units cannot complete eight draws. The
 * share that is then reported is the part of the eight draws that is done. */
Test(estimate, the_callback_cancels) {
    static const struct {
        int n;
        const char *method;
        double budget; /* seconds */
        struct watch watch;
    } stops[] = {{16, "search", 1e-9, {.stop_at = 1}},
                 {16, "search", 1, {.stop_at = 20}},
                 {16, "search", 1e-9, {.stop_at_done = 4}},
                 {18, "colours", 1, {.stop_at = 1}},
                 {18, "colours", 1e-9, {.stop_at_done = 4}}};
    for (size_t i = 0; i < LENGTH(stops); i++) {
        struct watch w = stops[i].watch;
        const struct estimate e =
            look_at(stops[i].n, stops[i].method, stops[i].budget, NQ_CANCELLED, &w);
        cr_expect(w.stop_at == 0 || w.calls == w.stop_at, "case %zu: %d calls", i, w.calls);
        cr_expect_lt(e.units_measured, e.job.units);
        cr_expect(w.last.share < 0.9 && w.last.remaining != 0 &&
                      strcmp(w.last.phase, "measuring") == 0,
                  "case %zu: %g, %g s left", i, w.last.share, w.last.remaining);
    }
    estimate(10, OPTIONS(), 30, NQ_OK); /* stops leave nothing behind */
}
