/* Ledgers: which files are opened, under which names, and what remains after closing. */
#include "ledgers.h"
#include "length.h"

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
    for (enum ledger_use use = LEDGER_WRITE; use <= LEDGER_CREATE; use++) {
        const char *file = in_folder("new");
        struct ledger *ledger = open_ok(file, use);
        cr_expect_null(nqi_ledger_job(ledger));
        fill(ledger);
        cr_expect_eq(commit(ledger), NQ_OK, "%s", failure.text);
        cr_expect_eq(add_unit(ledger, 50), NQ_OK); /* is not committed */
        nqi_ledger_close(ledger);
        cr_expect_eq(files_in_folder(), 1, "a journal was left");
        for (enum ledger_use again = LEDGER_READ; again <= LEDGER_WRITE; again++) {
            ledger = open_ok(file, again);
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

Test(ledger, what_is_no_regular_file_is_refused) {
    char too_long[5000] = "";
    memset(too_long, 'x', sizeof too_long - 1);
    const struct {
        const char *file, *why;
    } refused[] = {{"", "1 to 4093 bytes"},
                   {too_long, "1 to 4093 bytes"},
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
    const char *const names[] = {":memory:", "file:x?mode=memory", "file::memory:", "x?mode=ro",
                                 "-",        "a'b\"c\\%s%n"};
    cr_assert_eq(chdir(folder()), 0);
    for (size_t i = 0; i < LENGTH(names); i++) {
        struct ledger *ledger = open_ok(names[i], LEDGER_WRITE);
        fill(ledger);
        cr_expect_eq(commit(ledger), NQ_OK, "%s", failure.text);
        nqi_ledger_close(ledger);
        cr_expect(exists(in_folder(names[i])) && files_in_folder() == 1, "%s", names[i]);
        ledger = open_ok(names[i], LEDGER_READ);
        cr_expect_eq(units_in(ledger), FILLED, "%s", names[i]);
        nqi_ledger_close(ledger);
        cr_assert_eq(remove(in_folder(names[i])), 0);
    }
    expect_not_opened("file:///y?vfs=none", LEDGER_WRITE, NQ_LEDGER_IO, "file:");
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
        expect_failure(nqi_ledger_set_job(ledger, &others[i], &failure), NQ_LEDGER_OTHER,
                       "whole");
    }
    nqi_ledger_close(ledger);
}
