/* nqi_ledger_show: what it reports of a ledger, and that it refuses damaged ones. */
#include "ledger/show.h"
#include "jobs.h"
#include "ledgers.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(show, .init = folder_make, .fini = folder_remove);

static struct ledger_info info;

static nq_status show(const char *file, struct ledger_host *hosts, size_t capacity) {
    memset(&info, 0x5a, sizeof info);
    return nqi_ledger_show(file, &info, hosts, capacity);
}

static void expect_shown(const char *file) {
    struct bytes before = bytes_of(file);
    nq_status status = show(file, NULL, 0);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_str_empty(nq_error_message());
    cr_expect(unchanged(file, before), "reading writes nothing");
}

static void expect_refused(const char *file, nq_status expected, const char *why) {
    nq_status status = show(file, NULL, 0);
    cr_expect_eq(status, expected, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_not_null(strstr(nq_error_message(), file), "%s", nq_error_message());
    cr_expect_not_null(strstr(nq_error_message(), why), "%s", nq_error_message());
}

/* n = 10, plan rows: 36 units. */
enum { N = 10, UNITS = 36 };

static const char *record(int shard, int shards) {
    const char *file = in_folder("file");
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = 2,
                                .plan = "rows",
                                .depth = 2,
                                .shard = shard,
                                .shards = shards,
                                .ledger = file};
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(N, &options, &result), NQ_OK, "%s", nq_error_message());
    return file;
}

Test(show, reports_a_part_of_the_units) {
    int64_t before = (int64_t)time(NULL);
    const char *file = record(1, 4);
    nq_result part = NQ_RESULT_INIT;
    const nq_options options = {
        .size = sizeof(nq_options), .plan = "rows", .depth = 2, .shard = 1, .shards = 4};
    cr_assert_eq(nq_count_solutions(N, &options, &part), NQ_OK);
    expect_shown(file);
    cr_expect(info.n == N && info.current && info.units == UNITS && info.units_done == 9);
    cr_expect_str_eq(info.method, "search");
    cr_expect_str_eq(info.plan, "rows");
    cr_expect(info.depth == 2 && info.plan_version >= 1);
    cr_expect(info.solutions == part.solutions && info.work == part.work);
    cr_expect_eq(info.verdict, NQ_UNVERIFIED);
    cr_expect_float_eq(info.share, 0.25, 1e-12);
    cr_expect(info.runs == 1 && info.runs_open == 0 && info.runs_killed == 0);
    cr_expect(info.seconds > 0 && info.thread_seconds > 0);
    cr_expect_float_eq(info.remaining, info.seconds * 3, info.seconds * 1e-9);
    struct ledger_host host[2];
    memset(host, 0x5a, sizeof host);
    cr_expect_eq(show(file, host, 2), NQ_OK);
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    name[64] = '\0';
    cr_expect_eq(info.hosts, 1);
    cr_expect_str_eq(host[0].name, name);
    cr_expect_eq(host[0].units, 9);
    cr_expect_float_eq(host[0].thread_seconds, info.thread_seconds, 1e-9);
    cr_expect(host[0].last >= before && host[0].last <= (int64_t)time(NULL));
    cr_expect_eq(host[1].name[0], 0x5a);
}

/* Some units have much more expected work than others. */
Test(show, weighs_the_share_by_expected_work) {
    const char *file = in_folder("file");
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(
        nq_count_solutions(
            13,
            &(nq_options){.size = sizeof(nq_options), .shard = 1, .shards = 2, .ledger = file},
            &result),
        NQ_OK);
    expect_shown(file);
    cr_expect(info.share > 0.3 && info.share < 0.7, "%g", info.share);
    struct partition *partition = open_partition(13, NULL, 0);
    uint64_t done = 0, all = 0;
    for (uint64_t id = 0; id < partition->unit_count; id++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM unit WHERE id = %" PRIu64, id);
        all += partition->units[id].cost;
        if (ask_sql(file, sql) == 1)
            done += partition->units[id].cost;
    }
    partition_close(partition);
    cr_expect_float_eq(info.share, (double)done / (double)all, 1e-9);
    cr_expect_float_eq(info.remaining, info.seconds * (double)(all - done) / (double)done,
                       info.remaining * 1e-9);
}

Test(show, reports_a_complete_ledger) {
    const char *file = record(1, 3);
    record(0, 0);
    expect_shown(file);
    cr_expect(info.units_done == UNITS && info.solutions == published[N] &&
              info.verdict == NQ_VERIFIED && info.runs == 2);
    cr_expect(info.share == 1 && info.remaining == 0, "%g, %g", info.share, info.remaining);
}

