/* SPDX-License-Identifier: MIT */
/* What SQLite leaves to its callers: how long to wait for a lock, the cause of a failure,
 * whether the file was moved, and whether a journal beside it belongs to it. */
#include "ledger/database.h"

#include "machine/clock.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds to wait for a lock of another process: to open the file, which fails soon if another
 * process writes; to commit after a stop; for a system that grants no locks at all (ENOLCK),
 * which network file systems may do for a moment. */
static const double database_patience = 2;

nq_status nqi_ledger_fail(const struct ledger *ledger, nq_status status, const char *format,
                          ...) {
    char why[sizeof ledger->failure->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return nqi_fail(ledger->failure, status, "ledger '%.200s': %s", ledger->file, why);
}

/* SQLite's busy handler. Returns 1 to try again, 0 to give up. */
static int database_wait_for_lock(void *context, int tries) {
    struct ledger *ledger = context;
    /* To SQLite, ENOLCK is a lock of another process. From the second try on, errno is that of
     * the try: it was cleared before. */
    ledger->no_lock = errno == ENOLCK && tries > 0;
    double now = nqi_seconds_now();
    if (tries == 0)
        atomic_store(&ledger->waiting, now);
    if (ledger->run != NULL && ledger->deadline <= 0 && !nqi_run_tick(ledger->run))
        ledger->deadline = now + database_patience;
    double timeout =
        ledger->no_lock ? fmin(ledger->timeout, database_patience) : ledger->timeout;
    if (now - atomic_load(&ledger->waiting) > timeout ||
        (ledger->deadline > 0 && now > ledger->deadline))
        return 0;
    nqi_pause_for(0.01);
    errno = 0;
    return 1;
}

static bool database_has_moved(const struct ledger *ledger) {
    int moved = 0;
    return sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
               SQLITE_OK &&
           moved != 0;
}

/* Returns the errno of the last failure; 0: not known. Where SQLite may make no file, it tries
 * to open one to read, and keeps the errno of that. */
static int database_cause(const struct ledger *ledger) {
    const int code = sqlite3_errcode(ledger->db);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", ledger->path);
    if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) &&
        access(dirname(folder), W_OK | X_OK) != 0)
        return errno;
    int cause = sqlite3_system_errno(ledger->db);
    if (cause == 0) /* it keeps none of a COMMIT, except with the file */
        sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

nq_status nqi_database_failed(const struct ledger *ledger) {
    int code = sqlite3_errcode(ledger->db);
    const char *why = sqlite3_errmsg(ledger->db);
    if (database_has_moved(ledger))
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "moved or deleted during the run");
    switch (code) {
    case SQLITE_NOMEM:
        return nqi_ledger_fail(ledger, NQ_NO_MEMORY, "out of memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (ledger->no_lock)
            return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "cannot be locked: %.40s",
                                   strerror(ENOLCK));
        return nqi_ledger_fail(ledger, NQ_LEDGER_BUSY, "in use by another process");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* the library's statements are right, so the schema is wrong */
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "damaged, or not a ledger: %.60s",
                               why);
    case SQLITE_CONSTRAINT:
        return nqi_ledger_fail(ledger, NQ_INTERNAL, "a unit would be recorded twice");
    default: {
        int cause = database_cause(ledger);
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "%.60s%s%.40s", why,
                               cause != 0 ? ": " : "", cause != 0 ? strerror(cause) : "");
    }
    }
}

nq_status nqi_database_execute(struct ledger *ledger, const char *sql) {
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? NQ_OK
               : nqi_database_failed(ledger);
}

nq_status nqi_database_each(struct ledger *ledger, const char *sql, sql_visit visit,
                            void *context) {
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db, sql, -1, &select, NULL);
    nq_status status = code == SQLITE_OK ? NQ_OK : nqi_database_failed(ledger);
    while (status == NQ_OK && (code = sqlite3_step(select)) == SQLITE_ROW)
        status = visit(context, select);
    if (status == NQ_OK && code != SQLITE_DONE)
        status = nqi_database_failed(ledger);
    sqlite3_finalize(select);
    return status;
}

static nq_status database_read_number(void *number, sqlite3_stmt *row) {
    *(int64_t *)number = sqlite3_column_int64(row, 0);
    return NQ_OK;
}

