/* SPDX-License-Identifier: MIT */
/* Ledgers: what they hold, what remains after closing, and what a wrong job or a wrong row
 * makes of them. Files that are refused, kills and full disks are tested with the program. */
#include "ledgers.h"
#include "length.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
}

Test(ledger, a_second_row_is_refused_of_a_unit_and_replaces_that_of_a_run) {
    const char *file = make_ledger("file");
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    struct row run = {.value = {[RUN_ID] = {.number = 5}, [RUN_HOST] = {.text = "here"}}};
    expect_failure(add_unit(ledger, 3), NQ_INTERNAL, file);
    for (int i = 0; i < 3; i++) {
        expect_failure(add_unit(ledger, 2), i == 0 ? NQ_OK : NQ_INTERNAL, "");
        run.value[RUN_NANOSECONDS].number = i;
        cr_expect_eq(nqi_ledger_add(ledger, TABLE_RUN, &run, &failure), NQ_OK);
        cr_expect_eq(commit(ledger), NQ_OK);
    }
    cr_expect(rows_in(ledger, TABLE_UNIT) == 4 && rows_in(ledger, TABLE_RUN) == 1);
    nqi_ledger_close(ledger);
}

/* EXTRA (3): a commit is on the disk when it ends, and so is the deletion of its journal, which
 * would undo it after a power cut. A rollback journal, not a log in memory. */
Test(ledger, a_commit_is_on_the_disk_when_it_ends) {
    struct ledger *ledger = open_ok(make_ledger("file"), LEDGER_WRITE);
    int64_t level = 0, deletes = 0;
    cr_assert_eq(nqi_database_query(ledger, "PRAGMA synchronous", &level, &failure), NQ_OK);
    cr_expect_eq(level, 3);
    cr_assert_eq(nqi_database_query(ledger,
                                    "SELECT journal_mode = 'delete' FROM pragma_journal_mode",
                                    &deletes, &failure),
                 NQ_OK);
    cr_expect_eq(deletes, 1);
    nqi_ledger_close(ledger);
}

TestSuite(recorded, .init = folder_make, .fini = folder_remove);

/* Reads a ledger with two units: `id` with `solutions`, and 0 with `more`. Unit i has weight
 * i + 1. */
static nq_status read_with(int64_t id, int64_t solutions, int64_t more, uint64_t *sum) {
    static struct unit units[8];
    for (int i = 0; i < 8; i++)
        units[i] = (struct unit){.weight = 1 + (uint64_t)i, .cost = 1};
    struct partition job = made_up_job;
    job.job.units = 8;
    job.units = units;
    struct ledger *ledger = open_ok(in_folder("file"), LEDGER_CREATE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &job.job, &failure), NQ_OK);
    struct row row = {.value = {[UNIT_ID] = {.number = id},
                                [UNIT_SOLUTIONS] = {.number = solutions},
                                [UNIT_KERNEL] = {.text = "fake"},
                                [UNIT_HOST] = {.text = "here"}}};
    cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
    row.value[UNIT_ID].number = 0;
    row.value[UNIT_SOLUTIONS].number = more;
    cr_assert_eq(nqi_ledger_add(ledger, TABLE_UNIT, &row, &failure), NQ_OK);
    cr_assert_eq(nqi_ledger_commit(ledger, &failure), NQ_OK);
    struct recorded recorded;
    nq_status status = nqi_recorded_read(ledger, &job, &recorded, &failure);
    *sum = recorded.solutions;
    if (status == NQ_OK)
        nqi_recorded_free(&recorded);
    cr_expect_null(recorded.units);
    nqi_ledger_close(ledger);
    cr_assert_eq(remove(in_folder("file")), 0);
    return status;
}

Test(recorded, sums_beyond_64_bits_are_refused) {
    uint64_t sum;
    cr_expect_eq(read_with(1, INT64_MAX, 1, &sum), NQ_OK);
    cr_expect_eq(sum, UINT64_MAX);
    cr_expect_eq(read_with(1, INT64_MAX, 2, &sum), NQ_OVERFLOW);
    cr_expect_eq(read_with(2, INT64_MAX, 0, &sum), NQ_OVERFLOW);
    cr_expect_eq(read_with(7, INT64_MAX / 4, 0, &sum), NQ_OK);
    cr_expect_eq(sum, UINT64_MAX / 8 * 8);
}

Test(recorded, impossible_units_are_damage) {
    const int64_t ids[] = {8, 64, 1 << 20, -1, INT64_MIN, INT64_MAX};
    uint64_t sum;
    cr_expect_eq(read_with(7, 1, 0, &sum), NQ_OK);
    for (size_t i = 0; i < LENGTH(ids); i++)
        cr_expect_eq(read_with(ids[i], 1, 0, &sum), NQ_LEDGER_DAMAGED, "%" PRId64, ids[i]);
    cr_expect_eq(read_with(7, -1, 0, &sum), NQ_LEDGER_DAMAGED);
    cr_expect_eq(read_with(7, INT64_MIN, 0, &sum), NQ_LEDGER_DAMAGED);
}

Test(recorded, work_beyond_64_bits_stays_at_the_most_they_hold) {
    const char *file = make_ledger("file");
    for (int64_t id = 0; id < 9; id += 3)
        falsify(file, TABLE_UNIT, id, UNIT_WORK, INT64_MAX);
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    struct recorded recorded;
    cr_assert_eq(nqi_recorded_read(ledger, NULL, &recorded, &failure), NQ_OK);
    cr_expect(recorded.work == UINT64_MAX && recorded.units[0] == 0x49);
    nqi_recorded_free(&recorded);
    nqi_ledger_close(ledger);
}
