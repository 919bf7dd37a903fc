/* nq_count_solutions: totals, and the other members of its result. */
#include "fingerprints.h"
#include "implementations.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void expect_total(int n, const nq_options *options, const char *what,
                         nq_result *result) {
    nq_status status = nq_count_solutions(n, options, result);
    cr_assert_eq(status, NQ_OK, "n = %d, %s: %s, %s", n, what, nq_status_text(status),
                 nq_error_message());
    cr_expect(result->n == n && result->solutions == published[n],
              "n = %d, %s: %" PRIu64 " solutions", n, what, result->solutions);
    cr_expect_eq(result->verdict, NQ_VERIFIED, "n = %d, %s", n, what);
    cr_expect_eq(result->units_done, result->units, "n = %d, %s", n, what);
    cr_expect(result->plan_seconds >= 0 && result->seconds >= result->plan_seconds,
              "n = %d, %s: %g s, %g of them to plan", n, what, result->seconds,
              result->plan_seconds);
    cr_expect_str_empty(nq_error_message(), "n = %d, %s", n, what);
}

/* Units and nodes must be those of the fingerprint, with any kernel and number of threads. */
static void count_every_way(int n, const struct plan *plan, int depth, const char *kernel) {
    const int thread_counts[] = {1, 2, 3, 5};
    const struct fingerprint *expected = fingerprint_of(n, plan->name, depth);
    cr_assert_not_null(expected, "n = %d, plan %s, depth %d", n, plan->name, depth);
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
        const nq_options options = {.size = sizeof(nq_options),
                                    .threads = thread_counts[t],
                                    .plan = plan->name,
                                    .depth = depth,
                                    .kernel = kernel};
        char what[96];
        snprintf(what, sizeof what, "plan %s, depth %d, kernel %s, %d threads", plan->name,
                 depth, kernel, thread_counts[t]);
        nq_result result = NQ_RESULT_INIT;
        expect_total(n, &options, what, &result);
        cr_expect_eq(result.threads, thread_counts[t], "n = %d, %s: %d", n, what,
                     result.threads);
        cr_expect_eq(result.depth, depth, "n = %d, %s: %d", n, what, result.depth);
        cr_expect_str_eq(result.method, "search", "n = %d, %s", n, what);
        cr_expect_str_eq(result.plan, plan->name, "n = %d, %s", n, what);
        cr_expect_str_eq(result.kernel, kernel, "n = %d, %s", n, what);
        cr_expect(result.work == expected->nodes && result.units == expected->units,
                  "n = %d, %s: %" PRIu64 " nodes, %" PRIu64 " units", n, what, result.work,
                  result.units);
    }
}

static void count_all(int n) {
    for (size_t k = 0; kernel_here(k) != NULL; k++)
        for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
            const struct plan *plan = nqi_plan_at(p);
            for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
                count_every_way(n, plan, depth, kernel_here(k)->impl.name);
        }
}

#define COUNT(n)                                                                               \
    Test(count, every_way_finds_the_total_of_n_##n) {                                          \
        count_all(n);                                                                          \
    }
COUNT(0)
COUNT(1)
COUNT(2)
COUNT(3)
COUNT(4)
COUNT(5)
COUNT(6)
COUNT(7)
COUNT(8)
COUNT(9)
COUNT(10)
COUNT(11)
COUNT(12)
COUNT(13)
COUNT(14)

Test(count, options_left_out_mean_the_defaults) {
    for (int n = 0; n <= 12; n++) {
        nq_result result = NQ_RESULT_INIT;
        expect_total(n, NULL, "no options", &result);
        cr_expect_geq(result.threads, 1);
        uint64_t nodes = result.work;
        expect_total(n, &(nq_options){.size = sizeof(nq_options)}, "options all zero", &result);
        cr_expect_eq(result.work, nodes, "n = %d", n);
        const nq_options automatic = {
            .size = sizeof(nq_options), .method = "auto", .plan = "auto", .kernel = "auto"};
        expect_total(n, &automatic, "options all auto", &result);
        cr_expect_eq(result.work, nodes, "n = %d", n);
    }
}

Test(count, every_member_of_the_result_is_filled_in) {
    nq_result result = NQ_RESULT_INIT;
    memset(&result, 0xa5, sizeof result);
    result.size = sizeof result;
    expect_total(6, NULL, "a result full of rubbish", &result);
    memset(&result, 0xa5, sizeof result);
    result.size = sizeof result;
    cr_expect_eq(nq_count_solutions(-1, NULL, &result), NQ_BAD_N);
    cr_expect(result.n == -1 && result.solutions == 0 && result.verdict == NQ_UNVERIFIED &&
              result.units == 0 && result.units_done == 0 && result.work == 0 &&
              result.threads == 0 && result.method == NULL);
}

enum { CALLERS = 4 };

static void *count_in_thread(void *context) {
    const int n = *(const int *)context;
    for (int again = 0; again < 20; again++) {
        nq_result result = NQ_RESULT_INIT;
        expect_total(n, &(nq_options){.size = sizeof(nq_options), .threads = 2},
                     "one caller of several", &result);
    }
    return NULL;
}

Test(count, several_threads_may_count_at_once) {
    pthread_t caller[CALLERS];
    int n[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        n[i] = 8 + i;
        cr_assert_eq(pthread_create(&caller[i], NULL, count_in_thread, &n[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(caller[i], NULL);
}

/* OpenMP may give such a count a single thread. */
Test(count, counts_in_a_parallel_region_find_the_total) {
    uint64_t total[3] = {0};
#pragma omp parallel num_threads(3)
    {
        nq_result result = NQ_RESULT_INIT;
        nq_count_solutions(10, &(nq_options){.size = sizeof(nq_options), .threads = 2},
                           &result);
        total[omp_get_thread_num()] = result.solutions;
    }
    for (int i = 0; i < 3 && i < omp_get_max_threads(); i++)
        cr_expect_eq(total[i], published[10], "caller %d: %" PRIu64, i, total[i]);
}
