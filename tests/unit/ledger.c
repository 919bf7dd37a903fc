/* Ledgers: which files are opened, under which names, and what remains after closing. Files of
 * other programs, other formats and changed ledgers are refused, and stay as they were. */
#include "ledgers.h"
#include "length.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

TestSuite(ledger, .init = folder_make, .fini = folder_remove);

static nq_status add_up(void *context, const struct row *row) {
    int64_t *sum = context;
    *sum += 1000000 + row->value[UNIT_ID].number;
    cr_expect(row->value[UNIT_SOLUTIONS].number == 5 * row->value[UNIT_ID].number &&
              row->value[UNIT_WORK].number == 7 * row->value[UNIT_ID].number);
    return NQ_OK;
}

/* The units must be those of fill(). */
static void expect_filled(const char *file, enum ledger_use use) {
    struct ledger *ledger = open_ok(file, use);
    const nq_job *own = nqi_ledger_job(ledger);
    int64_t sum = 0;
    cr_assert_not_null(own);
    cr_expect(own->n == 9 && own->plan_version == 3 && own->depth == 2 && own->units == 100000);
    cr_expect_str_eq(own->method, "fake");
    cr_expect_str_eq(own->plan, "made up");
    cr_expect_eq(nqi_ledger_each(ledger, TABLE_UNIT, add_up, &sum, &failure), NQ_OK);
    cr_expect_eq(sum, 3000009, "%s", file);
    nqi_ledger_close(ledger);
}

/* Fills and closes it. */
static void fill_and_commit(struct ledger *ledger) {
    fill(ledger);
    cr_expect_eq(commit(ledger), NQ_OK, "%s", failure.text);
    cr_expect_eq(add_unit(ledger, 50), NQ_OK); /* is not committed */
    nqi_ledger_close(ledger);
    cr_expect_eq(files_in_folder(), 1, "a journal was left");
}

Test(ledger, a_ledger_holds_what_was_committed) {
    for (enum ledger_use use = LEDGER_WRITE; use <= LEDGER_CREATE; use++) {
        const char *file = in_folder("new");
        struct ledger *ledger = open_ok(file, use);
        cr_expect_null(nqi_ledger_job(ledger));
        fill_and_commit(ledger);
        expect_filled(file, LEDGER_READ);
        expect_filled(file, LEDGER_WRITE);
        cr_assert_eq(remove(file), 0);
    }
}

Test(ledger, a_new_ledger_without_a_commit_leaves_no_file) {
    for (int i = 0; i < 4; i++) {
        struct ledger *ledger =
            open_ok(in_folder("new"), i % 2 == 0 ? LEDGER_WRITE : LEDGER_CREATE);
        if (i >= 2)
            fill(ledger);
        nqi_ledger_close(ledger);
        cr_expect_eq(files_in_folder(), 0);
    }
}

/* A file that took the new ledger's place belongs to another program. */
Test(ledger, closing_a_new_ledger_deletes_no_other_file) {
    const char *file = in_folder("new");
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    cr_assert_eq(rename(file, in_folder("moved")), 0);
    write_bytes(file, "precious", 8);
    nqi_ledger_close(ledger);
    cr_expect(exists(file), "it was deleted");
}

/* Such as mktemp makes: it may become a ledger, but must not be removed. */
Test(ledger, an_empty_file_becomes_a_ledger) {
    const char *file = in_folder("empty");
    write_bytes(file, "", 0);
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    cr_expect(nqi_ledger_job(ledger) == NULL && rows_in(ledger, TABLE_UNIT) == 0);
    nqi_ledger_close(ledger);
    nqi_ledger_close(open_ok(file, LEDGER_WRITE));
    cr_expect(exists(file));
    nqi_ledger_close(open_ok(file, LEDGER_CREATE));
    fill_and_commit(open_ok(file, LEDGER_WRITE));
    expect_filled(file, LEDGER_READ);
    expect_not_opened(file, LEDGER_CREATE, NQ_LEDGER_IO, "exists");
}

Test(ledger, what_is_no_regular_file_is_refused) {
    char too_long[5000] = "";
    memset(too_long, 'x', sizeof too_long - 1);
    const struct {
        const char *file, *why;
    } refused[] = {{"", "4093"},
                   {too_long, "4093"},
                   {too_long + 4700, "xxxxx"}, /* as a part of a path */
                   {folder(), "not a regular file"},
                   {in_folder("pipe"), "not a regular file"},
                   {"/dev/null", "not a regular file"},
                   {in_folder("none/none"), "none"},
                   {in_folder("text/file"), "text"}};
    cr_assert_eq(mkfifo(in_folder("pipe"), 0600), 0);
    write_bytes(in_folder("text"), "text", 4);
    expect_not_opened(in_folder("none"), LEDGER_READ, NQ_LEDGER_IO, "No such file");
    for (enum ledger_use use = LEDGER_READ; use <= LEDGER_CREATE; use++)
        for (size_t i = 0; i < LENGTH(refused); i++)
            expect_not_opened(refused[i].file, use, NQ_LEDGER_IO, refused[i].why);
    cr_expect_eq(files_in_folder(), 2);
}