nq_status nqi_database_query(struct ledger *ledger, const char *sql, int64_t *number) {
    return nqi_database_each(ledger, sql, database_read_number, number);
}

/* Takes the write lock and notes data_version. */
static nq_status database_begin(struct ledger *ledger) {
    nq_status status = nqi_database_execute(ledger, "BEGIN IMMEDIATE");
    return status == NQ_OK
               ? nqi_database_query(ledger, "PRAGMA data_version", &ledger->data_version)
               : status;
}

/* A running writer holds the write lock except for a moment between two transactions, in which
 * this process may have taken it. So this process releases the lock twice for a tenth of a
 * second: a running writer takes it back, a killed one does not. */
nq_status nqi_database_confirm_lock(struct ledger *ledger) {
    nq_status status = NQ_OK;
    for (int i = 0; i < 2 && status == NQ_OK; i++) {
        status = nqi_database_execute(ledger, "ROLLBACK");
        nqi_pause_for(0.1);
        ledger->timeout = 0; /* a process that holds the lock now is a running writer */
        if (status == NQ_OK)
            status = database_begin(ledger);
    }
    return status;
}

/* Checks the name, since SQLite's own messages would not say what is wrong with it. */
static nq_status database_check_name(struct ledger *ledger) {
    const char *file = ledger->file;
    struct stat info;
    if (file[0] == '\0' || strcmp(file, "-") == 0)
        return nqi_ledger_fail(ledger, NQ_BAD_OPTION, "expected the name of a file%s",
                               file[0] == '-' ? ", such as ./-" : "");
    const bool exists = stat(file, &info) == 0;
    ledger->path = file;
    ledger->created = !exists;
    if (!exists && (errno != ENOENT || ledger->use == LEDGER_READ))
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "%.60s", strerror(errno));
    /* A name that ends in '/': SQLite would leave it out. */
    if (exists ? !S_ISREG(info.st_mode) : file[strlen(file) - 1] == '/')
        return nqi_ledger_fail(ledger, NQ_LEDGER_IO, "not a regular file");
    return NQ_OK;
}

static uint32_t database_number(const unsigned char *bytes) {
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return be32toh(number);
}

/* Returns whether another state of the file left the journal. The file's first page counts its
 * transactions, and a journal has that page as its transaction found it: until SQLite has
 * undone the transaction, the file is at the same count or the next. */
static bool database_journal_is_stale(const struct ledger *ledger, int journal,
                                      const unsigned char *header) {
    enum { COUNT_AT = 24 };
    unsigned char record[4 + COUNT_AT + 4], count[4];
    uint32_t found = 0;
    bool known = database_number(header + 16) == 0; /* the file was empty */
    const int64_t records = database_number(header + 8), first = database_number(header + 20),
                  length = database_number(header + 24) + INT64_C(8);
    for (int64_t i = 0; i < records && !known; i++) {
        if (pread(journal, record, sizeof record, first + i * length) != sizeof record)
            return false;
        known = database_number(record) == 1;
        found = database_number(record + 4 + COUNT_AT);
    }
    /* SQLite reads: this process would lose its locks by closing a descriptor of its own. */
    sqlite3_file *file = NULL;
    sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return known && file->pMethods->xRead(file, count, sizeof count, COUNT_AT) == SQLITE_OK &&
           database_number(count) - found > 1;
}

/* Refuses what has the name of SQLite's journal or log, and does not begin as these do: SQLite
 * would delete it, or wait for a FIFO. A journal begins with zeros until it is whole. */
