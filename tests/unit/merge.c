/* nqi_ledger_merge: ledgers of one job become one; a refusal leaves no file. */
#include "ledger/merge.h"
#include "ledger/show.h"
#include "ledgers.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

TestSuite(merge, .init = folder_make, .fini = folder_remove);

/* A ledger of a shard of n = 9, plan rows: 28 units. */
static const char *record(const char *name, int shard, int shards) {
    const char *file = in_folder(name);
    const nq_options options = {.size = sizeof(nq_options),
                                .plan = "rows",
                                .depth = 2,
                                .shard = shard,
                                .shards = shards,
                                .ledger = file};
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(9, &options, &result), NQ_OK, "%s", nq_error_message());
    return file;
}
enum { N = 9, UNITS = 28 };

static struct ledger_info info;

/* Merges, and reads the output. */
static nq_status merge(const char *const *files, size_t count) {
    const nq_status status = nqi_ledger_merge(files, count, in_folder("output"));
    return status == NQ_OK ? nqi_ledger_show(in_folder("output"), &info, NULL, 0) : status;
}

static void expect_merged(const char *const *files, size_t count) {
    nq_status status = merge(files, count);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_str_empty(nq_error_message());
    cr_expect(exists(in_folder("output")));
}

static void expect_refused(const char *const *files, size_t count, nq_status expected,
                           const char *why) {
    int before = files_in_folder();
    nq_status status = merge(files, count);
    cr_expect_eq(status, expected, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_not_null(strstr(nq_error_message(), why), "%s", nq_error_message());
    cr_expect_not(exists(in_folder("output")));
    cr_expect_eq(files_in_folder(), before);
}

static void expect_total(const char *file) {
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(
                     N, &(nq_options){.size = sizeof(nq_options), .ledger = file}, &result),
                 NQ_OK, "%s", nq_error_message());
    cr_expect(result.complete && result.solutions == published[N] &&
              result.units_recorded == UNITS);
}

Test(merge, of_parts_makes_the_whole) {
    const char *parts[] = {record("a", 1, 3), record("b", 2, 3), record("c", 3, 3)};
    struct bytes before[3];
    struct ledger_info part;
    double seconds = 0;
    for (int i = 0; i < 3; i++) {
        before[i] = bytes_of(parts[i]);
        cr_assert_eq(nqi_ledger_show(parts[i], &part, NULL, 0), NQ_OK);
        seconds += part.seconds;
    }
    nq_result whole = NQ_RESULT_INIT;
    cr_assert_eq(
        nq_count_solutions(
            N, &(nq_options){.size = sizeof(nq_options), .plan = "rows", .depth = 2}, &whole),
        NQ_OK);
    expect_merged(parts, 3);
    cr_expect(info.n == N && info.depth == 2 && info.current && info.units == UNITS &&
              info.units_done == UNITS);
    cr_expect_str_eq(info.plan, "rows");
    cr_expect_str_eq(info.method, "search");
    cr_expect(info.solutions == published[N] && info.verdict == NQ_VERIFIED);
    cr_expect_eq(info.work, whole.work);
    cr_expect(info.runs == 3 && info.runs_open == 0 && info.runs_killed == 0 &&
              info.hosts == 1);
    cr_expect_float_eq(info.seconds, seconds, 1e-9);
    cr_expect_float_eq(info.share, 1, 1e-12);
    expect_total(in_folder("output"));
    for (int i = 0; i < 3; i++)
        cr_expect(unchanged(parts[i], before[i]));
    cr_expect_eq(files_in_folder(), 4);
}

Test(merge, of_one_ledger_makes_a_copy) {
    const char *part = record("a", 2, 3);
    struct ledger_info before;
    cr_assert_eq(nqi_ledger_show(part, &before, NULL, 0), NQ_OK);
    expect_merged(&part, 1);
    cr_expect(info.units_done == before.units_done && info.solutions == before.solutions &&
              info.work == before.work && info.runs == 1 && info.verdict == NQ_UNVERIFIED);
    cr_expect_float_eq(info.share, before.share, 1e-12);
}

