/* SPDX-License-Identifier: MIT */
/* Opens ledgers and reads their lines into memory.
 *
 * A file may be anything: cut in the middle of a line, joined of several ledgers, in use by a
 * writer, or no ledger at all. It is read once from its beginning to its end, in pieces. Each
 * line is judged by itself, and is kept, compared with an earlier line of its unit, or left
 * out. */
#include "ledger/ledger.h"

#include "core/arrays.h"
#include "core/job.h"
#include "core/text.h"
#include "methods/methods.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is being read into a ledger. */
struct scan {
    struct ledger *ledger;
    const char *name;
    int file;
    line_visit visit;
    void *context;
    uint64_t line;   /* number of the line that was read last, from 1 */
    uint64_t intact; /* number of intact lines so far */
    bool in_use;     /* another process held the lock when the reading began */
    bool cut;        /* the last line lacks its end */
    off_t size;      /* bytes read so far */
};

static nq_status fail_in(const struct ledger *ledger, const char *name, nq_status status,
                         const char *format, va_list arguments) {
    char why[sizeof ledger->failure->text];
    vsnprintf(why, sizeof why, format, arguments);
    return nqi_fail(ledger->failure, status, "ledger '%.200s': %.280s", name, why);
}

nq_status nqi_ledger_fail(const struct ledger *ledger, nq_status status, const char *format,
                          ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_in(ledger, ledger->name, status, format, arguments);
    va_end(arguments);
    return status;
}

/* Stores a reason, after the name of the file that is being read. Returns the status. */
__attribute__((format(printf, 3, 4))) static nq_status
scan_fail(const struct scan *scan, nq_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_in(scan->ledger, scan->name, status, format, arguments);
    va_end(arguments);
    return status;
}

static nq_status ledger_set_job(struct ledger *ledger, const nq_job *job) {
    ledger->unit = calloc(job->units + 1, sizeof *ledger->unit);
    if (ledger->unit == NULL)
        return NQ_NO_MEMORY;
    ledger->job = *job;
    ledger->has_job = true;
    return NQ_OK;
}

/* Gives the ledger the job of its first intact line. */
static nq_status scan_begin_job(struct scan *scan, const nq_job *job) {
    const struct method *method = nqi_method_by_name(job->method, NULL);
    if (method == NULL || method->version != job->version)
        return scan_fail(scan, NQ_LEDGER_DAMAGED, "made by another version of nqueens");
    scan->ledger->job_file = scan->name;
    scan->ledger->job_line = scan->line;
    return ledger_set_job(scan->ledger, job);
}

static nq_status scan_fail_job(const struct scan *scan, const nq_job *job) {
    const struct ledger *ledger = scan->ledger;
    if (ledger->job.n == job->n && strcmp(ledger->job.method, job->method) == 0)
        return scan_fail(scan, NQ_LEDGER_DAMAGED,
                         "line %" PRIu64 " was made by another version of nqueens", scan->line);
    return nqi_fail(ledger->failure, NQ_LEDGER_OTHER,
                    "lines belong to different counts: '%.150s', line %" PRIu64
                    ", to n = %d, method %s; '%.150s', line %" PRIu64 ", to n = %d, method %s",
                    ledger->job_file, ledger->job_line, ledger->job.n, ledger->job.method,
                    scan->name, scan->line, job->n, job->method);
}

static nq_status scan_fail_unit(const struct scan *scan, uint64_t id,
                                struct unit_result found) {
    const struct recorded_unit *unit = &scan->ledger->unit[id];
    return nqi_fail(scan->ledger->failure, NQ_DISAGREE,
                    "unit %" PRIu64 ": '%.120s', line %" PRIu64 ", has %" PRIu64
                    " solutions, work %" PRIu64 "; '%.120s', line %" PRIu64 ", has %" PRIu64
                    " solutions, work %" PRIu64,
                    id, unit->file, unit->line, unit->result.solutions, unit->result.work,
                    scan->name, scan->line, found.solutions, found.work);
}

/* Returns the ledger's own copy of a kernel's name; NULL if memory runs out. A ledger has few
 * names, and most units have the last one that was added, so the list is searched from its
 * end. */
