/* Counts that do not go with their ledger: each is refused, and the ledger stays as it was. */
#include "counts.h"
#include "ledgers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(refused, .init = folder_make, .fini = folder_remove);

static const char *record(int n, const nq_options *options) {
    const char *file = in_folder("file");
    nq_options with_ledger = *options;
    with_ledger.ledger = file;
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(n, &with_ledger, &result);
    cr_assert_eq(status, NQ_OK, "%s", nq_error_message());
    return file;
}

Test(refused, a_ledger_of_another_n_is_refused) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    for (int n = 0; n <= NQ_MAX_N; n++)
        if (n != 8)
            expect_refused(n, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                           NQ_LEDGER_OTHER, file);
    expect_refused(29, &(nq_options){.size = sizeof(nq_options), .ledger = file}, NQ_BAD_N,
                   "29");
    expect_refused(-1, &(nq_options){.size = sizeof(nq_options), .ledger = file}, NQ_BAD_N,
                   "-1");
}

Test(refused, plan_rows_is_refused_for_a_ledger_of_cross) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    for (int depth = 0; depth <= 3; depth += depth == 0 ? 2 : 1)
        expect_refused(
            8,
            &(nq_options){
                .size = sizeof(nq_options), .plan = "rows", .depth = depth, .ledger = file},
            NQ_LEDGER_OTHER, file);
}

Test(refused, plan_cross_is_refused_for_a_ledger_of_rows) {
    const char *file = record(
        8,
        &(nq_options){
            .size = sizeof(nq_options), .plan = "rows", .depth = 3, .shard = 1, .shards = 2});
    expect_refused(8,
                   &(nq_options){.size = sizeof(nq_options), .plan = "cross", .ledger = file},
                   NQ_LEDGER_OTHER, file);
}

Test(refused, another_depth_is_refused) {
    const char *file = record(
        8,
        &(nq_options){
            .size = sizeof(nq_options), .plan = "rows", .depth = 3, .shard = 1, .shards = 2});
    expect_refused(
        8,
        &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 2, .ledger = file},
        NQ_LEDGER_OTHER, file);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .depth = 2, .ledger = file},
                   NQ_LEDGER_OTHER, file);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .depth = 9, .ledger = file},
                   NQ_BAD_OPTION, "9");
}

/* The plan is one that this version knows, but its units are others. */
Test(refused, another_version_of_the_plan_is_refused) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    int64_t version = ask_sql(file, "SELECT plan_version FROM job");
    falsify(file, TABLE_JOB, 1, JOB_VERSION, version + 1);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_OTHER, "with the version of nqueens that began it");
    falsify(file, TABLE_JOB, 1, JOB_VERSION, version);
    falsify(file, TABLE_JOB, 1, JOB_UNITS, 5);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_OTHER, file);
}

/* The ledger is at fault, not an option: so the status is not NQ_BAD_OPTION. */
Test(refused, unknown_plans_and_methods_of_a_ledger_are_refused) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    falsify_text(file, TABLE_JOB, 1, JOB_PLAN, "spiral");
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_OTHER, file);
    expect_refused(8,
                   &(nq_options){.size = sizeof(nq_options), .plan = "cross", .ledger = file},
                   NQ_LEDGER_OTHER, file);
    falsify_text(file, TABLE_JOB, 1, JOB_PLAN, "cross");
    falsify_text(file, TABLE_JOB, 1, JOB_METHOD, "guess");
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_OTHER, file);
    expect_refused(
        8, &(nq_options){.size = sizeof(nq_options), .method = "search", .ledger = file},
        NQ_LEDGER_OTHER, file);
}

Test(refused, wrong_options_are_refused) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    expect_refused(8,
                   &(nq_options){.size = sizeof(nq_options), .plan = "spiral", .ledger = file},
                   NQ_BAD_OPTION, "spiral");
    expect_refused(8,
                   &(nq_options){.size = sizeof(nq_options), .method = "guess", .ledger = file},
                   NQ_BAD_OPTION, "guess");
    expect_refused(8,
                   &(nq_options){.size = sizeof(nq_options), .kernel = "fpga", .ledger = file},
                   NQ_NO_KERNEL, "fpga");
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .threads = -1, .ledger = file},
                   NQ_BAD_OPTION, "-1");
}