/* It can be continued, and merged again. */
Test(merge, makes_a_ledger_like_any_other) {
    const char *two[] = {record("a", 1, 3), record("b", 2, 3)};
    expect_merged(two, 2);
    cr_assert_eq(rename(in_folder("output"), in_folder("two")), 0);
    const char *all[] = {in_folder("two"), record("c", 3, 3)};
    expect_merged(all, 2);
    expect_total(in_folder("output"));
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(
        nq_count_solutions(
            N, &(nq_options){.size = sizeof(nq_options), .ledger = in_folder("two")}, &result),
        NQ_OK);
    cr_expect(result.complete && result.solutions == published[N] &&
              result.units_recorded < UNITS);
}

Test(merge, takes_units_of_several_ledgers_once) {
    const char *parts[] = {record("a", 1, 2), record("all", 0, 0), record("b", 2, 2),
                           record("c", 1, 3), in_folder("a")};
    expect_merged(parts, 5);
    cr_expect(info.units_done == UNITS && info.solutions == published[N]);
    cr_expect_eq(info.runs, 4);
    expect_total(in_folder("output"));
}

/* Of a run in two ledgers, the later state is taken, whatever the order of the ledgers. */
Test(merge, takes_runs_of_several_ledgers_once) {
    const char *early = record("early", 1, 2), *late = in_folder("late");
    copy_file(early, late);
    int64_t run = ask_sql(early, "SELECT id FROM run");
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

/* The checksums are right; only the values disagree. */
static void expect_disagreement(int column, const char *word) {
    const char *parts[] = {record("a", 1, 2), record("all", 0, 0)};
    int64_t unit = ask_sql(parts[0], "SELECT max(id) FROM unit");
    char name[32], sql[96], value[32];
    snprintf(sql, sizeof sql, "SELECT %s FROM unit WHERE id = %" PRId64, word, unit);
    int64_t number = ask_sql(parts[0], sql);
    falsify(parts[0], TABLE_UNIT, unit, column, number + 77);
    snprintf(name, sizeof name, "unit %" PRId64 ":", unit);
    expect_refused(parts, 2, NQ_DISAGREE, name);
    snprintf(value, sizeof value, " %" PRId64, number + 77);
    cr_expect_not_null(strstr(nq_error_message(), value), "%s", nq_error_message());
    snprintf(value, sizeof value, " %" PRId64, number);
    cr_expect_not_null(strstr(nq_error_message(), value), "%s", nq_error_message());
    falsify(parts[0], TABLE_UNIT, unit, column, number);
    expect_merged(parts, 2);
}

Test(merge, of_different_solutions_is_refused) {
    expect_disagreement(UNIT_SOLUTIONS, "solutions");
}
Test(merge, of_different_nodes_is_refused) {
    expect_disagreement(UNIT_WORK, "work");
}

Test(merge, of_different_jobs_is_refused) {
    const nq_options others[] = {{.size = sizeof(nq_options), .plan = "cross"},
                                 {.size = sizeof(nq_options), .plan = "rows", .depth = 3}};
    const char *differences[] = {"plan rows and plan cross", "depth 2 and depth 3",
                                 "n = 9 and n = 8"};
    const char *parts[] = {record("a", 1, 2), in_folder("other")};
    nq_result result = NQ_RESULT_INIT;
    for (int i = 0; i < 3; i++) {
        nq_options options = others[i % 2];
        options.ledger = parts[1];
        cr_assert_eq(nq_count_solutions(i < 2 ? N : 8, &options, &result), NQ_OK);
        expect_refused(parts, 2, NQ_LEDGER_OTHER, differences[i]);
        cr_expect_not_null(strstr(nq_error_message(), "other"), "%s", nq_error_message());
        cr_assert_eq(remove(parts[1]), 0);
    }
}

/* The names are those of the ledgers that differ. */
Test(merge, of_other_jobs_after_an_empty_ledger_is_refused) {
    const char *parts[] = {in_folder("empty"), record("a", 1, 2), in_folder("other")};
    nq_result result = NQ_RESULT_INIT;
    write_bytes(parts[0], "", 0);
    cr_assert_eq(nq_count_solutions(
                     8, &(nq_options){.size = sizeof(nq_options), .ledger = parts[2]}, &result),
                 NQ_OK);
    expect_refused(parts, 3, NQ_LEDGER_OTHER, "n = 9 and n = 8");
    for (int i = 0; i < 3; i++)
        cr_expect_eq(strstr(nq_error_message(), parts[i]) != NULL, i > 0, "%s",
                     nq_error_message());
}

Test(merge, of_unreadable_inputs_is_refused) {
    const char *parts[] = {record("a", 1, 2), in_folder("b")};
    expect_refused(parts, 2, NQ_LEDGER_IO, parts[1]);
    write_bytes(parts[1], "not a ledger", 12);
    expect_refused(parts, 2, NQ_LEDGER_DAMAGED, parts[1]);
    cr_assert_eq(remove(parts[1]), 0);
    record("b", 2, 2);
    run_sql(parts[1],
            "UPDATE unit SET host = 'elsewhere' WHERE id = (SELECT max(id) FROM unit)");
    expect_refused(parts, 2, NQ_LEDGER_DAMAGED, parts[1]);
    const char *reversed[] = {parts[1], parts[0]};
    expect_refused(reversed, 2, NQ_LEDGER_DAMAGED, parts[1]);
    cr_assert_eq(remove(parts[1]), 0);
    record("b", 2, 2);
    run_sql(parts[1], "UPDATE run SET threads = threads + 1");
    expect_refused(parts, 2, NQ_LEDGER_DAMAGED, parts[1]);
}

/* The row's checksum is right, but the job has no such unit. */
Test(merge, of_units_that_the_job_does_not_have_is_refused) {
    const char *file = record("a", 1, 2);
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    const struct row row = {.value = {[UNIT_ID] = {.number = UNITS}}};
    cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
    cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK);
    nqi_ledger_close(ledger);
    expect_refused(&file, 1, NQ_LEDGER_DAMAGED, file);
}

