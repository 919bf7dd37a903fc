/* Calls of the library leave CPU masks as they were: the caller's, and those of OpenMP's pool
 * of threads, which outlives the call and runs the caller's own parallel regions. */
#include <criterion/criterion.h>
#include <nqueens.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

static cpu_set_t before;

static void remember_mask(void) {
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
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

/* The number of the lowest CPU that this process may use, as text. */
static const char *lowest_pu(void) {
    static char text[16];
    int cpu = 0;
    while (!CPU_ISSET((size_t)cpu, &before))
        cpu++;
    snprintf(text, sizeof text, "%d", cpu);
    return text;
}

static void count(const nq_options *options, nq_status expected, int bound, const char *what) {
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(9, options, &result), expected, "%s: %s", what,
                 nq_error_message());
    cr_expect_eq(result.threads_bound, bound, "%s: %d threads bound", what,
                 result.threads_bound);
    expect_same_mask(what);
}

Test(masks, are_the_same_after_a_bound_count) {
    count(&(nq_options){.size = sizeof(nq_options), .threads = THREADS}, NQ_OK, THREADS,
          "bound");
    count(&(nq_options){.size = sizeof(nq_options), .threads = 1}, NQ_OK, 1, "one thread");
    count(&(nq_options){.size = sizeof(nq_options), .threads = THREADS, .smt = true}, NQ_OK,
          THREADS, "smt");
}

Test(masks, are_the_same_after_an_unbound_count) {
    count(&(nq_options){.size = sizeof(nq_options), .threads = THREADS, .bind = NQ_BIND_NONE},
          NQ_OK, 0, "unbound");
}

Test(masks, are_the_same_after_a_count_bound_to_a_list) {
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = THREADS,
                                .bind = NQ_BIND_LIST,
                                .bind_list = lowest_pu()};
    count(&options, NQ_OK, THREADS, "list");
}

/* The pool grows between counts, and a new thread inherits the mask of its creator. */
Test(masks, are_the_same_after_counts_with_more_and_more_threads) {
    for (int threads = 1; threads <= 2 * THREADS; threads++)
        count(&(nq_options){.size = sizeof(nq_options), .threads = threads}, NQ_OK, threads,
              "growing");
    for (int threads = 2 * THREADS; threads >= 1; threads--)
        count(&(nq_options){.size = sizeof(nq_options), .threads = threads}, NQ_OK, threads,
              "shrinking");
}

Test(masks, are_the_same_after_refused_counts) {
    count(&(nq_options){.size = sizeof(nq_options), .threads = -1}, NQ_BAD_OPTION, 0,
          "threads");
    count(&(nq_options){.size = sizeof(nq_options), .plan = "none"}, NQ_BAD_OPTION, 0, "plan");
    const nq_options options = {
        .size = sizeof(nq_options), .bind = NQ_BIND_LIST, .bind_list = "999999"};
    count(&options, NQ_NO_PU, 0, "list");
}

static bool stop(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    return false;
}

Test(masks, are_the_same_after_a_cancelled_count) {
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = THREADS,
                                .depth = 3,
                                .plan = "rows",
                                .progress = stop};
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(16, &options, &result), NQ_CANCELLED);
    expect_same_mask("cancelled");
}

Test(masks, are_the_same_after_a_description) {
    nq_machine machine = NQ_MACHINE_INIT;
    nq_place places[THREADS];
    cr_expect_eq(nq_describe_machine(NULL, &machine, places, THREADS), NQ_OK);
    expect_same_mask("description");
}

Test(masks, keep_a_caller_on_its_one_cpu) {
    if (CPU_COUNT(&before) < 2)
        cr_skip_test("needs two CPUs");
    int cpu = atoi(lowest_pu());
    CPU_ZERO(&before);
    CPU_SET((size_t)cpu, &before);
    cr_assert_eq(sched_setaffinity(0, sizeof before, &before), 0);
    count(&(nq_options){.size = sizeof(nq_options), .threads = 2}, NQ_OK, 2, "one CPU");
}
