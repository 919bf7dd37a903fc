/* Rows of a ledger and their checksums: a row is taken only exactly as it was written. */
#include "ledger/table.h"

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

Test(table, a_row_comes_back_as_it_was) {
    for (int table = 0; table < TABLES; table++) {
        struct row row;
        put((enum table_id)table, whole[table]);
        cr_assert(stored_is_taken((enum table_id)table, &row), "%s", canonical[table]);
        expect_same((enum table_id)table, &row, whole[table]);
    }
}

Test(table, the_checksum_is_that_of_the_text_written_by_hand) {
    for (int table = 0; table < TABLES; table++) {
        char sql[128];
        sqlite3_stmt *select;
        put((enum table_id)table, whole[table]);
        snprintf(sql, sizeof sql, "SELECT checksum FROM %s",
                 nqi_table_name((enum table_id)table));
        cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &select, NULL), SQLITE_OK);
        cr_assert_eq(sqlite3_step(select), SQLITE_ROW);
        cr_expect_eq(sqlite3_column_type(select, 0), SQLITE_INTEGER);
        cr_expect_eq(sqlite3_column_int64(select, 0),
                     (int64_t)XXH64(canonical[table], strlen(canonical[table]), 0), "%s",
                     canonical[table]);
        sqlite3_finalize(select);
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
    const char *const to_numbers[] = {"+ 1", "- 1", "* -1 - 1", "+ (1 << 62)", "* 10 + 1"};
    const char *const to_texts[] = {"|| 'a'", "|| ' '", "|| '|'"};
    for (int table = 0; table < TABLES; table++) {
        put((enum table_id)table, whole[table]);
        for (int i = 0; i <= columns_of((enum table_id)table); i++) {
            bool text =
                i < columns_of((enum table_id)table) && whole[table]->value[i].text[0] != '\0';
            const char *const *changes = text ? to_texts : to_numbers;
            const char *name = names[table][i];
            char change[128];
            for (size_t c = 0; c < (text ? 3 : 5); c++) {
                snprintf(change, sizeof change, "%s = %s %s", name, name, changes[c]);
                expect_refused_after((enum table_id)table, change);
            }
            if (!text)
                continue;
            snprintf(change, sizeof change, "%s = ''", name);
            expect_refused_after((enum table_id)table, change);
            snprintf(change, sizeof change, "%s = upper(%s)", name, name);
            if (strpbrk(whole[table]->value[i].text, "abcdefghijklmnopqrstuvwxyz") != NULL)
                expect_refused_after((enum table_id)table, change);
            snprintf(change, sizeof change, "%s = substr(%s, 2)", name, name);
            expect_refused_after((enum table_id)table, change);
        }
    }
}

/* The same characters, divided among the columns in another way. */
Test(table, text_moved_to_another_column_is_refused) {
    put(TABLE_JOB, &job_row);
    expect_refused_after(TABLE_JOB, "method = 'searchc', plan = 'ross'");
    expect_refused_after(TABLE_JOB, "method = 'searchcross', plan = ''");
    expect_refused_after(TABLE_JOB, "method = plan, plan = method");
    expect_refused_after(TABLE_JOB, "method = 'search|5:cross', plan = ''");
    expect_refused_after(TABLE_JOB, "id = 11, n = 8");
    put(TABLE_RUN, &run_row);
    expect_refused_after(TABLE_RUN, "kernel = 'avx20', program = '.1.0'");
    expect_refused_after(TABLE_RUN, "kernel = 'avx', program = '20.1.0'");
    expect_refused_after(TABLE_RUN, "process = started, started = process");
    expect_refused_after(TABLE_RUN, "host = 'vm|4321', process = 1763734536");
    put(TABLE_UNIT, &unit_row);
    expect_refused_after(TABLE_UNIT, "solutions = work, work = solutions");
    expect_refused_after(TABLE_UNIT, "solutions = 37299, work = 21064448");
    expect_refused_after(TABLE_UNIT, "kernel = host, host = kernel");
}

/* Whether a row of these columns is taken, given the checksum of that text. */
static bool columns_are_taken(enum table_id table, const char *columns, const char *text) {
    char *sql;
    struct row row;
    cr_assert_gt(
        asprintf(&sql, "SELECT %s, %" PRId64, columns, (int64_t)XXH64(text, strlen(text), 0)),
        0);
    bool taken = takes(sql, table, &job, &row);
    free(sql);
    return taken;
}

#define UNIT_OF "unit|1|18|6:search|5:cross|2|0|1733"