Test(ledger, names_with_a_meaning_to_sqlite_are_plain_names) {
    const char *const names[] = {":memory:", "file:x?mode=memory", "x?mode=ro", "a'b\"c\\%s%n"};
    cr_assert_eq(chdir(folder()), 0);
    for (size_t i = 0; i < LENGTH(names); i++) {
        fill_and_commit(open_ok(names[i], LEDGER_WRITE));
        cr_expect(exists(in_folder(names[i])), "%s", names[i]);
        expect_filled(names[i], LEDGER_READ);
        cr_assert_eq(remove(in_folder(names[i])), 0);
    }
    expect_not_opened("file:///y?vfs=none", LEDGER_WRITE, NQ_LEDGER_IO, "file:");
    cr_assert_eq(chdir("/"), 0);
}

Test(ledger, another_job_is_refused) {
    struct partition others[6];
    for (int i = 0; i < 6; i++)
        others[i] = made_up_job;
    others[0].job.n = 10;
    strcpy(others[1].job.method, "other");
    strcpy(others[2].job.plan, "made up too");
    others[3].job.plan_version = 4;
    others[4].job.depth = 3;
    others[5].job.units = 100001;
    struct ledger *ledger = open_ok(make_ledger("whole"), LEDGER_WRITE);
    cr_expect_eq(nqi_ledger_match_job(ledger, &made_up_job.job, &failure), NQ_OK);
    for (int i = 0; i < 6; i++)
        expect_failure(nqi_ledger_match_job(ledger, &others[i].job, &failure), NQ_LEDGER_OTHER,
                       "whole");
    nqi_ledger_close(ledger);
}

static void expect_all_refused(const char *file, nq_status expected, const char *why) {
    struct bytes before = bytes_of(file);
    expect_not_opened(file, LEDGER_READ, expected, why);
    expect_not_opened(file, LEDGER_WRITE, expected, why);
    expect_not_opened(file, LEDGER_CREATE, NQ_LEDGER_IO, "already exists");
    cr_expect(unchanged(file, before), "%s", file);
    cr_expect_eq(files_in_folder(), 1);
}

/* SQLite itself takes a file of one byte for an empty database. */
Test(ledger, files_that_are_no_database_are_refused) {
    static const char text[10000] = "SQLite format 3, or what is as long as its header";
    const size_t sizes[] = {1, 7, 15, sizeof text};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        write_bytes(in_folder("other"), text, sizes[i]);
        expect_all_refused(in_folder("other"), NQ_LEDGER_DAMAGED, "not a");
    }
}

/* The check must not change a database's journal mode. */
Test(ledger, databases_of_other_programs_and_formats_are_refused) {
    static const struct {
        const char *sql, *why;
    } others[] = {
        {"CREATE TABLE job (id INTEGER PRIMARY KEY)", "not a ledger"},
        {"PRAGMA journal_mode = WAL; CREATE TABLE precious (x)", "not a ledger"},
        {"PRAGMA user_version = 2; PRAGMA application_id = 0x6e714c47", "format 2"},
        {"PRAGMA user_version = 1; PRAGMA application_id = 0x6e714c46", "not a ledger"},
    };
    for (size_t i = 0; i < LENGTH(others); i++) {
        const char *file = i < 2 ? in_folder("other") : make_ledger("other");
        run_sql(file, others[i].sql);
        expect_all_refused(file, NQ_LEDGER_DAMAGED, others[i].why);
        cr_assert_eq(remove(file), 0);
    }
}

Test(ledger, tables_with_another_definition_are_refused) {
    const char *const changes[] = {
        "CREATE TABLE more (id INTEGER PRIMARY KEY)",
        "ALTER TABLE unit RENAME COLUMN work TO nodes",
        "CREATE TRIGGER meddle AFTER INSERT ON unit BEGIN DELETE FROM run; END",
        "DROP TABLE run",
    };
    for (size_t i = 0; i < LENGTH(changes); i++) {
        const char *file = make_ledger("changed");
        run_sql(file, changes[i]);
        expect_all_refused(file, NQ_LEDGER_DAMAGED, "tables");
        cr_assert_eq(remove(file), 0);
    }
}

Test(ledger, jobs_that_make_no_sense_are_refused) {
    static const struct {
        int column;
        int64_t number;
    } senseless[] = {{JOB_N, 29},     {JOB_N, INT64_C(1) << 32},
                     {JOB_UNITS, -1}, {JOB_VERSION, INT64_C(1) << 32},
                     {JOB_DEPTH, -1}, {JOB_DEPTH, -(INT64_C(1) << 32)}};
    for (size_t i = 0; i < LENGTH(senseless); i++) {
        const char *file = make_ledger("changed");
        falsify(file, TABLE_JOB, 1, senseless[i].column, senseless[i].number);
        run_sql(file, "DELETE FROM unit"); /* their checksums contain the job */
        expect_not_opened(file, LEDGER_READ, NQ_LEDGER_DAMAGED, "job");
        cr_assert_eq(remove(file), 0);
    }
    const char *file = make_ledger("changed");
    run_sql(file, "UPDATE job SET n = 10");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "job 1");
    run_sql(file, "DELETE FROM job");
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "no job");
    cr_assert_eq(remove(file), 0);
    make_ledger("changed");
    const char *text = "job|2|9|4:fake|7:made up|3|2|100000";
    char sql[256];
    snprintf(sql, sizeof sql,
             "INSERT INTO job VALUES (2, 9, 'fake', 'made up', 3, 2, 100000, %lld)",
             (long long)XXH64(text, strlen(text), 0));
    run_sql(file, sql);
    expect_all_refused(file, NQ_LEDGER_DAMAGED, "job");
}
