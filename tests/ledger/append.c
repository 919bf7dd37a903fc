/* SPDX-License-Identifier: MIT */
/* Adding lines to a ledger's file, while the disk fails and others change the file. */
#include "core/arrays.h"
#include "counts.h"
#include "disk.h"
#include "folder.h"
#include "search/search.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNITS = 5000 };

static struct ledger *ledger;

static void set_up(void) {
    folder_make();
    const nq_job job = {5, nqi_method_search.version, "search", UNITS};
    ledger = open_ok("file", LEDGER_WRITE);
    cr_assert_eq(nqi_ledger_match_job(ledger, &job), NQ_OK);
}

static void tear_down(void) {
    nqi_ledger_close(ledger);
    folder_remove();
}

TestSuite(append, .init = set_up, .fini = tear_down);

/* Adds units[first..last]. */
static void add(uint64_t first, uint64_t last) {
    for (uint64_t id = first; id <= last; id++) {
        const struct unit_line unit = {
            .id = id, .result = {id + 1, 3}, .time = 1, .kernel = "kernel", .host = "host"};
        cr_assert_eq(nqi_ledger_add_unit(ledger, &unit), NQ_OK);
    }
}

static void sync_ok(void) {
    cr_assert_eq(nqi_ledger_sync(ledger), NQ_OK, "%s", ledger_failure.text);
}

static void sync_fails(nq_status status, const char *why) {
    cr_expect_eq(nqi_ledger_sync(ledger), status);
    cr_expect_not_null(strstr(ledger_failure.text, why), "'%s' lacks '%s'", ledger_failure.text,
                       why);
}

/* Writes to the file as another program would. */
static void append_text(const char *text) {
    FILE *stream = fopen("file", "a");
    cr_assert(stream != NULL && fputs(text, stream) >= 0 && fclose(stream) == 0);
}

static long file_size(const char *file) {
    struct stat info;
    cr_assert_eq(stat(file, &info), 0, "%s", file);
    return info.st_size;
}

/* Expects that the file holds units 0 to count - 1, as they were added, and this number of
 * damaged lines. */
static void expect_units(const char *file, uint64_t count, uint64_t damaged) {
    struct ledger *read = open_ok(file, LEDGER_READ);
    cr_assert(read->has_job || count == 0);
    cr_expect_eq(read->units_recorded, count);
    cr_expect_eq(read->lines_damaged, damaged, "%lu lines are damaged",
                 (unsigned long)read->lines_damaged);
    for (uint64_t id = 0; id < count; id++)
        cr_expect(read->unit[id].kernel != NULL && read->unit[id].result.solutions == id + 1 &&
                      read->unit[id].result.work == 3,
                  "unit %lu", (unsigned long)id);
    nqi_ledger_close(read);
}

Test(append, carries_on_after_short_writes) {
    atomic_store(&disk.most, 7);
    add(0, 9);
    sync_ok();
    const long size = file_size("file");
    expect_units("file", 10, 0);
    atomic_store(&disk.most, 0);
    add(0, 9);
    sync_ok();
    cr_expect_eq(file_size("file"), 2 * size, "a byte was written twice, or not at all");
}

/* However much of a batch a full disk took, only the rest is written once there is room. */
Test(append, carries_on_after_a_full_disk) {
    long size = 0, batches = 0;
    for (long room = 0; room < 400; room += 13, batches++) {
        add(0, 9);
        atomic_store(&disk.room, room);
        sync_fails(NQ_LEDGER_IO, "cannot be written: No space left on device");
        sync_fails(NQ_LEDGER_IO, "No space left");
        atomic_store(&disk.room, -1);
        sync_ok();
        size = size > 0 ? size : file_size("file");
    }
    cr_expect_eq(file_size("file"), batches * size, "a byte was written twice, or not at all");
    expect_units("file", 10, 0);
}

/* After a call of fdatasync(2) that failed, nobody knows how much of the batch is on the disk.
 * A second call may succeed although a part of the batch is lost. */
Test(append, writes_a_batch_again_that_was_not_synchronized) {
    add(0, 9);
    atomic_store(&disk.syncs_to_fail, 2);
    sync_fails(NQ_LEDGER_IO, "cannot be written: Input/output error");
    const long size = file_size("file");
    sync_fails(NQ_LEDGER_IO, "Input/output error");
    sync_ok();
    cr_expect_eq(file_size("file"), 3 * size + 2,
                 "the second and the third time after a newline");
    expect_units("file", 10, 0);
    sync_ok();
    cr_expect_eq(file_size("file"), 3 * size + 2, "nothing is left to be written");
}

/* After such a failure the disk may hold only a part of the batch, so that the file ends amid a
 * line. */
Test(append, begins_a_line_after_a_torn_batch) {
    add(0, 9);
    atomic_store(&disk.syncs_to_fail, 1);
    sync_fails(NQ_LEDGER_IO, "Input/output error");
    cr_assert_eq(truncate("file", file_size("file") - 20), 0);
    ledger->size -= 20; /* the cut is the disk's, not another program's */
    sync_ok();
    expect_units("file", 10, 1);
}

Test(append, brings_many_lines_to_the_disk_in_parts) {
    add(0, UNITS - 1);
    const size_t length = ledger->batch.length;
    cr_assert_gt(length, 5 * 65536);
    atomic_store(&disk.room, 2 * 65536 + 100);
    sync_fails(NQ_LEDGER_IO, "No space left");
    const int syncs = atomic_load(&disk.syncs);
    cr_expect_eq(syncs, 2);
    atomic_store(&disk.syncs_to_fail, 1);
    atomic_store(&disk.room, -1);
    sync_fails(NQ_LEDGER_IO, "Input/output error");
    sync_ok();
    cr_expect_geq((size_t)atomic_load(&disk.syncs), length / 65536 + 2);
    cr_expect_lt((size_t)file_size("file"), length + 65536 + 2,
                 "what was safe is not written again");
    expect_units("file", UNITS, 0);
}