/* A file left behind would be in the way of the next count. */
Test(refused, wrong_options_make_no_ledger) {
    const nq_options wrong[] = {{.size = sizeof(nq_options), .plan = "spiral"},
                                {.size = sizeof(nq_options), .method = "guess"},
                                {.size = sizeof(nq_options), .kernel = "fpga"},
                                {.size = sizeof(nq_options), .threads = -1},
                                {.size = sizeof(nq_options), .depth = 2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        nq_options options = wrong[i];
        options.ledger = in_folder("file");
        nq_result result = NQ_RESULT_INIT;
        cr_expect_neq(nq_count_solutions(8, &options, &result), NQ_OK, "%zu", i);
        cr_expect_eq(files_in_folder(), 0, "%zu", i);
    }
}

Test(refused, options_left_open_are_taken_from_the_ledger) {
    for (int depth = 2; depth <= 3; depth++) {
        const char *file = record(9, &(nq_options){.size = sizeof(nq_options),
                                                   .plan = "rows",
                                                   .depth = depth,
                                                   .shard = 1,
                                                   .shards = 2});
        const nq_options open[] = {
            {.size = sizeof(nq_options), .ledger = file},
            {.size = sizeof(nq_options), .method = "auto", .plan = "auto", .ledger = file},
            {.size = sizeof(nq_options), .plan = "rows", .ledger = file},
            {.size = sizeof(nq_options), .depth = depth, .ledger = file},
            {.size = sizeof(nq_options), .method = "search", .ledger = file}};
        for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
            nq_result result = NQ_RESULT_INIT;
            cr_expect_eq(nq_count_solutions(9, &open[i], &result), NQ_OK, "%s",
                         nq_error_message());
            cr_expect_str_eq(result.plan, "rows");
            cr_expect_eq(result.depth, depth);
            cr_expect_eq(result.solutions, 352);
        }
        cr_assert_eq(remove(file), 0);
    }
}

Test(refused, unusable_ledgers_are_refused) {
    const char *file = in_folder("file");
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(
        nq_count_solutions(8, &(nq_options){.size = sizeof(nq_options), .ledger = ""}, &result),
        NQ_LEDGER_IO);
    cr_expect_str_not_empty(nq_error_message());
    cr_expect_eq(nq_count_solutions(
                     8, &(nq_options){.size = sizeof(nq_options), .ledger = folder()}, &result),
                 NQ_LEDGER_IO);
    cr_expect_not_null(strstr(nq_error_message(), folder()), "%s", nq_error_message());
    write_bytes(file, "precious", 8);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_DAMAGED, file);
    cr_assert_eq(remove(file), 0);
    record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    run_sql(file, "UPDATE unit SET solutions = solutions + 1");
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_DAMAGED, "checksum");
}

Test(refused, a_second_writer_is_refused) {
    const char *file =
        record(8, &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2});
    struct holder holder = hold(file, NULL);
    expect_refused(8, &(nq_options){.size = sizeof(nq_options), .ledger = file}, NQ_LEDGER_BUSY,
                   file);
    holder_end(&holder);
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(
                     8, &(nq_options){.size = sizeof(nq_options), .ledger = file}, &result),
                 NQ_OK, "%s", nq_error_message());
}

/* The ledger is complete and its checksums are right, but its total is wrong. */
Test(refused, a_wrong_total_is_reported) {
    const char *file = record(8, &(nq_options){.size = sizeof(nq_options)});
    int64_t solutions = ask_sql(file, "SELECT solutions FROM unit WHERE id = 1");
    falsify(file, TABLE_UNIT, 1, UNIT_SOLUTIONS, solutions + 1);
    nq_result result = NQ_RESULT_INIT;
    cr_expect_eq(nq_count_solutions(
                     8, &(nq_options){.size = sizeof(nq_options), .ledger = file}, &result),
                 NQ_MISMATCH);
    cr_expect(result.verdict == NQ_WRONG && result.complete && result.solutions > 92);
    cr_expect_not_null(strstr(nq_error_message(), "known total is 92"), "%s",
                       nq_error_message());
    falsify(file, TABLE_UNIT, 1, UNIT_SOLUTIONS, solutions);
    cr_expect_eq(nq_count_solutions(
                     8, &(nq_options){.size = sizeof(nq_options), .ledger = file}, &result),
                 NQ_OK);
}
