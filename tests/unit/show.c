/* nqi_ledger_show: what it reports of a ledger, and that it refuses damaged ones. */
#include "ledger/show.h"
#include "counts.h"
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
    expect_status(show(file, NULL, 0), NQ_OK, file);
    cr_expect(unchanged(file, before), "reading writes nothing");
}

static void expect_not_shown(const char *file, nq_status expected, const char *why) {
    expect_status(show(file, NULL, 0), expected, why);
    cr_expect_not_null(strstr(nq_error_message(), file), "%s", nq_error_message());
}

/* n = 10, plan rows: 36 units. */
enum { N = 10, UNITS = 36 };

static nq_result count_rows(int shard, int shards, const char *file) {
    return count_ok(N, OPTIONS(.threads = 2, .plan = "rows", .depth = 2, .shard = shard,
                               .shards = shards, .ledger = file));
}

static const char *record(int shard, int shards) {
    const char *file = in_folder("file");
    count_rows(shard, shards, file);
    return file;
}

Test(show, reports_a_part_of_the_units) {
    const int64_t before = (int64_t)time(NULL);
    const char *file = record(1, 4);
    const nq_result part = count_rows(1, 4, NULL);
    struct ledger_host host;
    char name[65] = "";
    expect_shown(file);
    expect_status(show(file, &host, 1), NQ_OK, file);
    cr_expect(info.job.n == N && info.current && info.job.units == UNITS &&
              info.units_done == 9 && info.job.depth == 2 && info.job.plan_version >= 1 &&
              info.solutions == part.solutions && info.work == part.work &&
              info.verdict == NQ_UNVERIFIED && info.share == 0.25);
    cr_expect_str_eq(info.job.method, "search");
    cr_expect_str_eq(info.job.plan, "rows");
    cr_expect(info.runs == 1 && info.runs_open == 0 && info.runs_killed == 0);
    cr_expect(info.seconds > 0 && info.thread_seconds > 0);
    cr_expect_float_eq(info.remaining, info.seconds * 3, info.seconds * 1e-9);
    gethostname(name, sizeof name - 1);
    cr_expect_str_eq(host.name, name);
    cr_expect(info.hosts == 1 && host.units == 9 && host.last >= before &&
              host.last <= (int64_t)time(NULL));
    cr_expect_float_eq(host.thread_seconds, info.thread_seconds, 1e-9);
    count_rows(0, 0, file);
    expect_shown(file);
    cr_expect(info.units_done == UNITS && info.solutions == published[N] &&
              info.verdict == NQ_VERIFIED && info.runs == 2 && info.share == 1 &&
              info.remaining == 0);
}

/* Some units have much more expected work than others. */
Test(show, weighs_the_share_by_expected_work) {
    const char *file = in_folder("file");
    count_ok(13, OPTIONS(.plan = "cross", .shard = 1, .shards = 2, .ledger = file));
    expect_shown(file);
    struct partition *partition = open_partition(13, "cross", 0);
    uint64_t done = 0, all = 0;
    for (uint64_t id = 0; id < partition->job.units; id++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM unit WHERE id = %" PRIu64, id);
        all += partition->units[id].cost;
        done += ask_sql(file, sql) == 1 ? partition->units[id].cost : 0;
    }
    partition_close(partition);
    cr_expect_float_eq(info.share, (double)done / (double)all, 1e-9);
    cr_expect_float_eq(info.remaining, info.seconds * (double)(all - done) / (double)done,
                       info.remaining * 1e-9);
}

/* Every checksum is right, but the total is not. */
Test(show, reports_a_wrong_total) {
    const char *file = record(0, 0);
    falsify(file, TABLE_UNIT, 5, UNIT_SOLUTIONS,
            ask_sql(file, "SELECT solutions FROM unit WHERE id = 5") + 1);
    expect_status(show(file, NULL, 0), NQ_MISMATCH, "724");
    cr_expect(info.verdict == NQ_WRONG && info.solutions == published[N] + 2,
              "of weight 2: %" PRIu64, info.solutions);
    falsify(file, TABLE_UNIT, 5, UNIT_SOLUTIONS, -1);
    expect_not_shown(file, NQ_LEDGER_DAMAGED, "");
}

/* All hosts are counted, whatever the room. */
Test(show, lists_hosts_by_units_then_by_name) {
    static const char *const names[] = {"b", "c", "a", "c", "d", "c", "a", "a", "b"};
    static const struct {
        const char *name;
        uint64_t units;
        int64_t last;
    } order[] = {{"a", 3, 1007}, {"c", 3, 1005}, {"b", 2, 1008}, {"d", 1, 1004}};
    const char *file = record(1, 4);
    int64_t unit = -1;
    for (int i = 0; i < 9; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT min(id) FROM unit WHERE id > %" PRId64, unit);
        unit = ask_sql(file, sql);
        falsify_text(file, TABLE_UNIT, unit, UNIT_HOST, names[i]);
        falsify(file, TABLE_UNIT, unit, UNIT_NANOSECONDS, 500000000);
        falsify(file, TABLE_UNIT, unit, UNIT_TIME, 1000 + i);
    }
    for (size_t capacity = 0; capacity <= 5; capacity++) {
        struct ledger_host host[6];
        memset(host, 0x5a, sizeof host);
        expect_status(show(file, host, capacity), NQ_OK, file);
        cr_assert_eq(info.hosts, 4);
        for (size_t i = 0; i < 4 && i < capacity; i++) {
            cr_expect_str_eq(host[i].name, order[i].name);
            cr_expect(host[i].units == order[i].units && host[i].last == order[i].last, "%zu",
                      i);
            cr_expect_float_eq(host[i].thread_seconds, 0.5 * (double)order[i].units, 1e-9);
        }
        cr_expect_eq(host[capacity < 4 ? capacity : 4].name[0], 0x5a);
    }
}

