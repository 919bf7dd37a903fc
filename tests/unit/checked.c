/* What opening a ledger checks: files of other programs, other formats and changed ledgers are
 * refused, and stay as they were. */
#include "ledgers.h"

#include <criterion/criterion.h>
#include <inttypes.h>
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

Test(checked, files_that_are_no_database_are_refused) {
    const char *file = in_folder("other");
    const char *const contents[] = {"a text\n", "SQLite format 3",
                                    "a text of more than one hundred bytes, which is as long "
                                    "as the header of an SQLite file, so that there is one to "
                                    "look at\n"};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        write_bytes(file, contents[i], strlen(contents[i]));
        expect_all_refused(file, NQ_LEDGER_DAMAGED, "not an SQLite file");
    }
    static char zeros[10000];
    write_bytes(file, zeros, sizeof zeros);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not an SQLite file");
}

/* SQLite itself takes such a file for an empty database. */
Test(checked, a_file_of_one_byte_is_refused) {
    const char *file = in_folder("other");
    write_bytes(file, "x", 1);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a");
}

Test(checked, databases_of_other_programs_are_refused) {
    const char *file = in_folder("other");
    run_sql(file, "CREATE TABLE job (id INTEGER PRIMARY KEY)");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a ledger");
    run_sql(file, "DROP TABLE job; PRAGMA application_id = 12345");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a ledger");
}

/* The check must not change the database's journal mode. */
Test(checked, a_database_of_another_program_stays_as_it_was) {
    const char *file = in_folder("other");
    run_sql(file, "PRAGMA journal_mode = WAL; CREATE TABLE precious (x)");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a ledger");
}

Test(checked, other_application_ids_and_formats_are_refused) {
    const char *file = make_ledger("made");
    run_sql(file, "PRAGMA user_version = 2");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "format 2; this version knows format 1");
    run_sql(file, "PRAGMA user_version = 0");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "format 0; this version");
    run_sql(file, "PRAGMA user_version = 1; PRAGMA application_id = 0x6e714c46");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "not a ledger");
    run_sql(file, "PRAGMA application_id = 0x6e714c47");
    nqi_ledger_close(open_ok(file, LEDGER_READ));
}

Test(checked, tables_with_another_definition_are_refused) {
    const char *const changes[] = {
        "CREATE TABLE more (id INTEGER PRIMARY KEY)",
        "ALTER TABLE unit RENAME COLUMN work TO nodes",
        "ALTER TABLE unit ADD COLUMN more INTEGER",
        "ALTER TABLE run RENAME TO runs",
        "CREATE INDEX quick ON unit (solutions)",
        "CREATE VIEW units AS SELECT * FROM unit",
        "CREATE TRIGGER meddle AFTER INSERT ON unit BEGIN DELETE FROM run; END",
        "DROP TABLE run",
        "DROP TABLE unit",
        "DROP TABLE job",
        ("DROP TABLE unit; CREATE TABLE unit (id INTEGER PRIMARY KEY, solutions, work, kernel, "
         "nanoseconds, host, time, checksum)"),
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
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
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        const char *file = make_ledger("changed");
        falsify(file, TABLE_JOB, 1, senseless[i].column, senseless[i].number);
        run_sql(file, "DELETE FROM unit"); /* their checksums contain the job */
        struct ledger *ledger;
        cr_expect_eq(nqi_ledger_open(file, LEDGER_READ, &ledger, &failure), NQ_LEDGER_DAMAGED,
                     "column %d is %lld", senseless[i].column, (long long)senseless[i].number);
        cr_expect_not_null(strstr(failure.text, "its job is not valid"), "%s", failure.text);
        nqi_ledger_close(ledger);
        cr_assert_eq(remove(file), 0);
    }
    const char *file = make_ledger("changed");
    run_sql(file, "UPDATE job SET n = 10");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "job 1 does not match its checksum");
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

static nq_status count_visits(void *context, const struct row *row) {
    (void)row;
    ++*(int *)context;
    return NQ_OK;
}

Test(checked, a_damaged_row_is_named) {
    const char *file = make_ledger("damaged");
    run_sql(file, "UPDATE unit SET solutions = 16 WHERE id = 3");
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    int visits = 0;
    cr_expect_eq(nqi_ledger_each(ledger, TABLE_UNIT, count_visits, &visits, &failure),
                 NQ_LEDGER_DAMAGED);
    cr_expect_eq(visits, 1);
    cr_expect_not_null(strstr(failure.text, "unit 3"), "%s", failure.text);
    cr_expect_not_null(strstr(failure.text, file), "%s", failure.text);
    nqi_ledger_close(ledger);
}

static nq_status stop_at_3(void *context, const struct row *row) {
    ++*(int *)context;
    return row->value[UNIT_ID].number == 3 ? NQ_CANCELLED : NQ_OK;
}

Test(checked, a_visit_can_end_the_reading) {
    struct ledger *ledger = open_ok(make_ledger("whole"), LEDGER_READ);
    int visits = 0;
    cr_expect_eq(nqi_ledger_each(ledger, TABLE_UNIT, stop_at_3, &visits, &failure),
                 NQ_CANCELLED);
    cr_expect_eq(visits, 2);
    nqi_ledger_close(ledger);
}
