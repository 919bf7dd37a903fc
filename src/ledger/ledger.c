#include "ledger/ledger.h"

#include "run/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the header of the file: what it is ("nqLG"), and in which format. */
enum { APPLICATION_ID = 0x6e714c47, FORMAT = 1 };

/* How long to wait for others, in seconds: who starts to write finds out soon that somebody
 * else does; who has something to commit waits until all readers have read, unless in a hurry.
 */
static const double wait_to_open = 2, wait_to_commit = 600, wait_in_a_hurry = 2;

struct ledger {
    sqlite3 *db;
    sqlite3_stmt *insert[TABLES];
    double patience;  /* seconds to wait for others */
    double waiting;   /* since when, by seconds_now */
    double no_longer; /* than that, by seconds_now; 0: not in a hurry */
    struct patience *_Atomic ask;
    int64_t others;   /* changes when another process has committed */
    const char *file; /* as the caller named it; borrowed */
    char path[4096];  /* as SQLite gets it */
    enum ledger_use use;
    bool is_new;  /* nothing committed yet */
    bool created; /* the file was not there before */
    bool has_job;
    struct ledger_job job;
    struct job_text job_text;
};

const char *ledger_file(const struct ledger *ledger) {
    return ledger->file;
}

bool ledger_is_new(const struct ledger *ledger) {
    return ledger->is_new;
}

void ledger_ask(struct ledger *ledger, struct patience *patience) {
    atomic_store(&ledger->ask, patience);
}

/* SQLite asks this when somebody else holds a lock that we need: to try again, or to give up.
 */
static int wait_for_others(void *context, int tries) {
    struct ledger *ledger = context;
    double now = seconds_now();
    if (tries == 0)
        ledger->waiting = now;
    struct patience *ask = atomic_load(&ledger->ask);
    if (ask != NULL && ledger->no_longer <= 0 && !ask->wait(ask->context))
        ledger->no_longer = now + wait_in_a_hurry;
    if (now - ledger->waiting > ledger->patience ||
        (ledger->no_longer > 0 && now > ledger->no_longer))
        return 0;
    pause_for(0.01);
    return 1;
}

static bool has_moved(const struct ledger *ledger) {
    int moved = 0;
    return sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
               SQLITE_OK &&
           moved != 0;
}

const struct ledger_job *ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
}

/* What SQLite's last failure means to us. */
static nq_status failed(const struct ledger *ledger, char *detail, size_t size) {
    int code = sqlite3_errcode(ledger->db) & 0xff;
    const char *why = sqlite3_errmsg(ledger->db);
    if (has_moved(ledger)) {
        snprintf(detail, size, "ledger '%.200s': moved or deleted during the run",
                 ledger->file);
        return NQ_LEDGER_IO;
    }
    switch (code) {
    case SQLITE_NOMEM:
        snprintf(detail, size, "ledger '%.200s': out of memory", ledger->file);
        return NQ_NO_MEMORY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        snprintf(detail, size, "ledger '%.200s': in use by another process", ledger->file);
        return NQ_LEDGER_BUSY;
    case SQLITE_NOTADB:
        snprintf(detail, size, "ledger '%.200s': not an SQLite file, or its header is damaged",
                 ledger->file);
        return NQ_LEDGER_DAMAGED;
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* our own statements are right, so the schema is not */
        snprintf(detail, size, "ledger '%.200s': damaged: %.60s", ledger->file, why);
        return NQ_LEDGER_DAMAGED;
    case SQLITE_CONSTRAINT:
        snprintf(detail, size, "ledger '%.200s': a unit was to be recorded twice",
                 ledger->file);
        return NQ_LOST_UNIT;
    default: {
        int cause = sqlite3_system_errno(ledger->db);
        snprintf(detail, size, "ledger '%.200s': %.60s%s%.40s", ledger->file, why,
                 cause != 0 ? ": " : "", cause != 0 ? strerror(cause) : "");
        return NQ_LEDGER_IO;
    }
    }
}

static nq_status execute(struct ledger *ledger, const char *sql, char *detail, size_t size) {
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? NQ_OK
               : failed(ledger, detail, size);
}

/* The number that a statement such as a PRAGMA yields. */
static nq_status ask(struct ledger *ledger, const char *sql, int64_t *number, char *detail,
                     size_t size) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(ledger->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    nq_status status = NQ_OK;
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    else
        status = failed(ledger, detail, size);
    sqlite3_finalize(statement);
    return status;
}