/* The checksum is that of the value meant, so a row is refused for its type alone. */
Test(table, wrong_types_are_refused) {
    const char *text = UNIT_OF "|7|3|4|4:avx2|5|1:h|6";
    cr_assert(columns_are_taken(TABLE_UNIT, "7, 3, 4, 'avx2', 5, 'h', 6", text));
    const char *const wrong[] = {
        "7.0, 3, 4, 'avx2', 5, 'h', 6",
        "'7', 3, 4, 'avx2', 5, 'h', 6",
        "7, 3.0, 4, 'avx2', 5, 'h', 6",
        "7, '3', 4, 'avx2', 5, 'h', 6",
        "7, x'33', 4, 'avx2', 5, 'h', 6",
        "7, 3, 4.25, 'avx2', 5, 'h', 6",
        "7, 3, 4, x'61767832', 5, 'h', 6",
        "7, 3, 4, NULL, 5, 'h', 6",
        "7, 3, 4, 4, 5, 'h', 6",
        "7, 3, 4, 'avx2', 5.0, 'h', 6",
        "7, 3, 4, 'avx2', 5, x'68', 6",
        "7, 3, 4, 'avx2', 5, 'h', 6.0",
        "7, 3, 4, 'avx2', 5, 'h', '6'",
        "7, 3, 4, 'avx2', NULL, 'h', 6",
        "7, 3, 4, 'avx2', 5, 'h', x'3600'",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(columns_are_taken(TABLE_UNIT, wrong[i], text), "%s", wrong[i]);
    /* SQLite reads NULL as the number 0, or as an empty text. */
    cr_expect_not(columns_are_taken(TABLE_UNIT, "NULL, 3, 4, 'avx2', 5, 'h', 6",
                                    UNIT_OF "|0|3|4|4:avx2|5|1:h|6"));
    cr_expect_not(columns_are_taken(TABLE_UNIT, "7, NULL, 4, 'avx2', 5, 'h', 6",
                                    UNIT_OF "|7|0|4|4:avx2|5|1:h|6"));
    cr_expect_not(
        columns_are_taken(TABLE_UNIT, "7, 3, 4, NULL, 5, 'h', 6", UNIT_OF "|7|3|4|0:|5|1:h|6"));
}

Test(table, a_checksum_of_another_type_is_refused) {
    put(TABLE_UNIT, &unit_row);
    const char *const as[] = {"CAST(checksum AS REAL)", "CAST(checksum AS TEXT)",
                              "CAST(checksum AS BLOB)", "NULL"};
    struct row row;
    for (size_t i = 0; i < sizeof as / sizeof *as; i++) {
        char sql[256];
        snprintf(sql, sizeof sql,
                 "SELECT id, solutions, work, kernel, nanoseconds, host, time, %s FROM unit",
                 as[i]);
        cr_expect_not(takes(sql, TABLE_UNIT, &job, &row), "%s", as[i]);
    }
}

Test(table, texts_that_cannot_have_been_written_are_refused) {
    const char *text = UNIT_OF "|7|3|4|1:a|5|1:h|6";
    cr_assert(columns_are_taken(TABLE_UNIT, "7, 3, 4, 'a', 5, 'h', 6", text));
    cr_expect_not(columns_are_taken(TABLE_UNIT, "7, 3, 4, 'a' || char(0), 5, 'h', 6", text));
    cr_expect_not(
        columns_are_taken(TABLE_UNIT, "7, 3, 4, 'a' || char(0) || 'b', 5, 'h', 6", text));
    /* A text has 64 bytes at most. */
    for (int length = 63; length <= 66; length++) {
        char columns[256], long_text[256];
        snprintf(columns, sizeof columns, "7, 3, 4, '%0*d', 5, 'h', 6", length, 1);
        snprintf(long_text, sizeof long_text, UNIT_OF "|7|3|4|%d:%0*d|5|1:h|6", length, length,
                 1);
        cr_expect_eq(columns_are_taken(TABLE_UNIT, columns, long_text), length <= MAX_TEXT,
                     "%d bytes", length);
    }
    struct row row;
    cr_expect_not(takes("SELECT 7, 3, 4, printf('%.*c', 1000000, 'x'), 5, 'h', 6, 0",
                        TABLE_UNIT, &job, &row));
    cr_expect_eq(row.value[UNIT_ID].number, 7, "the id is for the message");
}

Test(table, a_row_of_another_job_is_refused) {
    struct row row;
    put(TABLE_UNIT, &unit_row);
    put(TABLE_RUN, &run_row);
    for (int column = 0; column < JOB_COLUMNS; column++) {
        struct row other = job_row;
        struct job_text text;
        if (other.value[column].text[0] != '\0')
            other.value[column].text[0]++;
        else
            other.value[column].number++;
        nqi_job_text_of(&other, &text);
        cr_expect_not(takes("SELECT * FROM unit", TABLE_UNIT, &text, &row), "column %d",
                      column);
        cr_expect_not(takes("SELECT * FROM run", TABLE_RUN, &text, &row), "column %d", column);
    }
    struct job_text none = {{0}};
    cr_expect_not(takes("SELECT * FROM unit", TABLE_UNIT, &none, &row));
    cr_expect(takes("SELECT * FROM unit", TABLE_UNIT, &job, &row));
    cr_expect(takes("SELECT * FROM run", TABLE_RUN, &job, &row));
}

/* The largest and smallest numbers and the longest texts in all columns at once: the buffers
 * must hold them, and the checksum must cover them. */
Test(table, a_row_of_extreme_values_comes_back_as_it_was) {
    const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, 0};
    for (int table = 0; table < TABLES; table++)
        for (size_t e = 0; e < sizeof extremes / sizeof *extremes; e++) {
            struct row row = *whole[table], other = *whole[TABLE_JOB], back;
            for (int i = 0; i < MAX_COLUMNS; i++) {
                for (struct row *r = &row; r != NULL; r = r == &row ? &other : NULL)
                    if (r->value[i].text[0] != '\0')
                        memset(r->value[i].text, 'x' + i % 3, MAX_TEXT);
                    else
                        r->value[i].number = extremes[e];
            }
            nqi_job_text_of(&other, &job);
            cr_assert_gt(strlen(job.text), 2u * MAX_TEXT);
            cr_assert_eq(job.text[strlen(job.text) - 1], extremes[e] == INT64_MIN   ? '8'
                                                         : extremes[e] == INT64_MAX ? '7'
                                                         : extremes[e] == 0         ? '0'
                                                                                    : '1');
            run_sql("SAVEPOINT empty");
            put((enum table_id)table, &row);
            cr_assert(stored_is_taken((enum table_id)table, &back), "%s %" PRId64,
                      canonical[table], extremes[e]);
            expect_same((enum table_id)table, &back, &row);
            int last = columns_of((enum table_id)table) - 1;
            char change[64];
            snprintf(change, sizeof change, "%s = %s / 3 + 5", names[table][last],
                     names[table][last]);
            expect_refused_after((enum table_id)table, change);
            run_sql("ROLLBACK TO empty");
        }
}

