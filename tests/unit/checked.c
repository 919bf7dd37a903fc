/* What opening a ledger checks: files of other programs, other formats and changed ledgers are
 * refused, and stay as they were. */
#include "ledgers.h"
#include "length.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

TestSuite(checked, .init = folder_make, .fini = folder_remove);

static void expect_all_refused(const char *file, nq_status expected, const char *why) {
    struct bytes before = bytes_of(file);
    expect_not_opened(file, LEDGER_READ, expected, why);
    expect_not_opened(file, LEDGER_WRITE, expected, why);
    expect_not_opened(file, LEDGER_CREATE, NQ_LEDGER_IO, "already exists");
    cr_expect(unchanged(file, before), "%s", file);
    cr_expect_eq(files_in_folder(), 1);
}

/* SQLite itself takes a file of one byte for an empty database. */
Test(checked, files_that_are_no_database_are_refused) {
    static char zeros[10000], text[] =
                                  "a text of more than one hundred bytes, which is as long "
                                  "as the header of an SQLite file, so that there is one";
    const size_t sizes[] = {1, 7, sizeof text};
    const char *file = in_folder("other");
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        write_bytes(file, text, sizes[i]);
        expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a");
    }
    write_bytes(file, "SQLite format 3", 15);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not an SQLite file");
    write_bytes(file, zeros, sizeof zeros);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not an SQLite file");
}

/* The check must not change a database's journal mode. */
Test(checked, databases_of_other_programs_and_formats_are_refused) {
    static const struct {
        const char *sql, *why;
    } others[] = {
        {"CREATE TABLE job (id INTEGER PRIMARY KEY)", "not a ledger"},
        {"PRAGMA application_id = 12345", "not a ledger"},
        {"PRAGMA journal_mode = WAL; CREATE TABLE precious (x)", "not a ledger"},
        {"PRAGMA user_version = 2; PRAGMA application_id = 0x6e714c47", "format 2"},
        {"PRAGMA user_version = 0; PRAGMA application_id = 0x6e714c47", "format 0"},
        {"PRAGMA user_version = 1; PRAGMA application_id = 0x6e714c46", "not a ledger"},
    };
    for (size_t i = 0; i < LENGTH(others); i++) {
        const char *file = i < 3 ? in_folder("other") : make_ledger("other");
        run_sql(file, others[i].sql);
        expect_all_refused(file, NQ_LEDGER_DAMAGED, others[i].why);
        cr_assert_eq(remove(file), 0);
    }
}

Test(checked, tables_with_another_definition_are_refused) {
    const char *const changes[] = {
        "CREATE TABLE more (id INTEGER PRIMARY KEY)",
        "ALTER TABLE unit RENAME COLUMN work TO nodes",
        "ALTER TABLE run RENAME TO runs",
        "CREATE INDEX quick ON unit (solutions)",
        "CREATE TRIGGER meddle AFTER INSERT ON unit BEGIN DELETE FROM run; END",
        "DROP TABLE run",
        ("DROP TABLE unit; CREATE TABLE unit (id INTEGER PRIMARY KEY, solutions, work, kernel, "
         "nanoseconds, host, time, checksum)"),
    };
    for (size_t i = 0; i < LENGTH(changes); i++) {
        const char *file = make_ledger("changed");
        run_sql(file, changes[i]);
        expect_all_refused(file, NQ_LEDGER_DAMAGED, "tables are not those of a ledger");
        cr_assert_eq(remove(file), 0);
    }
}

Test(checked, jobs_that_make_no_sense_are_refused) {
    static const struct {
        int column;
        int64_t number;
    } senseless[] = {{JOB_N, 29},
                     {JOB_N, -1},
                     {JOB_N, INT64_C(1) << 32},
                     {JOB_UNITS, -1},
                     {JOB_VERSION, INT64_C(1) << 32},
                     {JOB_VERSION, -1},
                     {JOB_DEPTH, 29},
                     {JOB_DEPTH, -1},
                     {JOB_DEPTH, -(INT64_C(1) << 32)}};
    for (size_t i = 0; i < LENGTH(senseless); i++) {
        const char *file = make_ledger("changed");
        falsify(file, TABLE_JOB, 1, senseless[i].column, senseless[i].number);
        run_sql(file, "DELETE FROM unit"); /* their checksums contain the job */
        expect_not_opened(file, LEDGER_READ, NQ_LEDGER_DAMAGED, "its job is not valid");
        cr_assert_eq(remove(file), 0);
    }
    const char *file = make_ledger("changed");
    run_sql(file, "UPDATE job SET n = 10");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "job 1");
    run_sql(file, "DELETE FROM job");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "no job");
}

Test(checked, two_jobs_are_refused) {
    const char *file = make_ledger("two");
    const char *text = "job|2|9|4:fake|7:made up|3|2|100000";
    char sql[256];
    snprintf(sql, sizeof sql,
             "INSERT INTO job VALUES (2, 9, 'fake', 'made up', 3, 2, 100000, %lld)",
             (long long)XXH64(text, strlen(text), 0));
    run_sql(file, sql);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "its job is not valid");
}

/* Counts its calls, and may end the reading at one. */
struct visits {
    int made, end_at;
};

static nq_status visit(void *context, const struct row *row) {
    (void)row;
    struct visits *visits = context;
    return ++visits->made == visits->end_at ? NQ_CANCELLED : NQ_OK;
}

Test(checked, a_damaged_row_is_named) {
    const char *file = make_ledger("damaged");
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    struct visits to_second = {.end_at = 2}, all = {0};
    expect_failure(nqi_ledger_each(ledger, TABLE_UNIT, visit, &to_second, &failure),
                   NQ_CANCELLED, "");
    nqi_ledger_close(ledger);
    run_sql(file, "UPDATE unit SET solutions = 16 WHERE id = 3");
    ledger = open_ok(file, LEDGER_READ);
    expect_failure(nqi_ledger_each(ledger, TABLE_UNIT, visit, &all, &failure),
                   NQ_LEDGER_DAMAGED, "unit 3");
    cr_expect(to_second.made == 2 && all.made == 1);
    nqi_ledger_close(ledger);
}
