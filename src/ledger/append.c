/* SPDX-License-Identifier: MIT */
/* Appends lines to a ledger's file, and brings them to the disk.
 *
 * A write may end in the middle of a line: the disk may be full, the power fail, or the process
 * be killed. What is in the file then stays there. The next writer begins with a newline, so
 * that the cut line is left out as damaged. If nobody knows whether lines reached the disk,
 * they are written again; readers count a repeated line once.
 *
 * Users may replace, cut or overwrite the file meanwhile. So before each write, the file's size
 * and its last bytes are compared with what this process left there. */
#include "ledger/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most bytes that are brought to the disk at a time. */
enum { BATCH_SIZE = 64 << 10 };

/* Makes room for one more line, and returns where it begins; NULL if memory runs out. */
static char *batch_end(struct batch *batch) {
    if (batch->length + LINE_SIZE > batch->capacity) {
        const size_t capacity = 2 * batch->capacity + 2 * LINE_SIZE;
        char *grown = realloc(batch->text, capacity);
        if (grown == NULL)
            return NULL;
        batch->text = grown;
        batch->capacity = capacity;
    }
    return batch->text + batch->length;
}

nq_status nqi_ledger_add_unit(struct ledger *ledger, const struct unit_line *unit) {
    char *end = batch_end(&ledger->batch);
    if (end != NULL)
        ledger->batch.length += nqi_line_write_unit(&ledger->job, unit, end);
    return end != NULL ? NQ_OK : NQ_NO_MEMORY;
}

nq_status nqi_ledger_add_run(struct ledger *ledger, const struct run_line *run) {
    char *end = batch_end(&ledger->batch);
    if (end != NULL)
        ledger->batch.length += nqi_line_write_run(&ledger->job, run, end);
    return end != NULL ? NQ_OK : NQ_NO_MEMORY;
}

/* Brings the name of a new file to the disk, too. Failures are ignored: the count goes on if
 * the folder cannot be read, or the file system cannot synchronize folders. */
static void ledger_sync_folder(const struct ledger *ledger) {
    char *path = realpath(ledger->name, NULL);
    const int folder =
        path != NULL ? open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(path);
}

/* Returns whether the file still holds the bytes that this process wrote last. If another file
 * was copied onto it, the size does not always show that. */
static bool ledger_has_tail(const struct ledger *ledger) {
    char tail[TAIL_SIZE];
    const ssize_t length = (ssize_t)ledger->tail_length;
    return pread(ledger->file, tail, ledger->tail_length, ledger->size - length) == length &&
           memcmp(tail, ledger->tail, ledger->tail_length) == 0;
}

static void ledger_keep_tail(struct ledger *ledger, const char *text, size_t written) {
    ledger->tail_length = written < TAIL_SIZE ? written : TAIL_SIZE;
    memcpy(ledger->tail, text + written - ledger->tail_length, ledger->tail_length);
}

/* Called when another program has appended text, perhaps in the middle of a line of the batch,
 * and perhaps without a newline at its end. Has the lines under way written again. */
static nq_status ledger_heed_other_text(struct ledger *ledger) {
    /* Without a lock, over NFS, two processes that append at the same time overwrite each
     * other's lines. */
    ledger->lost = ledger->unlocked;
    if (ledger->lost)
        return nqi_ledger_fail(ledger, NQ_LEDGER_BUSY, "another process writes to it");
    ledger->needs_newline = true;
    ledger->batch.written = ledger->batch.safe;
    return NQ_OK;
}

/* Checks that the file holds all that this process left there. If another program has appended
 * text, lines of the batch that are not yet on the disk will be written again. */
static nq_status ledger_check_file(struct ledger *ledger) {
    struct stat info;
    if (fstat(ledger->file, &info) != 0)
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "%s", strerror(errno));
    ledger->lost = info.st_nlink == 0 || info.st_size < ledger->size;
    if (ledger->lost)
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "%s by another program",
                               info.st_nlink == 0 ? "deleted or replaced" : "truncated");
    ledger->lost = !ledger_has_tail(ledger);
    if (ledger->lost)
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "overwritten by another program");
    if (info.st_size == ledger->size)
        return NQ_OK;
    ledger->size = info.st_size;
    ledger->tail_length = 0;
    return ledger_heed_other_text(ledger);
}

/* Writes the bytes of the batch before `end` that are not in the file yet. If a write takes
 * only a part of them, the rest follows, here or at the next attempt. */
static nq_status ledger_write(struct ledger *ledger, size_t end) {
    struct batch *batch = &ledger->batch;
    while (ledger->needs_newline || batch->written < end) {
        const char *text = ledger->needs_newline ? "\n" : batch->text + batch->written;
        const ssize_t got =
            write(ledger->file, text, ledger->needs_newline ? 1 : end - batch->written);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "cannot be written: %s",
                                   strerror(got == 0 ? ENOSPC : errno));
        const off_t end_of_write = lseek(ledger->file, 0, SEEK_CUR);
        /* If other text came after the last look at the file, this write went behind it. */
        const bool alone = end_of_write == ledger->size + got;
        ledger->size = end_of_write;
        ledger_keep_tail(ledger, text, (size_t)got);
        batch->written += ledger->needs_newline ? 0 : (size_t)got;
        ledger->needs_newline = false;
        const nq_status status = alone ? NQ_OK : ledger_heed_other_text(ledger);
        if (status != NQ_OK)
            return status;
    }
    return NQ_OK;
}

/* Returns the end of the next whole lines to write: BATCH_SIZE bytes or somewhat less. */
static size_t batch_next_end(const struct batch *batch) {
    if (batch->length - batch->safe <= BATCH_SIZE)
        return batch->length;
    const char *begin = batch->text + batch->safe, *last = memrchr(begin, '\n', BATCH_SIZE);
    return (size_t)(last + 1 - batch->text);
}

/* Brings the next lines of the batch to the disk. */
static nq_status ledger_sync_some(struct ledger *ledger) {
    struct batch *batch = &ledger->batch;
    const size_t end = batch_next_end(batch);
    nq_status status = ledger_check_file(ledger);
    if (status == NQ_OK)
        status = ledger_write(ledger, end);
    if (status == NQ_OK && fdatasync(ledger->file) != 0) {
        /* It is not known which bytes are on the disk. A second fdatasync() may report success
         * even if some bytes are not on the disk. So these lines are written again. */
        batch->written = batch->safe;
        ledger->needs_newline = true;
        ledger->tail_length = 0;
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "cannot be written: %s", strerror(errno));
    }
    if (status == NQ_OK)
        batch->safe = end;
    return status;
}

nq_status nqi_ledger_sync(struct ledger *ledger) {
    struct batch *batch = &ledger->batch;
    nq_status status = NQ_OK;
    while (status == NQ_OK && batch->safe < batch->length)
        status = ledger_sync_some(ledger);
    if (status != NQ_OK)
        return status;
    if (ledger->created)
        ledger_sync_folder(ledger);
    ledger->created = false;
    batch->length = batch->written = batch->safe = 0;
    return NQ_OK;
}
