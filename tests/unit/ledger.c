/* Ledgers: which files are opened, under which names, and what remains after closing. */
#include "ledgers.h"

#include <criterion/criterion.h>
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

/* The sum over all units of 1000000 and the id. */
static int64_t units_in(struct ledger *ledger) {
    int64_t sum = 0;
    cr_assert_eq(nqi_ledger_each(ledger, TABLE_UNIT, add_up, &sum, &failure), NQ_OK, "%s",
                 failure.text);
    return sum;
}
enum { FILLED = 3000009 }; /* after fill() */

Test(ledger, a_ledger_holds_what_was_committed) {
    const enum ledger_use uses[] = {LEDGER_WRITE, LEDGER_CREATE};
    for (int i = 0; i < 2; i++) {
        const char *file = in_folder("new");
        struct ledger *ledger = open_ok(file, uses[i]);
        cr_expect_null(nqi_ledger_job(ledger));
        fill(ledger);
        cr_expect_not_null(nqi_ledger_job(ledger));
        cr_expect_eq(commit(ledger), NQ_OK, "%s", failure.text);
        nqi_ledger_close(ledger);
        cr_expect_eq(files_in_folder(), 1, "a journal was left");
        const enum ledger_use again[] = {LEDGER_READ, LEDGER_WRITE};
        for (int j = 0; j < 2; j++) {
            ledger = open_ok(file, again[j]);
            const struct ledger_job *own = nqi_ledger_job(ledger);
            cr_assert_not_null(own);
            cr_expect(own->n == 9 && own->plan_version == 3 && own->depth == 2 &&
                      own->units == 100000);
            cr_expect_str_eq(own->method, "fake");
            cr_expect_str_eq(own->plan, "made up");
            cr_expect_eq(units_in(ledger), FILLED);
            nqi_ledger_close(ledger);
        }
        cr_assert_eq(remove(file), 0);
    }
}

Test(ledger, rows_that_are_not_committed_are_dropped) {
    const char *file = make_ledger("old");
    struct bytes before = bytes_of(file);
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    cr_expect_eq(add_unit(ledger, 50), NQ_OK);
    nqi_ledger_close(ledger);
    cr_expect(unchanged(file, before));
    cr_expect_eq(files_in_folder(), 1);
}

Test(ledger, a_new_ledger_without_a_commit_leaves_no_file) {
    const enum ledger_use uses[] = {LEDGER_WRITE, LEDGER_CREATE};
    for (int i = 0; i < 4; i++) {
        struct ledger *ledger = open_ok(in_folder("new"), uses[i % 2]);
        if (i >= 2)
            fill(ledger);
        nqi_ledger_close(ledger);
        cr_expect_eq(files_in_folder(), 0);
    }
    nqi_ledger_close(NULL);
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
    cr_expect_null(nqi_ledger_job(ledger));
    cr_expect_eq(units_in(ledger), 0);
    nqi_ledger_close(ledger);
    nqi_ledger_close(open_ok(file, LEDGER_WRITE));
    cr_expect(exists(file));
    expect_not_opened(file, LEDGER_CREATE, NQ_LEDGER_IO, "already exists");
    ledger = open_ok(file, LEDGER_WRITE);
    fill(ledger);
    cr_expect_eq(commit(ledger), NQ_OK);
    nqi_ledger_close(ledger);
    ledger = open_ok(file, LEDGER_READ);
    cr_expect_eq(units_in(ledger), FILLED);
    nqi_ledger_close(ledger);
}

Test(ledger, missing_files_are_refused) {
    expect_not_opened(in_folder("none"), LEDGER_READ, NQ_LEDGER_IO, "No such file");
    expect_not_opened(in_folder("none/none"), LEDGER_READ, NQ_LEDGER_IO, "No such file");
    expect_not_opened(in_folder("none/none"), LEDGER_WRITE, NQ_LEDGER_IO, "none");
    expect_not_opened(in_folder("none/none"), LEDGER_CREATE, NQ_LEDGER_IO, "none");
    cr_expect_eq(files_in_folder(), 0);
}

