/* SPDX-License-Identifier: MIT */
/* nq_count_solutions: counts at once. The kernels' own tests are of every way to count. */
#include "counts.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum { CALLERS = 4 };

static void *count_in_thread(void *context) {
    const int n = *(const int *)context;
    for (int again = 0; again < 10; again++) {
        const nq_result result = count_ok(n, OPTIONS(.threads = 2));
        cr_expect(result.solutions == published[n] && result.verdict == NQ_VERIFIED &&
                      result.units_done == result.units && result.complete,
                  "n = %d: %" PRIu64 " solutions", n, result.solutions);
        cr_expect(result.plan_seconds >= 0 && result.seconds >= result.plan_seconds);
    }
    return NULL;
}

/* The variable is the program's alone. */
Test(count, several_threads_may_count_at_once) {
    setenv("NQUEENS_KERNEL", "no such kernel", 1);
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