/* Every checksum is right, but the total is not. */
Test(show, reports_a_wrong_total) {
    const char *file = record(0, 0);
    falsify(file, TABLE_UNIT, 5, UNIT_SOLUTIONS,
            ask_sql(file, "SELECT solutions FROM unit WHERE id = 5") + 1);
    cr_expect_eq(show(file, NULL, 0), NQ_MISMATCH);
    cr_expect(info.verdict == NQ_WRONG && info.solutions == published[N] + 2,
              "of weight 2: %" PRIu64, info.solutions);
    cr_expect_not_null(strstr(nq_error_message(), "known total is 724"), "%s",
                       nq_error_message());
}

Test(show, lists_hosts_by_units_then_by_name) {
    const char *file = record(1, 2);
    static const char *const names[] = {"b", "c", "a", "c", "d", "c", "a", "a", "b"};
    int64_t unit = -1;
    for (int i = 0; i < 18; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT min(id) FROM unit WHERE id > %" PRId64, unit);
        unit = ask_sql(file, sql);
        falsify_text(file, TABLE_UNIT, unit, UNIT_HOST, names[i / 2]);
        falsify(file, TABLE_UNIT, unit, UNIT_NANOSECONDS, 500000000);
        falsify(file, TABLE_UNIT, unit, UNIT_TIME, 1000 + i * 7 % 18);
    }
    struct ledger_host host[6];
    memset(host, 0x5a, sizeof host);
    cr_expect_eq(show(file, host, 6), NQ_OK, "%s", nq_error_message());
    cr_assert_eq(info.hosts, 4);
    static const char *const order[] = {"a", "c", "b", "d"};
    static const uint64_t units[] = {6, 6, 4, 2};
    for (int i = 0; i < 4; i++) {
        int64_t last = 0;
        for (int u = 0; u < 18; u++)
            if (strcmp(names[u / 2], order[i]) == 0 && 1000 + u * 7 % 18 > last)
                last = 1000 + u * 7 % 18;
        cr_expect_str_eq(host[i].name, order[i]);
        cr_expect_eq(host[i].units, units[i], "%s", order[i]);
        cr_expect_float_eq(host[i].thread_seconds, 0.5 * (double)units[i], 1e-9);
        cr_expect_eq(host[i].last, last, "%s", order[i]);
    }
    cr_expect_eq(host[4].name[0], 0x5a);
    memset(host, 0x5a, sizeof host);
    cr_expect_eq(show(file, host, 1), NQ_OK);
    cr_expect_eq(info.hosts, 4, "all hosts are counted, whatever the room");
    cr_expect_str_eq(host[0].name, "a");
    cr_expect_eq(host[1].name[0], 0x5a);
}

Test(show, tells_open_and_killed_runs_apart) {
    const char *file = record(1, 3);
    int64_t run = ask_sql(file, "SELECT id FROM run");
    falsify(file, TABLE_RUN, run, RUN_NANOSECONDS, 2500000000);
    expect_shown(file);
    cr_expect_float_eq(info.seconds, 2.5, 1e-9);
    falsify(file, TABLE_RUN, run, RUN_STATE, RUN_OPEN);
    expect_shown(file);
    cr_expect(info.runs == 1 && info.runs_open == 1 && info.runs_killed == 0);
    record(2, 3);
    expect_shown(file);
    cr_expect(info.runs == 2 && info.runs_open == 0 && info.runs_killed == 1);
}

Test(show, reads_a_ledger_in_use) {
    const char *file = record(1, 2);
    struct holder holder = hold(file, NULL);
    cr_expect_eq(show(file, NULL, 0), NQ_OK, "%s", nq_error_message());
    cr_expect_eq(info.units_done, UNITS / 2);
    holder_end(&holder);
}

/* Of units that this version would make differently, it only knows the number. */
Test(show, counts_units_of_unknown_plans_and_versions) {
    const struct partition jobs[] = {
        {.method = "search", .n = 8, .plan = "cross", .plan_version = 99, .unit_count = 4},
        {.method = "search", .n = 8, .plan = "cross", .plan_version = 2, .unit_count = 8},
        {.method = "search", .n = 8, .plan = "spiral", .plan_version = 1, .unit_count = 4},
        {.method = "search",
         .n = 8,
         .plan = "rows",
         .depth = 9,
         .plan_version = 1,
         .unit_count = 4},
        {.method = "guess", .n = 8, .plan = "cross", .plan_version = 2, .unit_count = 4}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const char *file = in_folder("file");
        struct ledger *ledger = open_ok(file, LEDGER_CREATE);
        cr_assert_eq(nqi_ledger_set_job(ledger, &jobs[i], &failure), NQ_OK);
        struct row row = {.value = {[UNIT_SOLUTIONS] = {.number = 3},
                                    [UNIT_WORK] = {.number = 10},
                                    [UNIT_HOST] = {.text = "here"}}};
        for (row.value[UNIT_ID].number = 0; row.value[UNIT_ID].number < 4;
             row.value[UNIT_ID].number++)
            cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
        cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK);
        nqi_ledger_close(ledger);
        expect_shown(file);
        cr_expect(!info.current && info.solutions == 0 && info.verdict == NQ_UNVERIFIED, "%zu",
                  i);
        cr_expect_str_eq(info.plan, jobs[i].plan);
        cr_expect_str_eq(info.method, jobs[i].method);
        cr_expect(info.units_done == 4 && info.work == 40 && info.hosts == 1, "%zu", i);
        cr_expect_float_eq(info.share, 4 / (double)info.units, 1e-12, "%zu", i);
        cr_assert_eq(remove(file), 0);
    }
}

