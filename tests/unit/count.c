/* SPDX-License-Identifier: MIT */
/* nq_count_solutions: totals, and the other members of its result. */
#include "counts.h"
#include "engine/methods.h"
#include "implementations.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

static nq_result expect_total(int n, const nq_options *options) {
    const nq_result result = count_ok(n, options);
    cr_assert(result.solutions == published[n] && result.verdict == NQ_VERIFIED &&
                  result.units_done == result.units && result.complete,
              "n = %d: %" PRIu64 " solutions", n, result.solutions);
    cr_expect(result.plan_seconds >= 0 && result.seconds >= result.plan_seconds,
              "n = %d: %g s, %g of them to plan", n, result.seconds, result.plan_seconds);
    return result;
}

/* The work must be the same with any number of threads and any kernel. */
Test(count, every_way_finds_the_total) {
    const struct method *method;
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++)
        for (int n = 0; n <= 13; n++) {
            const nq_options *first = OPTIONS(.threads = 1, .method = method->name);
            const nq_result expected = expect_total(n, first);
            for (const struct implementation *kernel = NULL;
                 (kernel = implementation_after(method->kernels, kernel)) != NULL;)
                for (int threads = 3; threads <= 5; threads += n < 11 ? 2 : 4) {
                    const nq_result result =
                        expect_total(n, OPTIONS(.threads = threads, .method = method->name,
                                                .kernel = kernel->name));
                    cr_expect(result.threads == threads && result.work == expected.work &&
                                  memcmp(&result.job, &expected.job, sizeof result.job) == 0,
                              "n = %d, %s, %d threads: work %" PRIu64, n, method->name, threads,
                              result.work);
                    cr_expect_str_eq(result.job.method, method->name);
                    cr_expect_str_eq(result.kernel, kernel->name);
                }
        }
}

/* Solutions by their queens on squares of another colour than the first one. */
struct by_white {
    int n;
    uint64_t solutions[32];
};

static void add_by_white(const int *column, void *context) {
    struct by_white *by_white = context;
    int white = 0;
    for (int row = 0; row < by_white->n; row++)
        white += (row + column[row]) % 2;
    by_white->solutions[white]++;
}

/* Also those of shards, added up. */
Test(count, solutions_by_colour_are_those_of_brute_force) {
    for (int n = 0; n <= 11; n++) {
        struct by_white right = {.n = n};
        each_placement(n, n, UINT64_MAX, add_by_white, &right);
        for (int shards = 1; shards <= 3; shards += 2) {
            struct by_white found = {.n = n};
            for (int shard = 1; shard <= shards; shard++) {
                const nq_result result =
                    count_ok(n, OPTIONS(.method = "colours", .shard = shard, .shards = shards));
                for (size_t i = 0; i < LENGTH(result.white); i++)
                    found.solutions[2 * i] += result.white[i];
            }
            cr_expect_eq(memcmp(&found, &right, sizeof right), 0, "n = %d, %d shards", n,
                         shards);
        }
    }
}

enum { CALLERS = 4 };

static void *count_in_thread(void *context) {
    for (int again = 0; again < 10; again++)
        expect_total(*(const int *)context, OPTIONS(.threads = 2));
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
        nq_count_solutions(10, OPTIONS(.threads = 2), &result);
        total[omp_get_thread_num()] = result.solutions;
    }
    for (int i = 0; i < 3 && i < omp_get_max_threads(); i++)
        cr_expect_eq(total[i], published[10], "caller %d: %" PRIu64, i, total[i]);
}