static nq_status damaged(const struct ledger *ledger, const char *what, char *detail,
                         size_t size) {
    snprintf(detail, size, "ledger '%.200s': damaged: %.70s", ledger->file, what);
    return NQ_LEDGER_DAMAGED;
}

/* The file's structure as SQLite sees it: pages, cells, order of rows. */
static nq_status check_structure(struct ledger *ledger, char *detail, size_t size) {
    sqlite3_stmt *check = NULL;
    nq_status status = NQ_OK;
    int code = sqlite3_prepare_v2(ledger->db, "PRAGMA quick_check(1)", -1, &check, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(check);
    if (code != SQLITE_ROW)
        status = failed(ledger, detail, size);
    else if (strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0)
        status = damaged(ledger, (const char *)sqlite3_column_text(check, 0), detail, size);
    sqlite3_finalize(check);
    /* SQLite's report is of several lines: one is enough. */
    detail[strcspn(detail, "\n")] = '\0';
    return status;
}

/* The tables must be ours to the letter. */
static nq_status check_schema(struct ledger *ledger, char *detail, size_t size) {
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db, "SELECT sql FROM sqlite_schema ORDER BY rowid",
                                  -1, &select, NULL);
    int table = 0;
    bool same = true;
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(select);
        if (code != SQLITE_ROW)
            break;
        char expected[512];
        const char *sql = (const char *)sqlite3_column_text(select, 0);
        if (table < TABLES)
            table_schema((enum table_id)table, expected, sizeof expected);
        same = same && table < TABLES && sql != NULL && strcmp(sql, expected) == 0;
        table++;
    }
    nq_status status = NQ_OK;
    if (code != SQLITE_DONE)
        status = failed(ledger, detail, size);
    else if (!same || table != TABLES)
        status = damaged(ledger, "its tables are not those of a ledger", detail, size);
    sqlite3_finalize(select);
    return status;
}

static nq_status create_tables(struct ledger *ledger, char *detail, size_t size) {
    char sql[512];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, FORMAT);
    nq_status status = execute(ledger, sql, detail, size);
    for (int table = 0; table < TABLES && status == NQ_OK; table++) {
        table_schema((enum table_id)table, sql, sizeof sql);
        status = execute(ledger, sql, detail, size);
    }
    return status;
}

/* Is it a ledger, and of a format that we know? */
static nq_status check_header(struct ledger *ledger, char *detail, size_t size) {
    int64_t application = 0, format = 0;
    nq_status status = ask(ledger, "PRAGMA application_id", &application, detail, size);
    if (status == NQ_OK)
        status = ask(ledger, "PRAGMA user_version", &format, detail, size);
    if (status != NQ_OK)
        return status;
    if (application != APPLICATION_ID) {
        snprintf(detail, size, "ledger '%.200s': an SQLite file, but not a ledger",
                 ledger->file);
        return NQ_LEDGER_DAMAGED;
    }
    if (format != FORMAT) {
        snprintf(detail, size,
                 "ledger '%.200s': of format %" PRId64 "; this version knows format %d",
                 ledger->file, format, FORMAT);
        return NQ_LEDGER_DAMAGED;
    }
    return NQ_OK;
}

static bool is_in_range(const struct ledger *ledger, const struct row *unit) {
    const struct value *value = unit->value;
    return value[UNIT_ID].number >= 0 && (uint64_t)value[UNIT_ID].number < ledger->job.units &&
           value[UNIT_SOLUTIONS].number >= 0 && value[UNIT_WORK].number >= 0 &&
           value[UNIT_NANOSECONDS].number >= 0;
}

nq_status ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                      void *context, char *detail, size_t size) {
    if (ledger->is_new)
        return NQ_OK;
    char sql[128];
    table_select_sql(table, sql, sizeof sql);
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db, sql, -1, &select, NULL);
    nq_status status = code == SQLITE_OK ? NQ_OK : failed(ledger, detail, size);
    int64_t last = INT64_MIN;
    while (status == NQ_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
        struct row row;
        bool whole =
            row_read(select, table, table == TABLE_JOB ? NULL : &ledger->job_text, &row);
        if (!whole || (row.value[0].number <= last && last != INT64_MIN)) {
            char what[64];
            snprintf(what, sizeof what, "%s %" PRId64 " %s", table_name(table),
                     row.value[0].number,
                     whole ? "is out of order" : "does not match its checksum");
            status = damaged(ledger, what, detail, size);
            break;
        }
        last = row.value[0].number;
        if (table == TABLE_UNIT && !is_in_range(ledger, &row)) {
            char what[64];
            snprintf(what, sizeof what, "unit %" PRId64 " is out of range", last);
            status = damaged(ledger, what, detail, size);
            break;
        }
        status = visit(context, &row);
    }
    if (status == NQ_OK && code != SQLITE_DONE)
        status = failed(ledger, detail, size);
    sqlite3_finalize(select);
    return status;
}

