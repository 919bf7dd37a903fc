/* SPDX-License-Identifier: MIT */
/* Ledgers, as far as the program does not show what they do: files that are refused, kills and
 * false rows are tested with it. */
#include "ledger/ledger.h"
#include "colours/colours.h"
#include "core/arrays.h"
#include "count/count.h"
#include "counts.h"
#include "folder.h"
#include "ledger/database.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const struct partition made_up_job = {
    .job.method = "colours", .job.n = 9, .job.version = COLOURS_VERSION, .job.units = 8};

TestSuite(ledger, .init = folder_make, .fini = folder_remove);

/* A file that took the new ledger's place belongs to another program. */
Test(ledger, closing_a_new_ledger_deletes_no_other_file) {
    const char *file = "new";
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    cr_assert_eq(rename(file, "moved"), 0);
    write_text(file, "precious");
    nqi_ledger_close(ledger);
    cr_expect_eq(access(file, F_OK), 0, "it was deleted");
}

Test(ledger, a_second_row_of_a_unit_is_refused) {
    const char *file = "file";
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    const struct row row = {.value = {[UNIT_ID] = {.number = 3}}};
    cr_assert_eq(nqi_ledger_match_job(ledger, &made_up_job.job), NQ_OK);
    for (int again = 0; again < 3; again++) {
        const nq_status status = nqi_ledger_add(ledger, TABLE_UNIT, &row);
        cr_expect_eq(status, again == 0 ? NQ_OK : NQ_INTERNAL, "%s", ledger_failure.text);
        cr_assert(nqi_database_commit(ledger) == NQ_OK && nqi_database_resume(ledger) == NQ_OK);
    }
    nqi_ledger_close(ledger);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), 1);
}

/* EXTRA (3): a commit is on the disk when it ends, and so is the deletion of its journal, which
 * would undo it after a power cut. A rollback journal, not a log in memory. */
Test(ledger, a_commit_is_on_the_disk_when_it_ends) {
    struct ledger *ledger = open_ok("file", LEDGER_WRITE);
    int64_t level = 0, deletes = 0;
    cr_assert_eq(nqi_database_query(ledger, "PRAGMA synchronous", &level), NQ_OK);
    cr_expect_eq(level, 3);
    cr_assert_eq(nqi_database_query(ledger,
                                    "SELECT journal_mode = 'delete' FROM pragma_journal_mode",
                                    &deletes),
                 NQ_OK);
    cr_expect_eq(deletes, 1);
    nqi_ledger_close(ledger);
}

/* Adds to the sum of what was recorded before. */
static nq_status solve_and_add(void *context, struct run *run, const struct setup *setup,
                               struct failure *failure) {
    (void)failure;
    ((struct setup *)setup)->recorded.solutions += *(uint64_t *)context;
    nqi_run_solve(run);
    return NQ_OK;
}

Test(ledger, a_sum_that_it_does_not_hold_is_no_total) {
    uint64_t more[] = {1, UINT64_MAX}; /* with the second one the sum is too large */
    for (int i = 0; i < 2; i++) {
        const struct executor executor = {.execute = solve_and_add, .context = &more[i]};
        nq_result result = NQ_RESULT_INIT;
        cr_expect_eq(
            nqi_count_on(&executor, 8, OPTIONS(.ledger = "file"), &result, &ledger_failure),
            i == 0 ? NQ_LOST_UNIT : NQ_OVERFLOW, "%s", ledger_failure.text);
        cr_expect(result.solutions == 0 && !result.complete);
        cr_assert_eq(remove("file"), 0);
    }
}

/* Some units have much more expected work than others. Progress of a count that carries on
 * begins with the same share. */
Test(ledger, its_share_is_of_the_expected_work) {
    const char *file = "file";
    struct ledger_info info;
    count_ok(13, OPTIONS(.shard = 1, .shards = 2, .ledger = file));
    cr_assert_eq(nqi_ledger_show(file, &info, &ledger_failure), NQ_OK, "%s",
                 ledger_failure.text);
    struct partition *partition = nqi_colours_partition(13);
    uint64_t done = 0, all = 0;
    for (uint64_t id = 0; id < partition->job.units; id++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM unit WHERE id = %" PRIu64, id);
        all += partition->units[id].cost;
        done += ask_sql(file, sql) == 1 ? partition->units[id].cost : 0;
    }
    partition_close(partition);
    cr_expect_float_eq(info.share, (double)done / (double)all, 1e-9);
    cr_expect_float_eq(info.remaining,
                       info.recorded.seconds * (double)(all - done) / (double)done,
                       info.remaining * 1e-9);
    struct watch w = {.stop_at = 1};
    nq_result result = NQ_RESULT_INIT;
    nq_count_solutions(13, OPTIONS(.ledger = file, WATCHED_BY(&w)), &result);
    cr_expect_eq(w.last.units_done, info.recorded.count);
    cr_expect_float_eq(w.last.share, info.share, 1e-9);
}
