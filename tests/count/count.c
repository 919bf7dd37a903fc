/* SPDX-License-Identifier: MIT */
/* nq_count_solutions: counts at once. The kernels' own tests are of every way to count. */
#include "counts.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static atomic_int hwlocs_lock; /* 0: not taken yet; 1: held; 2: about to be released */

/* Called in place of the C library's: hwloc asks for this variable while it holds its lock. */
char *getenv(const char *name) {
    if (strcmp(name, "HWLOC_COMPONENTS_VERBOSE") == 0) {
        hwlocs_lock = 1;
        usleep(50000);
        hwlocs_lock = 2;
    }
    return secure_getenv(name);
}

/* The child would wait for that lock for ever. */
Test(count, no_process_forks_while_hwloc_holds_its_lock) {
    pthread_t caller;
    int n = 8, status;
    cr_assert_eq(pthread_create(&caller, NULL, count_in_thread, &n), 0);
    while (hwlocs_lock == 0)
        sched_yield();
    const pid_t child = fork();
    if (child == 0)
        _exit(hwlocs_lock);
    cr_expect_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(WEXITSTATUS(status), 2);
    pthread_join(caller, NULL);
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
