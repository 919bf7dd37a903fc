/* Counts with a ledger: read again, stopped and continued, and in shards. */
#include "counts.h"
#include "implementations.h"
#include "ledgers.h"
#include "library/choose.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(durable, .init = folder_make, .fini = folder_remove);

static void expect_complete(int n, const nq_result *result, const char *what) {
    cr_expect(result->complete && result->verdict == NQ_VERIFIED &&
                  result->solutions == published[n] && result->units_done == result->units,
              "n = %d, %s: %" PRIu64 " solutions, %" PRIu64 " of %" PRIu64 " units", n, what,
              result->solutions, result->units_done, result->units);
}

/* The first count solves all units; the second one finds them in the ledger. */
static void count_twice(int n, const char *plan, int depth, const char *kernel) {
    char what[64];
    snprintf(what, sizeof what, "plan %s, depth %d, kernel %s", plan, depth, kernel);
    const char *file = in_folder("file");
    nq_options options = {.size = sizeof(nq_options),
                          .threads = 2,
                          .plan = plan,
                          .depth = depth,
                          .kernel = kernel,
                          .ledger = file};
    nq_result first = count_ok(n, &options);
    expect_complete(n, &first, what);
    cr_expect_eq(first.units_recorded, 0, "n = %d, %s", n, what);
    cr_expect(exists(file), "n = %d, %s", n, what);
    nq_result again = count_ok(n, &options);
    expect_complete(n, &again, what);
    cr_expect_eq(again.units_recorded, again.units, "n = %d, %s", n, what);
    cr_expect_eq(again.work, first.work, "n = %d, %s", n, what);
    cr_expect_eq(again.threads, 0, "n = %d, %s: solved again", n, what);
    if (first.units > 0)
        cr_expect(first.seconds_recorded == 0 && again.seconds_recorded > 0);
    options.ledger = NULL;
    cr_expect_eq(count_ok(n, &options).work, first.work, "n = %d, %s", n, what);
    cr_expect_eq(files_in_folder(), 1);
    cr_assert_eq(remove(file), 0);
}

static void count_every_way(int first, int last) {
    for (int n = first; n <= last; n++)
        for (size_t k = 0; kernel_here(k) != NULL; k++)
            for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
                const struct plan *plan = nqi_plan_at(p);
                for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
                    count_twice(n, plan->name, depth, kernel_here(k)->impl.name);
            }
}

Test(durable, n_0_and_1_are_solved_once) {
    count_every_way(0, 1);
}

/* Some plans have no units for n = 2 and 3. */
Test(durable, n_2_is_solved_once) {
    count_every_way(2, 2);
}
Test(durable, n_3_is_solved_once) {
    count_every_way(3, 3);
}

Test(durable, n_6_to_14_are_solved_once) {
    for (int n = 6; n <= 14; n += 2)
        count_every_way(n, n);
}

static bool stop_later(const nq_progress *progress, void *context) {
    cr_expect(progress->units_done <= progress->units && progress->share <= 1);
    return --*(int *)context > 0;
}

static const char *any_kernel(void) {
    size_t count = 0;
    while (kernel_here(count) != NULL)
        count++;
    return kernel_here((size_t)rand() % count)->impl.name;
}

/* Stops and continues a count until it is complete, each time with other threads and another
 * kernel. */
static void stop_and_go(int n, const char *plan, int depth, int most_calls) {
    const char *file = in_folder("file");
    const nq_options undisturbed = {.size = sizeof(nq_options), .plan = plan, .depth = depth};
    nq_result whole = count_ok(n, &undisturbed), result = NQ_RESULT_INIT;
    uint64_t recorded = 0;
    double seconds = 0;
    int runs = 0;
    for (nq_status status = NQ_CANCELLED; status != NQ_OK; runs++) {
        int calls = most_calls;
        const nq_options options = {.size = sizeof(nq_options),
                                    .threads = 1 + runs % 4,
                                    .plan = runs % 2 == 0 ? plan : NULL,
                                    .depth = runs % 3 == 0 ? depth : 0,
                                    .ledger = file,
                                    .kernel = any_kernel(),
                                    .progress = stop_later,
                                    .progress_context = &calls,
                                    .progress_seconds = 1e-9};
        status = continue_count(n, &options, whole.units, &recorded, &result);
        cr_expect_str_eq(result.plan, plan);
        cr_expect_str_eq(result.kernel, options.kernel);
        cr_expect_eq(result.depth, depth);
        if (runs > 0)
            cr_expect_gt(result.seconds_recorded, seconds, "run %d", runs);
        seconds = result.seconds_recorded;
        if (status == NQ_CANCELLED)
            cr_expect(!result.complete && result.solutions == 0 &&
                      result.verdict == NQ_UNVERIFIED && *nq_error_message() != '\0');
    }
    cr_expect_gt(runs, 2);
    cr_expect(result.complete && result.verdict == NQ_VERIFIED);
    cr_expect_eq(result.solutions, whole.solutions);
    cr_expect_eq(result.work, whole.work);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run"), runs);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 1"), runs);
}

Test(durable, a_stopped_count_continues_with_plan_cross) {
    stop_and_go(16, "cross", 0, 25);
}
Test(durable, a_stopped_count_continues_for_odd_n) {
    stop_and_go(15, "cross", 0, 120);
}
Test(durable, a_stopped_count_continues_for_larger_n) {
    stop_and_go(17, "cross", 0, 100);
}
Test(durable, a_stopped_count_continues_with_plan_rows) {
    stop_and_go(14, "rows", 3, 150);
}

Test(durable, shards_make_the_whole_count) {
    const int counts[] = {1, 3};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        count_shards(10, &(nq_options){.size = sizeof(nq_options), .plan = "cross"}, counts[i]);
        count_shards(11, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 2},
                     counts[i]);
        count_shards(13, &(nq_options){.size = sizeof(nq_options), .plan = "cross"}, counts[i]);
    }
}

/* A script that merges the ledgers of all shards must find this one, too. */
Test(durable, a_shard_without_units_leaves_a_ledger) {
    count_shards(8, &(nq_options){.size = sizeof(nq_options), .plan = "cross"}, 7);
}

Test(durable, shards_out_of_range_are_refused) {
    static const int wrong[][2] = {{0, 1},
                                   {1, 0},
                                   {2, 1},
                                   {-1, 1},
                                   {-1, -1},
                                   {1, -1},
                                   {0, -1},
                                   {-1, 0},
                                   {5, 4},
                                   {1, NQ_MAX_SHARDS + 1},
                                   {NQ_MAX_SHARDS + 1, NQ_MAX_SHARDS + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        nq_result result = NQ_RESULT_INIT;
        struct settings settings;
        const nq_options options = {.size = sizeof(nq_options),
                                    .shard = wrong[i][0],
                                    .shards = wrong[i][1],
                                    .ledger = in_folder("file")};
        cr_expect_eq(nq_count_solutions(8, &options, &result), NQ_BAD_OPTION, "%d of %d",
                     wrong[i][0], wrong[i][1]);
        cr_expect_not_null(
            strstr(nq_error_message(), "expected 1 <= shard <= shards <= 1000000"), "%s",
            nq_error_message());
        cr_expect_eq(nqi_choose_settings(8, &options, &settings), NQ_BAD_OPTION);
        cr_expect_eq(files_in_folder(), 0);
    }
    const nq_options largest = {
        .size = sizeof(nq_options), .shard = NQ_MAX_SHARDS, .shards = NQ_MAX_SHARDS};
    cr_expect_eq(count_ok(8, &largest).units, 0);
}
