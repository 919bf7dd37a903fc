/* SPDX-License-Identifier: MIT */
/* nqi_ledger_show: what it reports of a ledger, and that it refuses damaged ones. */
#include "counts.h"
#include "jobs.h"
#include "ledger/ledger.h"
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