/* Inserts a row whose id is there. Returns SQLite's result code. */
static int put_again(enum table_id table, const struct row *row) {
    sqlite3_stmt *insert;
    cr_assert_eq(sqlite3_prepare_v2(db, nqi_table_sql(table)->insert, -1, &insert, NULL),
                 SQLITE_OK);
    cr_assert_eq(nqi_row_bind(insert, table, &job, row), SQLITE_OK);
    int code = sqlite3_step(insert);
    sqlite3_finalize(insert);
    return code;
}

Test(table, a_second_row_of_a_unit_is_refused) {
    put(TABLE_UNIT, &unit_row);
    struct row row = unit_row;
    row.value[UNIT_WORK].number = 5;
    cr_expect_eq(put_again(TABLE_UNIT, &row), SQLITE_CONSTRAINT);
    cr_assert(stored_is_taken(TABLE_UNIT, &row));
    expect_same(TABLE_UNIT, &row, &unit_row);
}

Test(table, a_second_row_of_a_run_replaces_the_first_unless_it_is_earlier) {
    put(TABLE_RUN, &run_row);
    struct row row = run_row, stored;
    for (int i = 0; i < RUN_COLUMNS; i++) /* every column is another one */
        if (row.value[i].text[0] != '\0')
            row.value[i].text[0]++;
        else if (i != RUN_ID && i != RUN_NANOSECONDS)
            row.value[i].number++;
    row.value[RUN_NANOSECONDS].number--;
    cr_expect_eq(put_again(TABLE_RUN, &row), SQLITE_DONE);
    cr_assert(stored_is_taken(TABLE_RUN, &stored));
    expect_same(TABLE_RUN, &stored, &run_row);
    for (int i = 0; i < 2; i++) {
        row.value[RUN_NANOSECONDS].number++;
        cr_expect_eq(put_again(TABLE_RUN, &row), SQLITE_DONE);
        cr_assert(stored_is_taken(TABLE_RUN, &stored));
        expect_same(TABLE_RUN, &stored, &row);
    }
}
