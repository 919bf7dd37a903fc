/* Writers of a ledger: one at a time; and what becomes of the ledger if a writer is killed, the
 * file goes away or the disk is full. */
#include "clock.h"
#include "ledger/database.h"
#include "ledgers.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(writers, .init = folder_make, .fini = folder_remove);

static void expect_busy(const char *file) {
    const double begun = nqi_seconds_now();
    expect_not_opened(file, LEDGER_WRITE, NQ_LEDGER_BUSY, "in use by another process");
    cr_expect_lt(nqi_seconds_now() - begun, 10, "refused late");
}

static void add_2(struct ledger *ledger) {
    if (add_unit(ledger, 2) != NQ_OK)
        _exit(2);
}

/* Readers see what is committed, and nothing else. A second writer is refused. */
Test(writers, one_process_writes_while_others_read) {
    const char *file = make_ledger("held");
    struct holder holder = hold(file, add_2);
    struct ledger *reader = open_ok(file, LEDGER_READ);
    cr_expect_eq(rows_in(reader, TABLE_UNIT), 3);
    nqi_ledger_close(reader);
    holder_commit(&holder);
    cr_expect(holder_committed(&holder, 10000));
    reader = open_ok(file, LEDGER_READ);
    cr_expect_eq(rows_in(reader, TABLE_UNIT), 4);
    nqi_ledger_close(reader);
    expect_busy(file); /* the commit did not release the ledger */
    holder_end(&holder);
    struct ledger *writer = open_ok(file, LEDGER_WRITE);
    cr_expect_eq(rows_in(writer, TABLE_UNIT), 4);
    nqi_ledger_close(writer);
}

/* A second writer is refused while the ledger is made, and does not remove it as unused. */
Test(writers, a_new_ledger_has_one_writer_too) {
    const char *file = in_folder("new");
    struct holder holder = hold(file, NULL);
    expect_busy(file);
    cr_expect(exists(file), "the second writer removed it");
    holder_end(&holder);
    cr_expect_eq(files_in_folder(), 0);
}

/* A commit succeeds as soon as the last reader has ended reading. */
Test(writers, a_commit_waits_for_readers) {
    const char *file = make_ledger("held");
    struct holder holder = hold(file, add_2);
    struct ledger *reader = open_ok(file, LEDGER_READ);
    holder_commit(&holder);
    cr_expect_not(holder_committed(&holder, 20));
    cr_expect_eq(rows_in(reader, TABLE_UNIT), 3);
    nqi_ledger_end_reading(reader);
    cr_expect(holder_committed(&holder, 10000));
    cr_assert_not_null(nqi_ledger_job(reader));
    cr_expect_eq(nqi_ledger_job(reader)->n, 9);
    nqi_ledger_close(reader);
    holder_end(&holder);
}

/* More rows than SQLite keeps in memory, so that some are in the file before the commit. */
static void add_many(struct ledger *ledger) {
    for (int64_t id = 7; id < 100000; id++)
        if (add_unit(ledger, id) != NQ_OK)
            _exit(2);
}

Test(writers, the_open_transaction_of_a_killed_writer_is_undone) {
    const char *file = make_ledger("held");
    struct bytes before = bytes_of(file);
    struct holder holder = hold(file, add_many);
    holder_kill(&holder);
    cr_expect_eq(files_in_folder(), 2, "expected a journal");
    struct ledger *ledger = open_ok(file, LEDGER_READ);
    cr_expect_eq(rows_in(ledger, TABLE_UNIT), 3);
    nqi_ledger_close(ledger);
    cr_expect_eq(files_in_folder(), 1);
    cr_expect_eq(rows_in(ledger = open_ok(file, LEDGER_WRITE), TABLE_UNIT), 3);
    nqi_ledger_close(ledger);
    struct bytes after = bytes_of(file);
    cr_expect_leq(after.count, before.count);
    free(after.byte);
    free(before.byte);
}

/* SQLite may notice as soon as a row is added. */
static void expect_commit_fails(struct ledger *ledger, const char *file) {
    nq_status status = add_unit(ledger, 7);
    if (status == NQ_OK)
        status = commit(ledger);
    expect_failure(status, NQ_LEDGER_IO, file);
    nqi_ledger_close(ledger);
}

Test(writers, a_commit_to_a_file_that_is_gone_fails) {
    const char *file = make_ledger("file"), *moved = in_folder("moved");
    struct bytes before = bytes_of(file);
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    cr_assert_eq(rename(file, moved), 0);
    expect_commit_fails(ledger, file);
    cr_expect_not(exists(file));
    copy_file(moved, file);
    ledger = open_ok(moved, LEDGER_WRITE);
    cr_assert_eq(rename(file, moved), 0); /* another file in its place */
    expect_commit_fails(ledger, moved);
    cr_expect(unchanged(moved, before));
    ledger = open_ok(file, LEDGER_WRITE); /* a new one, not committed to yet */
    cr_assert_eq(nqi_ledger_match_job(ledger, &made_up_job.job, &failure), NQ_OK);
    cr_assert_eq(remove(file), 0);
    expect_commit_fails(ledger, file);
    cr_expect_eq(files_in_folder(), 1);
}

Test(writers, a_second_row_is_refused_of_a_unit_and_replaces_that_of_a_run) {
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

/* A limit on the size of files stands in for a full disk. */
Test(writers, a_full_disk_fails_the_commit_and_spares_the_ledger) {
    const char *file = make_ledger("file");
    struct bytes before = bytes_of(file);
    cr_assert_neq(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    struct ledger *ledger = open_ok(file, LEDGER_WRITE);
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit little = {.rlim_cur = before.count + 4096, .rlim_max = limit.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
    nq_status status = NQ_OK;
    for (int64_t id = 7; id < 2000 && status == NQ_OK; id++)
        status = add_unit(ledger, id);
    if (status == NQ_OK)
        status = commit(ledger);
    expect_failure(status, NQ_LEDGER_IO, file);
    nqi_ledger_close(ledger);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ledger = open_ok(file, LEDGER_READ);
    cr_expect_eq(rows_in(ledger, TABLE_UNIT), 3);
    nqi_ledger_close(ledger);
    free(before.byte);
}

/* EXTRA (3): a commit is on the disk when it ends, and so is the deletion of its journal, which
 * would undo it after a power cut. A rollback journal, not a log in memory. */
Test(writers, a_commit_is_on_the_disk_when_it_ends) {
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