/* The job's table has one row, and that makes sense. */
static nq_status take_job(void *context, const struct row *row) {
    struct ledger *ledger = context;
    const struct value *value = row->value;
    if (ledger->has_job || value[JOB_N].number < 0 || value[JOB_N].number > NQ_MAX_N ||
        value[JOB_UNITS].number < 0 || value[JOB_VERSION].number < 0 ||
        value[JOB_VERSION].number > INT32_MAX || value[JOB_DEPTH].number < 0 ||
        value[JOB_DEPTH].number > NQ_MAX_N)
        return NQ_LEDGER_DAMAGED;
    struct ledger_job *job = &ledger->job;
    job->n = (int)value[JOB_N].number;
    memcpy(job->method, value[JOB_METHOD].text, sizeof job->method);
    memcpy(job->plan, value[JOB_PLAN].text, sizeof job->plan);
    job->plan_version = (int)value[JOB_VERSION].number;
    job->depth = (int)value[JOB_DEPTH].number;
    job->units = (uint64_t)value[JOB_UNITS].number;
    job_text_of(row, &ledger->job_text);
    ledger->has_job = true;
    return NQ_OK;
}

static nq_status read_job(struct ledger *ledger, char *detail, size_t size) {
    nq_status status = ledger_each(ledger, TABLE_JOB, take_job, ledger, detail, size);
    if (status == NQ_LEDGER_DAMAGED && detail[0] == '\0')
        return damaged(ledger, "its job makes no sense", detail, size);
    if (status == NQ_OK && !ledger->has_job)
        return damaged(ledger, "it has no job", detail, size);
    return status;
}

static nq_status find_open_run(void *context, const struct row *row) {
    *(bool *)context = *(bool *)context || row->value[RUN_STATE].number == RUN_OPEN;
    return NQ_OK;
}

/* Gets the right to write; notes what others have written up to now. */
static nq_status begin_to_write(struct ledger *ledger, char *detail, size_t size) {
    nq_status status = execute(ledger, "BEGIN IMMEDIATE", detail, size);
    return status == NQ_OK ? ask(ledger, "PRAGMA data_version", &ledger->others, detail, size)
                           : status;
}

/* Somebody may have looked at the ledger with a program that switched it to write-ahead
 * logging, which network file systems cannot do. */
static nq_status leave_wal(struct ledger *ledger, char *detail, size_t size) {
    int64_t is_wal = 0;
    nq_status status = ask(ledger, "SELECT journal_mode = 'wal' FROM pragma_journal_mode",
                           &is_wal, detail, size);
    if (status != NQ_OK || is_wal == 0)
        return status;
    status = execute(ledger, "ROLLBACK; PRAGMA journal_mode = DELETE", detail, size);
    return status == NQ_OK ? begin_to_write(ledger, detail, size) : status;
}

/* A writer that lives holds the right to write but for the moment between two transactions. So
 * where a run has not said that it ended, we leave and come back twice: a killed one does not
 * mind, one that lives is back in its place by then. */
static nq_status make_sure(struct ledger *ledger, char *detail, size_t size) {
    bool unended = false;
    nq_status status = ledger_each(ledger, TABLE_RUN, find_open_run, &unended, detail, size);
    for (int i = 0; i < 2 && unended && status == NQ_OK; i++) {
        status = execute(ledger, "ROLLBACK", detail, size);
        pause_for(0.1);
        ledger->patience = 0; /* whoever has it by now is at work */
        if (status == NQ_OK)
            status = begin_to_write(ledger, detail, size);
    }
    return status;
}

static nq_status there_already(const struct ledger *ledger, char *detail, size_t size) {
    snprintf(detail, size, "ledger '%.200s': there is such a file already", ledger->file);
    return NQ_LEDGER_IO;
}

