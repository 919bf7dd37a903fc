/* SPDX-License-Identifier: MIT */
/* Calls of the library leave CPU masks as they were: the caller's, and those of OpenMP's pool
 * of threads, which outlives the call and runs the caller's own parallel regions. */
#include "core/arrays.h"
#include "counts.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

static cpu_set_t before;

static void remember_mask(void) {
    forget_settings();
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
}

TestSuite(masks, .init = remember_mask);

static void expect_same_mask(const char *what) {
    cpu_set_t now;
    cr_assert_eq(sched_getaffinity(0, sizeof now, &now), 0);
    cr_expect(CPU_EQUAL(&before, &now), "%s: the caller's mask", what);
    int changed = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : changed)
    {
        cpu_set_t mine;
        changed += sched_getaffinity(0, sizeof mine, &mine) != 0 || !CPU_EQUAL(&before, &mine);
    }
    cr_expect_eq(changed, 0, "%s: %d threads of the pool", what, changed);
}

/* The pool grows between counts, and a new thread inherits the mask of its creator. */
Test(masks, are_the_same_after_counts) {
    struct watch w = {.stop_at = 1};
    char pu[16];
    snprintf(pu, sizeof pu, "%d", sched_getcpu());
    const struct {
        int n;
        const nq_options *options;
        nq_status status;
        int bound;
        const char *what;
    } calls[] = {
        {9, OPTIONS(.threads = 1), NQ_OK, 1, "one thread"},
        {9, OPTIONS(.threads = THREADS), NQ_OK, THREADS, "bound"},
        {9, OPTIONS(.threads = 2 * THREADS), NQ_OK, 2 * THREADS, "growing"},
        {9, OPTIONS(.threads = THREADS, .smt = true), NQ_OK, THREADS, "smt"},
        {9, OPTIONS(.threads = THREADS, .bind = NQ_BIND_NONE), NQ_OK, 0, "unbound"},
        {9, OPTIONS(.threads = THREADS, .bind = NQ_BIND_LIST, .bind_list = pu), NQ_OK, THREADS,
         "list"},
        {9, OPTIONS(.method = "none"), NQ_BAD_OPTION, 0, "method"},
        {9, OPTIONS(.bind = NQ_BIND_LIST, .bind_list = "999999"), NQ_NO_PU, 0, "no PU"},
        {16, OPTIONS(.threads = THREADS, .method = "search", WATCHED_BY(&w)), NQ_CANCELLED,
         THREADS, "cancelled"}};
    for (size_t i = 0; i < LENGTH(calls); i++) {
        nq_result result = NQ_RESULT_INIT;
        expect_status(nq_count_solutions(calls[i].n, calls[i].options, &result),
                      calls[i].status, "");
        cr_expect_eq(result.threads_bound, calls[i].bound, "%s: %d threads bound",
                     calls[i].what, result.threads_bound);
        expect_same_mask(calls[i].what);
    }
    cr_expect(w.calls == 1 && w.last.work == 0, "the first call comes before any work");
    nq_machine machine = NQ_MACHINE_INIT;
    nq_place places[THREADS];
    expect_status(nq_describe_machine(NULL, &machine, places, THREADS), NQ_OK, "");
    expect_same_mask("description");
}
