/* nqi_ledger_merge: ledgers of one job become one; a refusal leaves no file. */
#include "counts.h"
#include "ledger/show.h"
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

static void expect_not_merged(const char *const *files, size_t count, nq_status expected,
                              const char *why) {
    const int before = files_in_folder();
    expect_status(nqi_ledger_merge(files, count, in_folder("output")), expected, why);
    cr_expect_eq(files_in_folder(), before);
}

/* It can be continued, and merged again. */
Test(merge, of_parts_makes_the_whole) {
    const char *parts[] = {record("a", 1, 3), record("b", 2, 3), record("c", 3, 3)};
    const nq_result whole = count_ok(N, OPTIONS(.plan = "rows", .depth = 2));
    struct bytes before[3];
    struct ledger_info part;
    double seconds = 0;
    for (int i = 0; i < 3; i++) {
        before[i] = bytes_of(parts[i]);
        expect_status(nqi_ledger_show(parts[i], &part, NULL, 0), NQ_OK, parts[i]);
        seconds += part.seconds;
    }
    expect_merged(parts, 2);
    cr_expect(info.runs == 2 && info.units_done < UNITS && info.verdict == NQ_UNVERIFIED);
    cr_assert_eq(rename(in_folder("output"), in_folder("two")), 0);
    const char *all[] = {in_folder("two"), parts[2]};
    expect_merged(all, 2);
    cr_expect(info.job.n == N && info.job.depth == 2 && info.current &&
              info.job.units == UNITS && info.units_done == UNITS &&
              info.solutions == published[N] && info.verdict == NQ_VERIFIED &&
              info.work == whole.work && info.share == 1);
    cr_expect(info.runs == 3 && info.runs_open == 0 && info.runs_killed == 0 &&
              info.hosts == 1);
    cr_expect_float_eq(info.seconds, seconds, 1e-9);
    for (int i = 0; i < 3; i++)
        cr_expect(unchanged(parts[i], before[i]));
    const char *const complete[] = {in_folder("output"), in_folder("two")};
    for (int i = 0; i < 2; i++) {
        const nq_result result = count_ok(N, OPTIONS(.ledger = complete[i]));
        cr_expect(result.complete && result.solutions == published[N] &&
                  (result.units_recorded == UNITS) == (i == 0));
    }
}

/* Also of one in use: what is committed. */
Test(merge, takes_units_of_several_ledgers_once) {
    const char *parts[] = {record("a", 1, 2), record("all", 0, 0), record("b", 2, 2),
                           record("c", 1, 3), in_folder("a")};
    struct holder holder = hold(parts[0], NULL);
    expect_merged(parts, 5);
    holder_end(&holder);
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

/* The checksums are right; only the values disagree. Both are named. */
Test(merge, of_different_results_is_refused) {
    const char *parts[] = {record("a", 1, 2), record("all", 0, 0)};
    const char *const columns[] = {[UNIT_SOLUTIONS] = "solutions", [UNIT_WORK] = "work"};
    const int64_t unit = ask_sql(parts[0], "SELECT max(id) FROM unit");
    for (int column = UNIT_SOLUTIONS; column <= UNIT_WORK; column++) {
        char sql[96], named[3][32];
        snprintf(sql, sizeof sql, "SELECT %s FROM unit WHERE id = %" PRId64, columns[column],
                 unit);
        const int64_t number = ask_sql(parts[0], sql);
        falsify(parts[0], TABLE_UNIT, unit, column, number + 77);
        snprintf(named[0], sizeof named[0], "unit %" PRId64 ":", unit);
        snprintf(named[1], sizeof named[1], " %" PRId64, number);
        snprintf(named[2], sizeof named[2], " %" PRId64, number + 77);
        for (int i = 0; i < 3; i++)
            expect_not_merged(parts, 2, NQ_DISAGREE, named[i]);
        falsify(parts[0], TABLE_UNIT, unit, column, number);
    }
    expect_merged(parts, 2);
}

/* The names are those of the ledgers that differ, not that of an empty one before them. */
Test(merge, of_different_jobs_is_refused) {
    const char *parts[] = {in_folder("empty"), record("a", 1, 2), in_folder("other")};
    const struct {
        int n;
        const nq_options *options;
        const char *why;
    } others[] = {{N, OPTIONS(.plan = "cross", .ledger = parts[2]), "plan cross"},
                  {N, OPTIONS(.plan = "rows", .depth = 3, .ledger = parts[2]), "depth 3"},
                  {8, OPTIONS(.ledger = parts[2]), "n = 8"}};
    write_bytes(parts[0], "", 0);
    for (size_t i = 0; i < LENGTH(others); i++) {
        count_ok(others[i].n, others[i].options);
        expect_not_merged(parts, 3, NQ_LEDGER_OTHER, others[i].why);
        for (int p = 0; p < 3; p++)
            cr_expect_eq(strstr(nq_error_message(), parts[p]) != NULL, p > 0, "%s",
                         nq_error_message());
        cr_assert_eq(remove(parts[2]), 0);
    }
}

/* Files that are no ledgers, rows that were changed, and a unit with a right checksum that the
 * job does not have. */
Test(merge, of_damaged_inputs_is_refused) {
    const char *parts[] = {record("a", 1, 2), in_folder("b")};
    const char *const changes[] = {
        "UPDATE unit SET host = 'elsewhere' WHERE id = (SELECT max(id) FROM unit)",
        "UPDATE run SET threads = threads + 1"};
    expect_not_merged(parts, 2, NQ_LEDGER_IO, parts[1]);
    write_bytes(parts[1], "not a ledger", 12);
    expect_not_merged(parts, 2, NQ_LEDGER_DAMAGED, parts[1]);
    for (size_t i = 0; i < LENGTH(changes); i++) {
        cr_assert_eq(remove(parts[1]), 0);
        record("b", 2, 2);
        run_sql(parts[1], changes[i]);
        expect_not_merged(parts, 2, NQ_LEDGER_DAMAGED, parts[1]);
    }
    struct ledger *ledger = open_ok(parts[0], LEDGER_WRITE);
    cr_assert_eq(add_unit(ledger, UNITS), NQ_OK);
    cr_assert_eq(commit(ledger), NQ_OK);
    nqi_ledger_close(ledger);
    expect_not_merged(parts, 1, NQ_LEDGER_DAMAGED, parts[0]);
}

/* Neither an empty file, nor another one, nor an input. */
Test(merge, never_overwrites_a_file) {
    const char *part = record("a", 1, 2), *empty = in_folder("empty");
    const char *const outputs[] = {in_folder("other"), part, in_folder("none/output")};
    write_bytes(empty, "", 0);
    write_bytes(outputs[0], "precious", 8);
    expect_not_merged(NULL, 0, NQ_LEDGER_IO, "nothing to merge");
    expect_not_merged(&empty, 1, NQ_LEDGER_IO, "nothing to merge");
    for (size_t i = 0; i < LENGTH(outputs); i++) {
        struct bytes before = i < 2 ? bytes_of(outputs[i]) : (struct bytes){0};
        expect_status(nqi_ledger_merge(&part, 1, outputs[i]), NQ_LEDGER_IO, outputs[i]);
        cr_expect(i == 2 || unchanged(outputs[i], before));
    }
    cr_expect_eq(nqi_ledger_merge(&part, 1, empty), NQ_OK, "a killed merge leaves such a file");
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