static const char *ledger_keep_kernel(struct ledger *ledger, const char *name) {
    for (size_t i = ledger->kernels; i-- > 0;)
        if (strcmp(ledger->kernel[i], name) == 0)
            return ledger->kernel[i];
    char **grown = nqi_array_grow(ledger->kernel, ledger->kernels, &ledger->kernels_capacity,
                                  sizeof *grown);
    char *copy = grown != NULL ? strdup(name) : NULL;
    ledger->kernel = grown != NULL ? grown : ledger->kernel;
    if (copy != NULL)
        ledger->kernel[ledger->kernels++] = copy;
    return copy;
}

/* Keeps a unit's result, or compares it with the one that was read before. */
static nq_status scan_take_unit(struct scan *scan, const struct line *line) {
    struct ledger *ledger = scan->ledger;
    struct recorded_unit *unit = &ledger->unit[line->unit.id];
    if (unit->kernel != NULL)
        return results_agree(unit->result, line->unit.result)
                   ? NQ_OK
                   : scan_fail_unit(scan, line->unit.id, line->unit.result);
    const char *kernel = ledger_keep_kernel(ledger, line->unit.kernel);
    if (kernel == NULL)
        return NQ_NO_MEMORY;
    *unit = (struct recorded_unit){line->unit.result, kernel, scan->name, scan->line};
    ledger->units_recorded++;
    ledger->thread_seconds += (double)line->unit.nanoseconds * 1e-9;
    return scan->visit != NULL ? scan->visit(scan->context, line) : NQ_OK;
}

static nq_status scan_take_run(struct scan *scan, const struct line *line) {
    struct ledger *ledger = scan->ledger;
    struct recorded_run *grown =
        nqi_array_grow(ledger->run, ledger->runs, &ledger->runs_capacity, sizeof *grown);
    if (grown == NULL)
        return NQ_NO_MEMORY;
    ledger->run = grown;
    ledger->run[ledger->runs++] = (struct recorded_run){line->run.id, line->run.nanoseconds,
                                                        (int)line->run.shards, line->run.ended};
    return scan->visit != NULL ? scan->visit(scan->context, line) : NQ_OK;
}

static void scan_leave_out(struct scan *scan) {
    struct ledger *ledger = scan->ledger;
    if (ledger->lines_damaged++ == 0) {
        ledger->damaged_file = scan->name;
        ledger->damaged_line = scan->line;
    }
}

/* Processes one line, which is passed without its newline. */
static nq_status scan_take_line(struct scan *scan, char *text, size_t length) {
    struct ledger *ledger = scan->ledger;
    struct line line;
    scan->line++;
    if (length == 0 || (length == 1 && text[0] == '\r'))
        return NQ_OK; /* writers add a newline after a line that was cut */
    if (!nqi_line_read(text, length, &line)) {
        scan_leave_out(scan);
        return NQ_OK;
    }
    scan->intact++;
    const nq_status status = ledger->has_job ? NQ_OK : scan_begin_job(scan, &line.job);
    if (status != NQ_OK)
        return status;
    if (!nqi_job_equal(&ledger->job, &line.job))
        return scan_fail_job(scan, &line.job);
    return line.kind == UNIT_LINE  ? scan_take_unit(scan, &line)
           : line.kind == RUN_LINE ? scan_take_run(scan, &line)
                                   : NQ_OK;
}

/* READ_SIZE: bytes that are read at a time. FOREIGN_SIZE: a file that does not begin like a
 * ledger, and has no intact line in this many bytes, is refused, so that a large foreign file
 * is not read to its end. */
enum { READ_SIZE = 64 << 10, FOREIGN_SIZE = 1 << 20 };

/* Processes the whole lines among *length bytes of text. Moves the rest, the beginning of the
 * next line, to the start of the text, and stores its length in *length. */