/* An editor may have added the text, or a second writer on a file system without locks. */
Test(append, begins_a_line_after_text_of_another_program) {
    add(0, 4);
    sync_ok();
    append_text("a line without its end");
    add(5, 9);
    sync_ok();
    expect_units("file", 10, 1);
    append_text("a whole line\n");
    add(0, 9);
    atomic_store(&disk.room, 30);
    sync_fails(NQ_LEDGER_IO, "No space left");
    append_text("amid a line\n");
    atomic_store(&disk.room, -1);
    sync_ok();
    expect_units("file", 10, 3);
}

/* The text comes after a look at the file and before the write, which then goes behind it. */
Test(append, writes_lines_again_if_other_text_came_just_before) {
    add(0, 0);
    sync_ok();
    atomic_store(&disk.appended, "a line without its end");
    add(1, 9);
    sync_ok();
    expect_units("file", 10, 1);
    atomic_store(&disk.appended, "a whole line\n");
    add(0, 9);
    sync_ok();
    add(0, 9);
    sync_ok();
    expect_units("file", 10, 2);
}

/* A kill may cut the last line anywhere, even after its hash. */
Test(append, begins_a_line_after_one_that_was_cut) {
    add(0, 9);
    sync_ok();
    const long size = file_size("file");
    for (long cut = 0; cut < 120; cut++) {
        nqi_ledger_close(ledger);
        cr_assert_eq(truncate("file", size - cut), 0);
        ledger = open_ok("file", LEDGER_WRITE);
        const uint64_t units = ledger->units_recorded, damaged = ledger->lines_damaged;
        cr_expect(units >= 8 && damaged <= 1 && (cut > 1 || units == 10), "cut by %ld", cut);
        add(units, 9);
        sync_ok();
        expect_units("file", 10, damaged);
    }
}

Test(append, goes_on_in_a_renamed_file) {
    add(0, 4);
    sync_ok();
    cr_assert_eq(rename("file", "renamed"), 0);
    write_text("file", "precious");
    add(5, 9);
    sync_ok();
    expect_units("renamed", 10, 0);
    cr_expect_eq(file_size("file"), 8);
}

Test(append, notices_that_the_file_was_deleted) {
    add(0, 4);
    sync_ok();
    cr_assert_eq(unlink("file"), 0);
    add(5, 9);
    sync_fails(NQ_LEDGER_IO, "'file': deleted or replaced by another program");
    cr_expect(ledger->lost);
}

Test(append, notices_that_the_file_was_replaced) {
    add(0, 4);
    sync_ok();
    write_text("other", "precious");
    cr_assert_eq(rename("other", "file"), 0);
    add(5, 9);
    sync_fails(NQ_LEDGER_IO, "'file': deleted or replaced by another program");
    cr_expect(ledger->lost);
    cr_expect_eq(file_size("file"), 8);
}

Test(append, notices_that_the_file_was_cut) {
    add(0, 4);
    sync_ok();
    cr_assert_eq(truncate("file", file_size("file") - 1), 0);
    add(5, 9);
    sync_fails(NQ_LEDGER_IO, "'file': truncated by another program");
    cr_expect(ledger->lost);
}

/* A longer file looks as if somebody had added text. */
Test(append, notices_that_another_file_was_copied_onto_it) {
    add(0, 0);
    sync_ok();
    FILE *stream = fopen("file", "w");
    cr_assert(stream != NULL && fprintf(stream, "%2000s", "other\n") > 0 &&
              fclose(stream) == 0);
    add(1, 1);
    sync_fails(NQ_LEDGER_IO, "'file': overwritten by another program");
    cr_expect(ledger->lost);
}

Test(append, has_one_writer) {
    struct ledger *second;
    add(0, 4);
    sync_ok();
    cr_expect_eq(nqi_ledger_open("file", LEDGER_WRITE, &second, &ledger_failure),
                 NQ_LEDGER_BUSY);
    cr_expect_str_eq(ledger_failure.text, "ledger 'file': another process writes to it");
    expect_units("file", 5, 0);
    append_text("nq3 5 a writer has written half a li");
    expect_units("file", 5, 0);
    add(5, 9);
    sync_ok();
    nqi_ledger_close(ledger);
    ledger = open_ok("file", LEDGER_WRITE);
}

/* Some network file systems have no locks. There, appends of two clients overwrite each other.
 */
Test(append, goes_on_without_locks_until_another_process_writes) {
    char warning[512] = "";
    struct ledger *other;
    atomic_store(&disk.has_no_locks, 1);
    other = open_ok("file", LEDGER_WRITE);
    nqi_ledger_warn(other, warning, sizeof warning);
    cr_expect_not_null(strstr(warning, "'file': this file system has no locks"), "%s", warning);
    cr_assert_eq(nqi_ledger_match_job(other, &ledger->job), NQ_OK);
    struct ledger *locked = ledger;
    ledger = other;
    add(0, 4);
    sync_ok();
    append_text("x");
    add(5, 9);
    sync_fails(NQ_LEDGER_BUSY, "another process writes to it");
    cr_expect(ledger->lost);
    nqi_ledger_close(other);
    ledger = locked;
}
