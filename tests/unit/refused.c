/* Counts that do not go with their ledger: each is refused, and the ledger stays as it was. */
#include "counts.h"
#include "ledgers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(refused, .init = folder_make, .fini = folder_remove);

/* A ledger of a part of n = 8. */
static const char *record(const char *plan, int depth) {
    const char *file = in_folder("file");
    count_ok(8, OPTIONS(.plan = plan, .depth = depth, .shard = 1, .shards = 2, .ledger = file));
    return file;
}

Test(refused, a_ledger_of_another_n_is_refused) {
    const char *file = record("cross", 0);
    for (int n = -1; n <= NQ_MAX_N + 1; n += n < 6 ? 7 : n < 10 ? 1 : 6)
        if (n != 8)
            expect_refused(n, OPTIONS(.ledger = file),
                           n < 0 || n > NQ_MAX_N ? NQ_BAD_N : NQ_LEDGER_OTHER, "n = ");
}

/* Each way of counting can be continued in itself alone, whether it is named or not. */
Test(refused, another_way_of_counting_is_refused) {
    static const struct {
        const char *method, *plan;
        int depth;
    } ways[] = {{"search", "cross", 0},
                {"search", "rows", 2},
                {"search", "rows", 3},
                {"join", "halves", 0}};
    for (size_t is = 0; is < LENGTH(ways); is++) {
        const char *file = record(ways[is].plan, ways[is].depth);
        for (size_t i = 0; i < LENGTH(ways); i++)
            if (i != is)
                expect_refused(8,
                               OPTIONS(.method = ways[i].method, .plan = ways[i].plan,
                                       .depth = ways[i].depth, .ledger = file),
                               NQ_LEDGER_OTHER, file);
        const nq_options *const open[] = {OPTIONS(.ledger = file),
                                          OPTIONS(.plan = ways[is].plan, .ledger = file),
                                          OPTIONS(.depth = ways[is].depth, .ledger = file),
                                          OPTIONS(.method = ways[is].method, .ledger = file)};
        for (size_t i = 0; i < LENGTH(open); i++) {
            const nq_result result = count_ok(8, open[i]);
            cr_expect_str_eq(result.plan, ways[is].plan);
            cr_expect(result.depth == ways[is].depth && result.solutions == 92);
        }
        cr_assert_eq(remove(file), 0);
    }
    const char *file = record("rows", 3);
    expect_refused(8, OPTIONS(.depth = 2, .ledger = file), NQ_LEDGER_OTHER, file);
    expect_refused(8, OPTIONS(.depth = 9, .ledger = file), NQ_BAD_OPTION, "9");
}

/* The ledger is at fault, not an option: so the status is not NQ_BAD_OPTION. */
Test(refused, units_that_this_version_does_not_know_are_refused) {
    const char *const plans[] = {"cross", "halves"};
    for (size_t i = 0; i < LENGTH(plans); i++) {
        const char *file = record(plans[i], 0);
        const int64_t version = ask_sql(file, "SELECT plan_version FROM job"),
                      units = ask_sql(file, "SELECT units FROM job");
        run_sql(file, "DELETE FROM unit; DELETE FROM run");
        falsify(file, TABLE_JOB, 1, JOB_VERSION, version + 1);
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        expect_refused(8, OPTIONS(.plan = plans[i], .ledger = file), NQ_LEDGER_OTHER, file);
        falsify(file, TABLE_JOB, 1, JOB_VERSION, version);
        falsify(file, TABLE_JOB, 1, JOB_UNITS, units + 1);
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        falsify(file, TABLE_JOB, 1, JOB_UNITS, units);
        falsify_text(file, TABLE_JOB, 1, JOB_PLAN, "spiral");
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        falsify_text(file, TABLE_JOB, 1, JOB_METHOD, "guess");
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        expect_refused(8, OPTIONS(.method = "search", .ledger = file), NQ_LEDGER_OTHER, file);
        cr_assert_eq(remove(file), 0);
    }
}

/* A file left behind would be in the way of the next count. */
Test(refused, wrong_options_change_no_ledger_and_make_none) {
    const nq_options *const wrong[] = {OPTIONS(.ledger = in_folder("file"), .plan = "spiral"),
                                       OPTIONS(.ledger = in_folder("file"), .threads = -1)};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        expect_refusal(8, wrong[i], NQ_BAD_OPTION, "");
        cr_expect_eq(files_in_folder(), 0);
    }
    record("cross", 0);
    for (size_t i = 0; i < LENGTH(wrong); i++)
        expect_refused(8, wrong[i], NQ_BAD_OPTION, "");
}

Test(refused, unusable_ledgers_are_refused) {
    const char *file = in_folder("file");
    expect_refusal(8, OPTIONS(.ledger = folder()), NQ_LEDGER_IO, folder());
    record("cross", 0);
    struct holder holder = hold(file, NULL);
    expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_BUSY, file);
    holder_end(&holder);
    run_sql(file, "UPDATE unit SET solutions = solutions + 1");
    expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_DAMAGED, "checksum");
}

/* The ledger is complete and its checksums are right, but its total is wrong. */
Test(refused, a_wrong_total_is_reported) {
    const char *file = record("cross", 0);
    count_ok(8, OPTIONS(.ledger = file));
    const int64_t solutions = ask_sql(file, "SELECT solutions FROM unit WHERE id = 1");
    falsify(file, TABLE_UNIT, 1, UNIT_SOLUTIONS, solutions + 1);
    nq_result result = NQ_RESULT_INIT;
    expect_status(nq_count_solutions(8, OPTIONS(.ledger = file), &result), NQ_MISMATCH, "92");
    cr_expect(result.verdict == NQ_WRONG && result.complete && result.solutions > 92);
}