/* Says what is wrong with a path before SQLite says it in its own way. */
static nq_status check_path(struct ledger *ledger, char *detail, size_t size) {
    const char *file = ledger->file;
    struct stat info;
    if (file[0] == '\0' || strlen(file) + 3 > sizeof ledger->path) {
        snprintf(detail, size, "ledger '%.200s': not the name of a file", file);
        return NQ_LEDGER_IO;
    }
    /* SQLite gives names such as ":memory:" and "file:..." a meaning; "./" takes it away. */
    snprintf(ledger->path, sizeof ledger->path, "%s%s", file[0] == '/' ? "" : "./", file);
    bool there = stat(ledger->path, &info) == 0;
    int cause = there ? 0 : errno;
    ledger->created = !there;
    if (there && !S_ISREG(info.st_mode)) {
        snprintf(detail, size, "ledger '%.200s': not a file", file);
        return NQ_LEDGER_IO;
    }
    if (there && ledger->use == LEDGER_CREATE) {
        return there_already(ledger, detail, size);
    }
    if (!there && (cause != ENOENT || ledger->use == LEDGER_READ)) {
        snprintf(detail, size, "ledger '%.200s': %.60s", file, strerror(cause));
        return NQ_LEDGER_IO;
    }
    return NQ_OK;
}

static nq_status open_file(struct ledger *ledger, char *detail, size_t size) {
    nq_status status = check_path(ledger, detail, size);
    if (status != NQ_OK)
        return status;
    /* Readers, too, must be able to roll back what a killed writer left half done. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (ledger->use != LEDGER_READ)
        flags |= SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(ledger->path, &ledger->db, flags, NULL) != SQLITE_OK)
        return ledger->db == NULL ? NQ_NO_MEMORY : failed(ledger, detail, size);
    ledger->patience = wait_to_open;
    sqlite3_busy_handler(ledger->db, wait_for_others, ledger);
    if (ledger->use != LEDGER_READ && sqlite3_db_readonly(ledger->db, "main") == 1) {
        snprintf(detail, size, "ledger '%.200s': no permission to write it", ledger->file);
        return NQ_LEDGER_IO;
    }
    status =
        execute(ledger, "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON", detail, size);
    if (status != NQ_OK)
        return status;
    return ledger->use == LEDGER_READ ? execute(ledger, "BEGIN", detail, size)
                                      : begin_to_write(ledger, detail, size);
}

static nq_status check_content(struct ledger *ledger, char *detail, size_t size) {
    int64_t contents = 0;
    nq_status status = ask(ledger,
                           "SELECT (SELECT count(*) FROM sqlite_schema) + "
                           "(SELECT application_id != 0 FROM pragma_application_id)",
                           &contents, detail, size);
    if (status != NQ_OK)
        return status;
    /* A file with something in it that SQLite sees nothing in is none of ours to write over. */
    struct stat info;
    ledger->is_new = contents == 0 && stat(ledger->path, &info) == 0 && info.st_size == 0;
    if (!ledger->is_new && ledger->use == LEDGER_CREATE) /* made since we looked */
        return there_already(ledger, detail, size);
    if (ledger->is_new)
        return ledger->use == LEDGER_READ ? NQ_OK : create_tables(ledger, detail, size);
    status = check_header(ledger, detail, size);
    if (status == NQ_OK)
        status = check_structure(ledger, detail, size);
    if (status == NQ_OK)
        status = check_schema(ledger, detail, size);
    if (status == NQ_OK)
        status = read_job(ledger, detail, size);
    if (status == NQ_OK && ledger->use != LEDGER_READ)
        status = leave_wal(ledger, detail, size);
    if (status == NQ_OK && ledger->use != LEDGER_READ)
        status = make_sure(ledger, detail, size);
    return status;
}

nq_status ledger_open(const char *file, enum ledger_use use, struct ledger **out, char *detail,
                      size_t size) {
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *out = NULL;
    detail[0] = '\0';
    if (ledger == NULL)
        return NQ_NO_MEMORY;
    ledger->file = file;
    ledger->use = use;
    nq_status status = open_file(ledger, detail, size);
    if (status == NQ_OK)
        status = check_content(ledger, detail, size);
    if (status != NQ_OK) {
        ledger_close(ledger);
        return status;
    }
    ledger->patience = wait_to_commit;
    *out = ledger;
    return NQ_OK;
}

/* Whether nothing was ever committed to the file, by nobody, while we hold the lock: SQLite
 * lets go of it by itself when a disk is full. */