Test(ledger, folders_devices_and_impossible_names_are_refused) {
    char too_long[5000], long_part[302];
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    memset(long_part, 'x', sizeof long_part - 1);
    long_part[sizeof long_part - 1] = '\0';
    cr_assert_eq(mkfifo(in_folder("pipe"), 0600), 0);
    cr_assert_eq(mkdir(in_folder("folder"), 0700), 0);
    write_bytes(in_folder("text"), "text", 4);
    for (int use = LEDGER_READ; use <= LEDGER_CREATE; use++) {
        expect_not_opened("", (enum ledger_use)use, NQ_LEDGER_IO, "1 to 4093 bytes");
        expect_not_opened(folder(), (enum ledger_use)use, NQ_LEDGER_IO, "not a regular file");
        expect_not_opened(in_folder("folder"), (enum ledger_use)use, NQ_LEDGER_IO,
                          "not a regular file");
        expect_not_opened(in_folder("pipe"), (enum ledger_use)use, NQ_LEDGER_IO,
                          "not a regular file");
        expect_not_opened("/dev/null", (enum ledger_use)use, NQ_LEDGER_IO,
                          "not a regular file");
        expect_not_opened(too_long, (enum ledger_use)use, NQ_LEDGER_IO, "1 to 4093 bytes");
        expect_not_opened(in_folder(long_part), (enum ledger_use)use, NQ_LEDGER_IO, "xxxxx");
        expect_not_opened(in_folder("text/file"), (enum ledger_use)use, NQ_LEDGER_IO,
                          "Not a directory");
    }
    cr_expect_eq(files_in_folder(), 3);
}

Test(ledger, names_with_a_meaning_to_sqlite_are_plain_names) {
    const char *const names[] = {
        ":memory:",           "file:x?mode=memory", "file:x", "file::memory:",
        "file:///y?vfs=none", "x?mode=ro",          "-",      "a'b\"c\\%s%n"};
    cr_assert_eq(chdir(folder()), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strchr(names[i], '/') != NULL) { /* in a folder that does not exist */
            expect_not_opened(names[i], LEDGER_WRITE, NQ_LEDGER_IO, "file:");
            continue;
        }
        struct ledger *ledger = open_ok(names[i], LEDGER_WRITE);
        fill(ledger);
        cr_expect_eq(commit(ledger), NQ_OK, "%s", failure.text);
        nqi_ledger_close(ledger);
        struct stat info;
        cr_expect(stat(in_folder(names[i]), &info) == 0 && S_ISREG(info.st_mode), "%s",
                  names[i]);
        cr_expect_eq(files_in_folder(), 1, "%s", names[i]);
        ledger = open_ok(names[i], LEDGER_READ);
        cr_expect_eq(units_in(ledger), FILLED, "%s", names[i]);
        nqi_ledger_close(ledger);
        cr_assert_eq(remove(in_folder(names[i])), 0);
    }
    cr_assert_eq(chdir("/"), 0);
}

Test(ledger, another_job_is_refused) {
    struct partition others[6];
    for (int i = 0; i < 6; i++)
        others[i] = made_up_job;
    others[0].n = 10;
    others[1].method = "other";
    others[2].plan = "made up too";
    others[3].plan_version = 4;
    others[4].depth = 3;
    others[5].unit_count = 100001;
    struct ledger *ledger = open_ok(make_ledger("whole"), LEDGER_WRITE);
    cr_expect_eq(nqi_ledger_set_job(ledger, &made_up_job, &failure), NQ_OK);
    for (int i = 0; i < 6; i++) {
        failure.text[0] = '\0';
        cr_expect_eq(nqi_ledger_set_job(ledger, &others[i], &failure), NQ_LEDGER_OTHER, "%d",
                     i);
        cr_expect_not_null(strstr(failure.text, "whole"), "%s", failure.text);
    }
    nqi_ledger_close(ledger);
}
