/* SPDX-License-Identifier: MIT */
/* Rows of a ledger and their checksums: a row is taken only exactly as it was written. */
#include "ledger/table.h"
#include "length.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const struct row job_row = {.value = {[JOB_ID] = {.number = 1},
                                             [JOB_N] = {.number = 18},
                                             [JOB_METHOD] = {.text = "search"},
                                             [JOB_PLAN] = {.text = "cross"},
                                             [JOB_VERSION] = {.number = 2},
                                             [JOB_DEPTH] = {.number = 0},
                                             [JOB_UNITS] = {.number = 1733}}};
static const struct row run_row = {.value = {[RUN_ID] = {.number = 77},
                                             [RUN_HOST] = {.text = "vm"},
                                             [RUN_PROCESS] = {.number = 4321},
                                             [RUN_STARTED] = {.number = 1763734536},
                                             [RUN_NANOSECONDS] = {.number = 5000000001},
                                             [RUN_THREADS] = {.number = 8},
                                             [RUN_KERNEL] = {.text = "avx2"},
                                             [RUN_PROGRAM] = {.text = "0.1.0"},
                                             [RUN_STATE] = {.number = RUN_ENDED}}};
static const struct row unit_row = {.value = {[UNIT_ID] = {.number = 17},
                                              [UNIT_SOLUTIONS] = {.number = 372992},
                                              [UNIT_WORK] = {.number = 1064448},
                                              [UNIT_KERNEL] = {.text = "avx512"},
                                              [UNIT_NANOSECONDS] = {.number = 655360},
                                              [UNIT_HOST] = {.text = "vm"},
                                              [UNIT_TIME] = {.number = 1763734536}}};
static const struct row *const whole[TABLES] = {&job_row, &run_row, &unit_row};

/* The texts of these rows, written by hand as docs/ledger.md says. */
static const char *const canonical[TABLES] = {
    "job|1|18|6:search|5:cross|2|0|1733",
    "run|1|18|6:search|5:cross|2|0|1733|77|2:vm|4321|1763734536|5000000001|8|4:avx2|5:0.1.0|1",
    "unit|1|18|6:search|5:cross|2|0|1733|17|372992|1064448|6:avx512|655360|2:vm|1763734536"};

static struct job_text job;
static sqlite3 *db;

static void open_db(void) {
    nqi_job_text_of(&job_row, &job);
    cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
}

static void close_db(void) {
    cr_expect_eq(sqlite3_close(db), SQLITE_OK, "a statement was left");
}

TestSuite(table, .init = open_db, .fini = close_db);

static void run_sql(const char *sql) {
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
}

/* Makes a table and writes a row to it. */
static void put(enum table_id table, const struct row *row) {
    const char *sql = nqi_table_sql(table)->insert;
    sqlite3_stmt *insert;
    run_sql(nqi_table_sql(table)->schema);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &insert, NULL), SQLITE_OK, "%s", sql);
    cr_assert_eq(nqi_row_bind(insert, table, table == TABLE_JOB ? NULL : &job, row), SQLITE_OK);
    cr_assert_eq(sqlite3_step(insert), SQLITE_DONE, "%s", sqlite3_errmsg(db));
    sqlite3_finalize(insert);
}

/* Whether nqi_row_read takes what a statement yields. */
static bool takes(const char *sql, enum table_id table, const struct job_text *of,
                  struct row *row) {
    sqlite3_stmt *select;
    memset(row, 0x5a, sizeof *row);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &select, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(select), SQLITE_ROW, "%s", sql);
    bool taken = nqi_row_read(select, table, table == TABLE_JOB ? NULL : of, row);
    sqlite3_finalize(select);
    return taken;
}

static bool stored_is_taken(enum table_id table, struct row *row) {
    return takes(nqi_table_sql(table)->select, table, &job, row);
}

static int columns_of(enum table_id table) {
    return table == TABLE_JOB ? JOB_COLUMNS : table == TABLE_RUN ? RUN_COLUMNS : UNIT_COLUMNS;
}

static void expect_same(enum table_id table, const struct row *a, const struct row *b) {
    for (int i = 0; i < columns_of(table); i++)
        if (b->value[i].text[0] == '\0' && a->value[i].text[0] == 0x5a)
            cr_expect_eq(a->value[i].number, b->value[i].number, "%s, column %d",
                         nqi_table_name(table), i);
        else
            cr_expect_str_eq(a->value[i].text, b->value[i].text, "%s, column %d",
                             nqi_table_name(table), i);
}

/* The checksum is that of the text written by hand. */
Test(table, a_row_comes_back_as_it_was) {
    for (enum table_id table = 0; table < TABLES; table++) {
        struct row row;
        char sql[128];
        put(table, whole[table]);
        cr_assert(stored_is_taken(table, &row), "%s", canonical[table]);
        expect_same(table, &row, whole[table]);
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE checksum = %" PRId64,
                 nqi_table_name(table),
                 (int64_t)XXH64(canonical[table], strlen(canonical[table]), 0));
        run_sql(sql);
        cr_expect_eq(sqlite3_changes(db), 1, "%s", canonical[table]);
    }
}

/* Applies an UPDATE to a whole row, which must then be refused. */
static void expect_refused_after(enum table_id table, const char *change) {
    char sql[256];
    struct row row;
    run_sql("SAVEPOINT whole");
    snprintf(sql, sizeof sql, "UPDATE %s SET %s", nqi_table_name(table), change);
    run_sql(sql);
    cr_assert_eq(sqlite3_changes(db), 1, "%s", sql);
    cr_expect_not(stored_is_taken(table, &row), "%s", sql);
    run_sql("ROLLBACK TO whole");
    cr_assert(stored_is_taken(table, &row));
}

static const char *const names[TABLES][MAX_COLUMNS + 1] = {
    {"id", "n", "method", "plan", "plan_version", "depth", "units", "checksum"},
    {"id", "host", "process", "started", "nanoseconds", "threads", "kernel", "program", "state",
     "checksum"},
    {"id", "solutions", "work", "kernel", "nanoseconds", "host", "time", "checksum"}};

Test(table, a_change_of_any_column_is_refused) {
    const char *const to_numbers[] = {"%s = %s + 1", "%s = %s * -1 - 1", "%s = %s + (1 << 62)"};
    const char *const to_texts[] = {"%s = %s || ' '", "%s = '' -- %s", "%s = substr(%s, 2)"};
    for (enum table_id table = 0; table < TABLES; table++) {
        put(table, whole[table]);
        for (int i = 0; i <= columns_of(table); i++)
            for (size_t c = 0; c < LENGTH(to_texts); c++) {
                const bool text =
                    i < columns_of(table) && whole[table]->value[i].text[0] != '\0';
                char change[128];
                snprintf(change, sizeof change, text ? to_texts[c] : to_numbers[c],
                         names[table][i], names[table][i]);
                expect_refused_after(table, change);
            }
    }
}