static nq_status scan_take_lines(struct scan *scan, char *text, size_t *length) {
    char *line = text, *const end = text + *length, *line_end;
    nq_status status = NQ_OK;
    while (status == NQ_OK && (line_end = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        status = scan_take_line(scan, line, (size_t)(line_end - line));
        line = line_end + 1;
    }
    *length = (size_t)(end - line);
    /* A rest of this length is longer than any line, so the line to which it belongs is
     * damaged. Only one byte of the rest is kept, and the remainder of the line is appended to
     * this byte. Without the byte, that remainder might be empty, and an empty line does not
     * count as damage. */
    if (*length >= LINE_SIZE)
        *length = 1;
    memmove(text, line, *length);
    return status;
}

/* Processes the text after the file's last newline. */
static nq_status scan_take_rest(struct scan *scan, char *text, size_t length) {
    struct ledger *ledger = scan->ledger;
    const uint64_t damaged_before = ledger->lines_damaged;
    scan->cut = true;
    const nq_status status = scan_take_line(scan, text, length);
    if (scan->in_use) /* the line is being written, and so is not damaged */
        ledger->lines_damaged = damaged_before;
    return status;
}

/* Reads the file from its beginning to its end. */
static nq_status scan_read(struct scan *scan) {
    struct flock lock = {.l_type = F_WRLCK};
    char buffer[READ_SIZE];
    size_t kept = 0;
    ssize_t got;
    bool may_be_ledger = true;
    nq_status status = NQ_OK;
    scan->in_use = fcntl(scan->file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    while (status == NQ_OK &&
           (got = pread(scan->file, buffer + kept, sizeof buffer - kept, scan->size)) > 0) {
        if (scan->size == 0)
            may_be_ledger = nqi_line_may_begin(buffer, (size_t)got);
        scan->size += got;
        kept += (size_t)got;
        status = scan_take_lines(scan, buffer, &kept);
        if (!may_be_ledger && scan->intact == 0 && scan->size > FOREIGN_SIZE)
            break;
    }
    if (status == NQ_OK && got < 0)
        return scan_fail(scan, NQ_LEDGER_IO, "cannot be read: %s", strerror(errno));
    if (status == NQ_OK && kept > 0)
        status = scan_take_rest(scan, buffer, kept);
    if (status == NQ_OK && scan->size > 0 && scan->intact == 0 && !may_be_ledger)
        return scan_fail(scan, NQ_LEDGER_DAMAGED,
                         "not a ledger, or made by another version of nqueens");
    return status;
}

/* Takes the lock that a writer holds until it closes the file. Some file systems, such as some
 * network file systems, have no locks. There the ledger is used without a lock, and users are
 * warned. */
static nq_status ledger_lock(struct ledger *ledger) {
    struct flock whole = {.l_type = F_WRLCK};
    ledger->unlocked = fcntl(ledger->file, F_OFD_SETLK, &whole) != 0;
    if (!ledger->unlocked || (errno != EAGAIN && errno != EACCES))
        return NQ_OK;
    ledger->created = false; /* the other process created the file, so it must stay */
    return nqi_ledger_fail(ledger, NQ_LEDGER_BUSY, "another process writes to it");
}

static nq_status scan_open(struct scan *scan, int flags) {
    struct stat info;
    const char *name = scan->name;
    if (name[0] == '\0' || strcmp(name, "-") == 0)
        return scan_fail(scan, NQ_BAD_OPTION, "expected the name of a file%s",
                         name[0] == '-' ? ", such as ./-" : "");
    /* With O_NONBLOCK, opening a FIFO does not wait for its writer. */
    scan->file = open(name, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    if (scan->file < 0 || fstat(scan->file, &info) != 0)
        return scan_fail(scan, NQ_LEDGER_IO, "%s", strerror(errno));
    return S_ISREG(info.st_mode) ? NQ_OK : scan_fail(scan, NQ_LEDGER_IO, "not a regular file");
}

nq_status nqi_ledger_read(struct ledger *ledger, const char *name, line_visit visit,
                          void *context) {
    struct scan scan = {
        .ledger = ledger, .name = name, .file = -1, .visit = visit, .context = context};
    nq_status status = scan_open(&scan, O_RDONLY);
    if (status == NQ_OK)
        status = scan_read(&scan);
    if (scan.file >= 0)
        close(scan.file);
    return status;
}

static struct ledger *ledger_new(const char *name, struct failure *failure) {
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger != NULL)
        *ledger = (struct ledger){.name = name, .failure = failure, .file = -1};
    return ledger;
}

/* Reads the ledger's own file. On failure, closes the ledger and sets *out to NULL. */
static nq_status ledger_read_own(struct ledger *ledger, struct ledger **out) {
    struct scan scan = {.ledger = ledger, .name = ledger->name, .file = ledger->file};
    const nq_status status = scan_read(&scan);
    ledger->in_use = scan.in_use;
    ledger->needs_newline = scan.cut;
    ledger->size = scan.size;
    *out = status == NQ_OK ? ledger : NULL;
    if (status != NQ_OK)
        nqi_ledger_close(ledger);
    return status;
}

nq_status nqi_ledger_open(const char *name, enum ledger_use use, struct ledger **out,
                          struct failure *failure) {
    struct ledger *ledger = *out = ledger_new(name, failure);
    failure->text[0] = '\0';
    if (ledger == NULL)
        return NQ_NO_MEMORY;
    struct scan scan = {.ledger = ledger, .name = name, .file = -1};
    struct stat info; /* lstat(): a link that leads nowhere exists, and must not be removed */
    ledger->created = use == LEDGER_WRITE && lstat(name, &info) != 0;
    nq_status status =
        scan_open(&scan, use == LEDGER_WRITE ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY);
    ledger->file = scan.file;
    if (status == NQ_OK && use == LEDGER_WRITE)
        status = ledger_lock(ledger);
    if (status == NQ_OK)
        return ledger_read_own(ledger, out);
    nqi_ledger_close(ledger);
    *out = NULL;
    return status;
}

nq_status nqi_ledger_read_again(const struct ledger *ledger, struct ledger **out) {
    struct ledger *again = *out = ledger_new(ledger->name, ledger->failure);
    if (again == NULL)
        return NQ_NO_MEMORY;
    again->file = fcntl(ledger->file, F_DUPFD_CLOEXEC, 0);
    if (again->file >= 0)
        return ledger_read_own(again, out);
    nqi_ledger_close(again);
    *out = NULL;
    return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "%s", strerror(errno));
}

/* Removes a new file if nobody has written to it, and its name still leads to it. */
static void ledger_remove_empty(const struct ledger *ledger) {
    struct stat info, named;
    if (fstat(ledger->file, &info) == 0 && info.st_size == 0 &&
        stat(ledger->name, &named) == 0 && named.st_ino == info.st_ino &&
        named.st_dev == info.st_dev)
        unlink(ledger->name);
}

void nqi_ledger_close(struct ledger *ledger) {
    if (ledger == NULL)
        return;
    if (ledger->created)
        ledger_remove_empty(ledger);
    if (ledger->file >= 0)
        close(ledger->file);
    for (size_t i = 0; i < ledger->kernels; i++)
        free(ledger->kernel[i]);
    free(ledger->kernel);
    free(ledger->unit);
    free(ledger->run);
    free(ledger->batch.text);
    free(ledger);
}

nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job) {
    if (!ledger->has_job)
        return ledger_set_job(ledger, job);
    if (nqi_job_equal(&ledger->job, job))
        return NQ_OK;
    if (ledger->job.n == job->n && strcmp(ledger->job.method, job->method) == 0)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "made by another version of nqueens");
    return nqi_ledger_fail(ledger, NQ_LEDGER_OTHER,
                           "it is for n = %d, method %s, not for n = %d, method %s",
                           ledger->job.n, ledger->job.method, job->n, job->method);
}

nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition) {
    const nq_job *job = &ledger->job;
    *partition = NULL;
    if (!ledger->has_job)
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "nothing in it yet");
    *partition = nqi_method_by_name(job->method, NULL)->partition(job->n);
    if (*partition == NULL)
        return NQ_NO_MEMORY;
    if (nqi_job_equal(&(*partition)->job, job))
        return NQ_OK;
    partition_close(*partition);
    *partition = NULL;
    return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "made by another version of nqueens");
}

void nqi_add_warning(char *text, size_t size, const char *format, ...) {
    const size_t length = strlen(text);
    const int joined = snprintf(text + length, size - length, "%s", length > 0 ? "; " : "");
    va_list arguments;
    va_start(arguments, format);
    if (length + (size_t)joined < size)
        vsnprintf(text + length + joined, size - length - (size_t)joined, format, arguments);
    va_end(arguments);
}

void nqi_ledger_warn(const struct ledger *ledger, char *text, size_t size) {
    if (ledger->lines_damaged == 1)
        nqi_add_warning(text, size,
                        "ledger '%.200s': line %" PRIu64 " is not intact, so it is left out",
                        ledger->damaged_file, ledger->damaged_line);
    else if (ledger->lines_damaged > 1)
        nqi_add_warning(
            text, size,
            "ledger '%.200s': %" PRIu64
            " lines are not intact, so they are left out; the first one is line %" PRIu64,
            ledger->damaged_file, ledger->lines_damaged, ledger->damaged_line);
    if (ledger->unlocked)
        nqi_add_warning(text, size,
                        "ledger '%.200s': this file system has no locks, so make sure that "
                        "only one process writes to it",
                        ledger->name);
}