static bool is_ours_and_empty(struct ledger *ledger) {
    struct stat info;
    if (ledger->db == NULL || has_moved(ledger))
        return false;
    ledger->patience = 0;
    if (sqlite3_txn_state(ledger->db, "main") == SQLITE_TXN_WRITE)
        sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    /* SQLITE_FULL: there was no room for the transaction's journal, so nobody else has one. */
    int code = sqlite3_exec(ledger->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    return (code == SQLITE_OK || code == SQLITE_FULL) && stat(ledger->path, &info) == 0 &&
           info.st_size == 0;
}

void ledger_close(struct ledger *ledger) {
    if (ledger == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        sqlite3_finalize(ledger->insert[table]);
    if (ledger->created && ledger->use != LEDGER_READ && is_ours_and_empty(ledger))
        unlink(ledger->path);
    sqlite3_close(ledger->db);
    free(ledger);
}

nq_status ledger_add(struct ledger *ledger, enum table_id table, const struct row *row,
                     char *detail, size_t size) {
    sqlite3_stmt **insert = &ledger->insert[table];
    if (*insert == NULL) {
        char sql[256];
        table_insert_sql(table, table == TABLE_RUN, sql, sizeof sql);
        if (sqlite3_prepare_v3(ledger->db, sql, -1, SQLITE_PREPARE_PERSISTENT, insert, NULL) !=
            SQLITE_OK)
            return failed(ledger, detail, size);
    }
    nq_status status = NQ_OK;
    if (row_bind(*insert, table, table == TABLE_JOB ? NULL : &ledger->job_text, row) !=
            SQLITE_OK ||
        sqlite3_step(*insert) != SQLITE_DONE)
        status = failed(ledger, detail, size);
    sqlite3_reset(*insert);
    return status;
}

void ledger_end_reading(struct ledger *ledger) {
    sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
}

static nq_status add_job(struct ledger *ledger, const struct row *row, char *detail,
                         size_t size) {
    nq_status status = ledger_add(ledger, TABLE_JOB, row, detail, size);
    return status == NQ_OK ? take_job(ledger, row) : status;
}

static struct row row_of_job(const struct ledger_job *job) {
    struct row row = {.value = {[JOB_ID] = {.number = 1},
                                [JOB_N] = {.number = job->n},
                                [JOB_VERSION] = {.number = job->plan_version},
                                [JOB_DEPTH] = {.number = job->depth},
                                [JOB_UNITS] = {.number = (int64_t)job->units}}};
    memcpy(row.value[JOB_METHOD].text, job->method, sizeof job->method);
    memcpy(row.value[JOB_PLAN].text, job->plan, sizeof job->plan);
    return row;
}

/* "n = 18, method search, plan cross (version 2), depth 0" */
static void describe_job(const struct ledger_job *job, char *text, size_t size) {
    snprintf(text, size, "n = %d, method %.12s, plan %.12s (version %d), depth %d", job->n,
             job->method, job->plan, job->plan_version, job->depth);
}

static nq_status match_job(struct ledger *ledger, const struct ledger_job *job, char *detail,
                           size_t size) {
    if (!ledger->has_job) {
        struct row row = row_of_job(job);
        return add_job(ledger, &row, detail, size);
    }
    const struct ledger_job *own = &ledger->job;
    if (own->n == job->n && strcmp(own->method, job->method) == 0 &&
        strcmp(own->plan, job->plan) == 0 && own->plan_version == job->plan_version &&
        own->depth == job->depth && own->units == job->units)
        return NQ_OK;
    char has[80], wanted[80];
    describe_job(own, has, sizeof has);
    describe_job(job, wanted, sizeof wanted);
    snprintf(detail, size, "ledger '%.200s' is of %s, not of %s", ledger->file, has, wanted);
    return NQ_LEDGER_OTHER;
}

nq_status ledger_set_job(struct ledger *ledger, const struct job *job, char *detail,
                         size_t size) {
    struct ledger_job own = {.n = job->n,
                             .plan_version = job->plan_version,
                             .depth = job->depth,
                             .units = job->unit_count};
    snprintf(own.method, sizeof own.method, "%s", job->method->name);
    snprintf(own.plan, sizeof own.plan, "%s", job->plan);
    return match_job(ledger, &own, detail, size);
}

nq_status ledger_copy_job(struct ledger *ledger, const struct ledger *other, char *detail,
                          size_t size) {
    return match_job(ledger, &other->job, detail, size);
}

nq_status ledger_commit(struct ledger *ledger, char *detail, size_t size) {
    if (has_moved(ledger))
        return failed(ledger, detail, size);
    nq_status status = execute(ledger, "COMMIT", detail, size);
    if (status != NQ_OK)
        return status;
    ledger->is_new = false;
    return NQ_OK;
}

nq_status ledger_go_on(struct ledger *ledger, char *detail, size_t size) {
    int64_t before = ledger->others;
    nq_status status = begin_to_write(ledger, detail, size);
    if (status != NQ_OK || ledger->others == before)
        return status;
    snprintf(detail, size, "ledger '%.200s': another process has written to it", ledger->file);
    return NQ_LEDGER_BUSY;
}
