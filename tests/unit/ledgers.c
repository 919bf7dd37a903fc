/* SPDX-License-Identifier: MIT */
#include "ledgers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static sqlite3 *open_raw(const char *file) {
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK, "%s", file);
    sqlite3_busy_timeout(db, 5000);
    cr_assert_eq(sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

void run_sql(const char *file, const char *sql) {
    sqlite3 *db = open_raw(file);
    char *error = NULL;
    int code = sqlite3_exec(db, sql, NULL, NULL, &error);
    cr_assert_eq(code, SQLITE_OK, "%s: %s", sql, error);
    sqlite3_close(db);
}

int64_t ask_sql(const char *file, const char *sql) {
    sqlite3 *db = open_raw(file);
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(db));
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

/* The row with that id. */
static struct row row_in(sqlite3 *db, enum table_id table, const struct job_text *job,
                         int64_t id) {
    struct row row;
    sqlite3_stmt *select;
    cr_assert_eq(sqlite3_prepare_v2(db, nqi_table_sql(table)->select, -1, &select, NULL),
                 SQLITE_OK);
    do {
        cr_assert_eq(sqlite3_step(select), SQLITE_ROW, "no %s %lld", nqi_table_name(table),
                     (long long)id);
        cr_assert(nqi_row_read(select, table, job, &row));
    } while (row.value[0].number != id);
    sqlite3_finalize(select);
    return row;
}

static void rewrite(const char *file, enum table_id table, int64_t id, int column,
                    const struct value *value) {
    sqlite3 *db = open_raw(file);
    struct job_text job;
    struct row row = row_in(db, TABLE_JOB, NULL, 1);
    nqi_job_text_of(&row, &job);
    if (table != TABLE_JOB)
        row = row_in(db, table, &job, id);
    cr_assert_neq(column, 0, "a row is found by its id");
    row.value[column] = *value;
    char sql[64];
    sqlite3_stmt *insert;
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE id = %lld", nqi_table_name(table),
             (long long)row.value[0].number);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, nqi_table_sql(table)->insert, -1, &insert, NULL),
                 SQLITE_OK);
    cr_assert_eq(nqi_row_bind(insert, table, table == TABLE_JOB ? NULL : &job, &row),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_step(insert), SQLITE_DONE, "%s", sqlite3_errmsg(db));
    sqlite3_finalize(insert);
    sqlite3_close(db);
}

void falsify(const char *file, enum table_id table, int64_t id, int column, int64_t number) {
    rewrite(file, table, id, column, &(struct value){.number = number});
}

void falsify_text(const char *file, enum table_id table, int64_t id, int column,
                  const char *text) {
    struct value value = {0};
    snprintf(value.text, sizeof value.text, "%s", text);
    rewrite(file, table, id, column, &value);
}

struct failure failure;

const struct partition made_up_job = {.job.method = "fake",
                                      .job.n = 9,
                                      .job.plan = "made up",
                                      .job.plan_version = 3,
                                      .job.depth = 2,
                                      .job.units = 100000};

struct ledger *open_ok(const char *file, enum ledger_use use) {
    struct ledger *ledger;
    nq_status status = nqi_ledger_open(file, use, &ledger, &failure);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), failure.text);
    cr_expect_str_empty(failure.text);
    cr_expect_str_eq(nqi_ledger_file(ledger), file);
    return ledger;
}

nq_status add_unit(struct ledger *ledger, int64_t id) {
    const struct row row = {.value = {[UNIT_ID] = {.number = id},
                                      [UNIT_SOLUTIONS] = {.number = 5 * id},
                                      [UNIT_WORK] = {.number = 7 * id},
                                      [UNIT_KERNEL] = {.text = "fake"},
                                      [UNIT_HOST] = {.text = "here"}}};
    return nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure);
}

nq_status commit(struct ledger *ledger) {
    nq_status status = nqi_ledger_commit(ledger, &failure);
    return status == NQ_OK ? nqi_ledger_resume(ledger, &failure) : status;
}

void fill(struct ledger *ledger) {
    cr_assert_eq(nqi_ledger_match_job(ledger, &made_up_job.job, &failure), NQ_OK, "%s",
                 failure.text);
    for (int64_t id = 0; id < 9; id += 3)
        cr_assert_eq(add_unit(ledger, id), NQ_OK, "%s", failure.text);
}

const char *make_ledger_of(const struct partition *job, const char *name, int64_t first,
                           int64_t end) {
    const char *file = in_folder(name);
    struct ledger *ledger = open_ok(file, LEDGER_CREATE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &job->job, &failure), NQ_OK, "%s", failure.text);
    for (int64_t id = first; id < end; id++)
        cr_assert_eq(add_unit(ledger, id), NQ_OK, "%s", failure.text);
    cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK, "%s", failure.text);
    nqi_ledger_close(ledger);
    return file;
}

const char *make_ledger(const char *name) {
    const char *file = in_folder(name);
    struct ledger *ledger = open_ok(file, LEDGER_CREATE);
    fill(ledger);
    cr_assert_eq(commit(ledger), NQ_OK, "%s", failure.text);
    nqi_ledger_close(ledger);
    return file;
}

static nq_status count_one(void *context, const struct row *row) {
    (void)row;
    ++*(int *)context;
    return NQ_OK;
}

int rows_in(struct ledger *ledger, enum table_id table) {
    int count = 0;
    cr_assert_eq(nqi_ledger_each(ledger, table, count_one, &count, &failure), NQ_OK, "%s",
                 failure.text);
    return count;
}

void expect_failure(nq_status status, nq_status expected, const char *named) {
    cr_expect_eq(status, expected, "%s: %s, '%s'", named, nq_status_text(status), failure.text);
    cr_expect_not_null(strstr(failure.text, named), "'%s' lacks '%s'", failure.text, named);
    failure.text[0] = '\0';
}

void expect_not_opened(const char *file, enum ledger_use use, nq_status expected,
                       const char *why) {
    struct ledger *ledger = (struct ledger *)failure.text;
    const nq_status status = nqi_ledger_open(file, use, &ledger, &failure);
    char name[101];
    snprintf(name, sizeof name, "%.100s", file);
    cr_expect_not_null(strstr(failure.text, name), "%s", failure.text);
    expect_failure(status, expected, why);
    cr_expect_null(ledger);
    nqi_ledger_close(ledger);
}