static nq_status database_check_beside(const struct ledger *ledger, const char *end,
                                       const char *begin) {
    char name[PATH_MAX];
    unsigned char header[28] = {0};
    struct stat info, now;
    snprintf(name, sizeof name, "%s%s", ledger->path, end);
    const int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT
                   ? NQ_OK
                   : nqi_ledger_fail(ledger, NQ_LEDGER_IO, "'%.200s' cannot be opened: %s",
                                     name, strerror(errno));
    const bool genuine = fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                         pread(file, header, sizeof header, 0) >= 0 &&
                         (memcmp(header, begin, strlen(begin)) == 0 ||
                          memcmp(header, (char[8]){0}, strlen(begin)) == 0);
    /* A journal that is gone by now was of a transaction that another process ended. */
    const bool stale = genuine && header[0] == 0xd9 &&
                       database_journal_is_stale(ledger, file, header) &&
                       stat(name, &now) == 0 && now.st_ino == info.st_ino;
    close(file);
    return genuine && !stale
               ? NQ_OK
               : nqi_ledger_fail(ledger, NQ_LEDGER_IO, "'%.200s' %s", name,
                                 stale
                                     ? "was left by another state of this file, which SQLite "
                                       "would restore: move one of the two away"
                                     : "is not SQLite's own, and would be deleted: rename it");
}

/* Opens the file, and takes its path from SQLite: behind symbolic links, as its journal is. */
static nq_status database_open_file(struct ledger *ledger) {
    /* A reader, too, must be able to roll back the transaction of a killed writer. */
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                      (ledger->use == LEDGER_READ ? 0 : SQLITE_OPEN_CREATE);
    /* To SQLite ":memory:" and "file:..." are special names; with "./" they are file names. */
    char *name = sqlite3_mprintf("%s%s", ledger->file[0] == '/' ? "" : "./", ledger->file);
    if (name == NULL)
        return NQ_NO_MEMORY;
    const int code = sqlite3_open_v2(name, &ledger->db, flags, NULL);
    sqlite3_free(name);
    if (code != SQLITE_OK)
        return ledger->db == NULL ? NQ_NO_MEMORY : nqi_database_failed(ledger);
    ledger->path = sqlite3_db_filename(ledger->db, "main");
    nq_status status =
        database_check_beside(ledger, "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
    if (status == NQ_OK)
        status = database_check_beside(ledger, "-wal", "\x37\x7f\x06");
    if (status != NQ_OK && ledger->created)
        unlink(ledger->path); /* here: SQLite would delete what is beside it first */
    return status;
}

nq_status nqi_database_open(struct ledger *ledger) {
    nq_status status = database_check_name(ledger);
    if (status == NQ_OK)
        status = database_open_file(ledger);
    if (status != NQ_OK)
        return status;
    ledger->timeout = database_patience;
    sqlite3_busy_handler(ledger->db, database_wait_for_lock, ledger);
    /* EXTRA: a commit is over when the deletion of its journal is on the disk. With FULL a
     * power cut could bring the journal back, and undo the commit. */
    status =
        nqi_database_execute(ledger, "PRAGMA synchronous = EXTRA; PRAGMA cell_size_check = ON");
    if (status != NQ_OK)
        return status;
    return ledger->use == LEDGER_READ ? nqi_database_execute(ledger, "BEGIN")
                                      : database_begin(ledger);
}

/* Returns whether no process has ever committed anything to the file, and takes the write lock
 * for that: SQLite has released it if the disk is full. */
static bool database_nothing_was_committed(struct ledger *ledger) {
    struct stat info;
    if (ledger->db == NULL || database_has_moved(ledger))
        return false;
    ledger->timeout = 0;
    sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    /* SQLITE_FULL: there is no room for a journal, so no other process has one. */
    int code = sqlite3_exec(ledger->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    return (code == SQLITE_OK || code == SQLITE_FULL) && stat(ledger->path, &info) == 0 &&
           info.st_size == 0;
}

void nqi_database_close(struct ledger *ledger) {
    if (ledger->created && database_nothing_was_committed(ledger))
        unlink(ledger->path);
    sqlite3_close(ledger->db);
}

nq_status nqi_database_commit(struct ledger *ledger) {
    if (database_has_moved(ledger))
        return nqi_database_failed(ledger);
    nq_status status = nqi_database_execute(ledger, "COMMIT");
    atomic_store(&ledger->waiting, 0);
    return status;
}

nq_status nqi_database_resume(struct ledger *ledger) {
    int64_t before = ledger->data_version;
    nq_status status = database_begin(ledger);
    atomic_store(&ledger->waiting, 0);
    if (status != NQ_OK || ledger->data_version == before)
        return status;
    return nqi_ledger_fail(ledger, NQ_LEDGER_BUSY, "another process has written to it");
}