Test(merge, of_nothing_is_refused) {
    expect_refused(NULL, 0, NQ_LEDGER_IO, "nothing to merge");
    const char *empty = in_folder("empty");
    write_bytes(empty, "", 0);
    expect_refused(&empty, 1, NQ_LEDGER_IO, "nothing to merge");
}

/* Neither an empty file, nor another one, nor a copy of an input, nor the input itself. */
Test(merge, never_overwrites_a_file) {
    const char *part = record("a", 1, 2), *output = in_folder("output");
    const char *const contents[] = {"", "precious"};
    for (int i = 0; i < 3; i++) {
        if (i < 2)
            write_bytes(output, contents[i], strlen(contents[i]));
        else
            copy_file(part, output);
        struct bytes before = bytes_of(output);
        cr_expect_eq(merge(&part, 1), NQ_LEDGER_IO);
        cr_expect_not_null(strstr(nq_error_message(), output), "%s", nq_error_message());
        cr_expect(unchanged(output, before));
    }
    struct bytes before = bytes_of(part);
    cr_expect_eq(nqi_ledger_merge(&part, 1, part), NQ_LEDGER_IO);
    cr_expect(unchanged(part, before));
    cr_expect_eq(nqi_ledger_merge(&part, 1, in_folder("none/output")), NQ_LEDGER_IO);
    cr_expect_str_not_empty(nq_error_message());
}

Test(merge, reads_what_is_committed_of_a_ledger_in_use) {
    const char *parts[] = {record("a", 1, 2), record("b", 2, 2)};
    struct holder holder = hold(parts[0], NULL);
    expect_merged(parts, 2);
    cr_expect_eq(info.units_done, UNITS);
    holder_end(&holder);
}

/* This version does not know the units' weights, so there is no sum of solutions. */
Test(merge, joins_units_of_an_unknown_version) {
    const char *parts[2];
    const struct partition job = {
        .method = "search", .n = 8, .plan = "cross", .plan_version = 99, .unit_count = 4};
    for (int i = 0; i < 2; i++) {
        parts[i] = in_folder(i == 0 ? "a" : "b");
        struct ledger *ledger = open_ok(parts[i], LEDGER_CREATE);
        cr_assert_eq(nqi_ledger_set_job(ledger, &job, &failure), NQ_OK);
        const struct row row = {.value = {[UNIT_ID] = {.number = 1 + i}}};
        cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
        cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK);
        nqi_ledger_close(ledger);
    }
    expect_merged(parts, 2);
    cr_expect(!info.current && info.plan_version == 99 && info.units_done == 2 &&
              info.solutions == 0);
    cr_expect_float_eq(info.share, 0.5, 1e-12);
}