Test(show, refuses_files_without_a_ledger) {
    const char *file = in_folder("file");
    expect_refused(file, NQ_LEDGER_IO, "No such file");
    cr_expect_eq(files_in_folder(), 0);
    write_bytes(file, "", 0);
    expect_refused(file, NQ_LEDGER_IO, "nothing in it yet");
    write_bytes(file, "a text", 6);
    expect_refused(file, NQ_LEDGER_DAMAGED, "not an SQLite file");
    cr_assert_eq(remove(file), 0);
    expect_refused(folder(), NQ_LEDGER_IO, "not a regular file");
}

Test(show, refuses_damaged_rows) {
    const char *file = record(0, 0);
    const char *const changes[] = {"UPDATE unit SET solutions = solutions + 1 WHERE id = 20",
                                   "UPDATE unit SET id = 100 WHERE id = 20",
                                   "UPDATE unit SET time = time - 1 WHERE id = 35",
                                   "UPDATE unit SET checksum = 0 WHERE id = 0",
                                   "UPDATE run SET state = 2",
                                   "UPDATE job SET units = 35"};
    const char *const named[] = {"unit 20", "unit 100", "unit 35", "unit 0", "run ", "job 1"};
    copy_file(file, in_folder("copy"));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        run_sql(file, changes[i]);
        expect_refused(file, NQ_LEDGER_DAMAGED, named[i]);
        copy_file(in_folder("copy"), file);
    }
}

/* The checksums are right. */
Test(show, refuses_negative_results) {
    const char *file = record(1, 2);
    copy_file(file, in_folder("copy"));
    static const int columns[] = {UNIT_SOLUTIONS, UNIT_WORK};
    for (int i = 0; i < 2; i++) {
        falsify(file, TABLE_UNIT, ask_sql(file, "SELECT max(id) FROM unit"), columns[i], -1);
        expect_refused(file, NQ_LEDGER_DAMAGED, "");
        copy_file(in_folder("copy"), file);
    }
}

/* Changes one bit at a time: the file must be refused, or hold the same as before. */
Test(show, refuses_a_changed_bit_that_matters) {
    const char *file = record(1, 2);
    struct bytes bytes = bytes_of(file);
    expect_shown(file);
    struct ledger_info whole = info;
    int taken = 0, refused = 0;
    for (size_t i = 0; i < bytes.count; i += i < 100 ? 1 : 23) {
        unsigned char before = bytes.byte[i];
        bytes.byte[i] ^= (unsigned char)(1 << i % 8);
        write_bytes(file, bytes.byte, bytes.count);
        bytes.byte[i] = before;
        if (show(file, NULL, 0) != NQ_OK) {
            cr_expect_str_not_empty(nq_error_message(), "byte %zu", i);
            refused++;
            continue;
        }
        taken++;
        cr_expect_eq(ask_sql(file, "SELECT quick_check = 'ok' FROM pragma_quick_check"), 1,
                     "byte %zu: its structure is damaged", i);
        cr_expect(info.n == whole.n && info.units == whole.units &&
                      info.units_done == whole.units_done &&
                      info.solutions == whole.solutions && info.work == whole.work &&
                      info.runs == whole.runs && info.hosts == whole.hosts &&
                      info.seconds == whole.seconds,
                  "byte %zu: %" PRIu64 " units", i, info.units_done);
    }
    cr_expect(refused > 50 && taken > 50, "%d refused, %d taken", refused, taken);
    cr_expect_eq(files_in_folder(), 1);
    free(bytes.byte);
}

Test(show, refuses_a_file_that_is_cut_off) {
    const char *file = record(0, 0);
    struct bytes bytes = bytes_of(file);
    for (size_t count = 1; count < bytes.count; count += 997) {
        write_bytes(file, bytes.byte, count);
        cr_expect_neq(show(file, NULL, 0), NQ_OK, "%zu bytes", count);
        cr_expect_str_not_empty(nq_error_message());
    }
    free(bytes.byte);
}
