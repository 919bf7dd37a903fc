/* SPDX-License-Identifier: MIT */
/* nqi_ledger_merge, as far as the program does not show it: what is in several ledgers. */
#include "counts.h"
#include "ledger/ledger.h"
#include "ledgers.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

TestSuite(merge, .init = folder_make, .fini = folder_remove);

/* A ledger of a shard of n = 9, plan rows: 28 units. */
enum { N = 9, UNITS = 28 };
static const char *record(const char *name, int shard, int shards) {
    const char *file = in_folder(name);
    count_ok(N, OPTIONS(.plan = "rows", .depth = 2, .shard = shard, .shards = shards,
                        .ledger = file));
    return file;
}

static struct ledger_info info;

static void expect_merged(const char *const *files, size_t count) {
    expect_status(nqi_ledger_merge(files, count, in_folder("output")), NQ_OK, "merge");
    expect_status(nqi_ledger_show(in_folder("output"), &info, NULL, 0), NQ_OK, "output");
}

Test(merge, takes_units_of_several_ledgers_once) {
    const char *parts[] = {record("a", 1, 2), record("all", 0, 0), record("b", 2, 2),
                           record("c", 1, 3), in_folder("a")};
    expect_merged(parts, 5);
    cr_expect(info.units_done == UNITS && info.solutions == published[N] && info.runs == 4);
}

/* Of a run in two ledgers, the later state is taken, whatever the order of the ledgers. */
Test(merge, takes_runs_of_several_ledgers_once) {
    const char *early = record("early", 1, 2), *late = in_folder("late");
    copy_file(early, late);
    const int64_t run = ask_sql(early, "SELECT id FROM run");
    falsify(early, TABLE_RUN, run, RUN_NANOSECONDS, 1000000000);
    falsify(early, TABLE_RUN, run, RUN_STATE, RUN_OPEN);
    falsify(late, TABLE_RUN, run, RUN_NANOSECONDS, 3000000000);
    for (int i = 0; i < 2; i++) {
        const char *parts[] = {i == 0 ? early : late, i == 0 ? late : early};
        expect_merged(parts, 2);
        cr_expect(info.runs == 1 && info.runs_open == 0 && info.runs_killed == 0);
        cr_expect_float_eq(info.seconds, 3, 1e-9);
        cr_assert_eq(remove(in_folder("output")), 0);
    }
    expect_merged(&early, 1); /* no ledger has the end of the run */
    cr_expect(info.runs == 1 && info.runs_open == 0 && info.runs_killed == 1);
}

/* With a right checksum. */
Test(merge, a_unit_that_the_job_does_not_have_is_damage) {
    const char *part = record("a", 1, 2);
    struct ledger *ledger = open_ok(part, LEDGER_WRITE);
    cr_assert_eq(add_unit(ledger, UNITS), NQ_OK);
    cr_assert_eq(commit(ledger), NQ_OK);
    nqi_ledger_close(ledger);
    expect_status(nqi_ledger_merge(&part, 1, in_folder("output")), NQ_LEDGER_DAMAGED, part);
    cr_expect_eq(files_in_folder(), 1);
}

/* This version does not know the units' weights, so there is no sum of solutions. */
Test(merge, joins_units_of_an_unknown_version) {
    const struct partition job = {.job.method = "search",
                                  .job.n = 8,
                                  .job.plan = "cross",
                                  .job.plan_version = 99,
                                  .job.units = 4};
    const char *parts[] = {make_ledger_of(&job, "a", 1, 2), make_ledger_of(&job, "b", 2, 3)};
    expect_merged(parts, 2);
    cr_expect(!info.current && info.job.plan_version == 99 && info.units_done == 2 &&
              info.solutions == 0 && info.share == 0.5);
}