/* While another process writes, an open run is its own. */
Test(show, tells_open_and_killed_runs_apart) {
    const char *file = record(1, 3);
    const int64_t run = ask_sql(file, "SELECT id FROM run");
    falsify(file, TABLE_RUN, run, RUN_NANOSECONDS, 2500000000);
    falsify(file, TABLE_RUN, run, RUN_STATE, RUN_OPEN);
    struct holder holder = hold(file, NULL);
    expect_shown(file);
    holder_end(&holder);
    cr_expect(info.runs == 1 && info.runs_open == 1 && info.runs_killed == 0);
    cr_expect_float_eq(info.seconds, 2.5, 1e-9);
    record(2, 3);
    expect_shown(file);
    cr_expect(info.runs == 2 && info.runs_open == 0 && info.runs_killed == 1);
}

/* Of units that this version would make differently, it only knows the number. */
Test(show, counts_units_of_unknown_plans_and_versions) {
    const struct partition jobs[] = {{.job.method = "search",
                                      .job.n = 8,
                                      .job.plan = "cross",
                                      .job.plan_version = 99,
                                      .job.units = 4},
                                     {.job.method = "search",
                                      .job.n = 8,
                                      .job.plan = "cross",
                                      .job.plan_version = 2,
                                      .job.units = 8},
                                     {.job.method = "search",
                                      .job.n = 8,
                                      .job.plan = "spiral",
                                      .job.plan_version = 1,
                                      .job.units = 4},
                                     {.job.method = "guess",
                                      .job.n = 8,
                                      .job.plan = "cross",
                                      .job.plan_version = 2,
                                      .job.units = 4}};
    for (size_t i = 0; i < LENGTH(jobs); i++) {
        const char *file = make_ledger_of(&jobs[i], "file", 0, 4);
        expect_shown(file);
        cr_expect(!info.current && info.solutions == 0 && info.verdict == NQ_UNVERIFIED &&
                      info.units_done == 4 && info.work == 42 && info.hosts == 1 &&
                      info.share == 4 / (double)info.job.units,
                  "%zu", i);
        cr_expect_str_eq(info.job.plan, jobs[i].job.plan);
        cr_expect_str_eq(info.job.method, jobs[i].job.method);
        cr_assert_eq(remove(file), 0);
    }
}

Test(show, refuses_what_is_no_ledger_or_is_damaged) {
    static const struct {
        const char *change, *named;
    } changes[] = {{"UPDATE unit SET solutions = solutions + 1 WHERE id = 20", "unit 20"},
                   {"UPDATE unit SET id = 100 WHERE id = 20", "unit 100"},
                   {"UPDATE run SET state = 2", "run "},
                   {"UPDATE job SET units = 35", "job 1"}};
    const char *file = in_folder("file"), *copy = in_folder("copy");
    expect_not_shown(file, NQ_LEDGER_IO, "No such file");
    write_bytes(file, "", 0);
    expect_not_shown(file, NQ_LEDGER_IO, file);
    record(0, 0);
    copy_file(file, copy);
    for (size_t i = 0; i < LENGTH(changes); i++) {
        run_sql(file, changes[i].change);
        expect_not_shown(file, NQ_LEDGER_DAMAGED, changes[i].named);
        copy_file(copy, file);
    }
}

/* Changes one bit at a time, or cuts the file off: it must be refused, or hold the same as
 * before. */
Test(show, refuses_a_changed_bit_that_matters) {
    const char *file = record(1, 2);
    struct bytes bytes = bytes_of(file);
    expect_shown(file);
    const struct ledger_info whole = info;
    int taken = 0, refused = 0;
    for (size_t i = 0; i < bytes.count; i += i < 100 ? 1 : 37) {
        bytes.byte[i] ^= (unsigned char)(1 << i % 8);
        write_bytes(file, bytes.byte, bytes.count);
        bytes.byte[i] ^= (unsigned char)(1 << i % 8);
        if (show(file, NULL, 0) != NQ_OK) {
            refused++;
            continue;
        }
        taken++;
        cr_expect_eq(ask_sql(file, "SELECT quick_check = 'ok' FROM pragma_quick_check"), 1,
                     "byte %zu: its structure is damaged", i);
        cr_expect(info.job.n == whole.job.n && info.job.units == whole.job.units &&
                      info.units_done == whole.units_done &&
                      info.solutions == whole.solutions && info.work == whole.work &&
                      info.runs == whole.runs && info.hosts == whole.hosts &&
                      info.seconds == whole.seconds,
                  "byte %zu: %" PRIu64 " units", i, info.units_done);
    }
    cr_expect(refused > 50 && taken > 50, "%d refused, %d taken", refused, taken);
    for (size_t count = 1; count < bytes.count; count += 1997) {
        write_bytes(file, bytes.byte, count);
        cr_expect_neq(show(file, NULL, 0), NQ_OK, "%zu bytes", count);
    }
    free(bytes.byte);
}
