/* SPDX-License-Identifier: MIT */
/* The tables of a ledger, rows with their checksums, and the checks when a file is opened. */
#include "core/job.h"
#include "ledger/database.h"
#include "machine/clock.h"
#include "methods/methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* In the file's header: what the file is ("nqLG"), and the version of its format. */
enum { APPLICATION_ID = 0x6e714c47, FORMAT = 2 };

/* Makes the tables, which a ledger's file must have exactly so. */
static const char ledger_schema[] =
    "CREATE TABLE job (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, "
    "method TEXT NOT NULL, version INTEGER NOT NULL, units INTEGER NOT NULL, "
    "checksum INTEGER NOT NULL);"
    "CREATE TABLE run (id INTEGER PRIMARY KEY, host TEXT NOT NULL, "
    "process INTEGER NOT NULL, started INTEGER NOT NULL, nanoseconds INTEGER NOT NULL, "
    "threads INTEGER NOT NULL, kernel TEXT NOT NULL, program TEXT NOT NULL, "
    "state INTEGER NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE unit (id INTEGER PRIMARY KEY, solutions INTEGER NOT NULL, "
    "work INTEGER NOT NULL, kernel TEXT NOT NULL, nanoseconds INTEGER NOT NULL, "
    "host TEXT NOT NULL, time INTEGER NOT NULL, checksum INTEGER NOT NULL)";

static const struct {
    const char *name;
    const char *types;  /* of the columns, without the checksum: i integer, t text */
    const char *insert; /* as nqi_ledger_add does */
} ledger_tables[TABLES] = {
    [TABLE_JOB] = {.name = "job",
                   .types = "iitii",
                   .insert = "INSERT INTO job VALUES (?, ?, ?, ?, ?, ?)"},
    [TABLE_RUN] = {.name = "run",
                   .types = "itiiiitti",
                   .insert = "INSERT OR REPLACE INTO run SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? "
                             "WHERE NOT EXISTS "
                             "(SELECT * FROM run WHERE id = ?1 AND nanoseconds > ?5)"},
    [TABLE_UNIT] = {.name = "unit",
                    .types = "iiititi",
                    .insert = "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
};

/* Writes the columns of a row: "|" and a number, or "|", a text's length, ":" and the text.
 * Different rows thus give different texts. Returns the end. */
static char *ledger_write_columns(char *at, enum table_id table, const struct row *row) {
    const char *type = ledger_tables[table].types;
    for (const struct value *value = row->value; *type != '\0'; type++, value++)
        at += *type == 'i' ? sprintf(at, "|%" PRId64, value->number)
                           : sprintf(at, "|%zu:%s", strlen(value->text), value->text);
    return at;
}

/* A row's checksum is XXH64 of a text: the table's name, the ledger's job (nothing before the
 * job's own row) and the row's columns. It does not fit a row that was damaged, changed, or
 * copied from a ledger of another job. docs/ledger.md describes the text. */
static int64_t ledger_checksum(const struct ledger *ledger, enum table_id table,
                               const struct row *row) {
    char text[16 + 2 * COLUMNS_SIZE];
    char *at = stpcpy(stpcpy(text, ledger_tables[table].name), ledger->job_text);
    at = ledger_write_columns(at, table, row);
    return (int64_t)XXH64(text, (size_t)(at - text), 0);
}

/* Returns false if the column holds no text that nqi_ledger_add could have written. */
static bool ledger_read_text(sqlite3_stmt *select, int column, char *text) {
    if (sqlite3_column_type(select, column) != SQLITE_TEXT)
        return false;
    const unsigned char *stored = sqlite3_column_text(select, column);
    int length = sqlite3_column_bytes(select, column);
    if (stored == NULL || length > MAX_TEXT || memchr(stored, '\0', (size_t)length) != NULL)
        return false;
    memcpy(text, stored, (size_t)length);
    text[length] = '\0';
    return true;
}

/* Reads the current row of a select statement. Returns false if the row is damaged: a column
 * has a wrong type, or the checksum does not fit. row->value[0] is then the id as far as it can
 * be read. */
static bool ledger_read_columns(const struct ledger *ledger, enum table_id table,
                                sqlite3_stmt *select, struct row *row) {
    const char *types = ledger_tables[table].types;
    int i = 0;
    row->value[0].number = sqlite3_column_int64(select, 0);
    for (; types[i] != '\0'; i++) {
        if (types[i] == 't' ? !ledger_read_text(select, i, row->value[i].text)
                            : sqlite3_column_type(select, i) != SQLITE_INTEGER)
            return false;
        if (types[i] == 'i')
            row->value[i].number = sqlite3_column_int64(select, i);
    }
    return sqlite3_column_type(select, i) == SQLITE_INTEGER &&
           sqlite3_column_int64(select, i) == ledger_checksum(ledger, table, row);
}

/* Checks the file's structure as SQLite sees it (pages, cells, order of rows), and that its
 * tables are exactly those of a ledger. */
static nq_status ledger_check_structure(struct ledger *ledger) {
    char sql[1024];
    int64_t intact = 0, same = 0;
    nq_status status = nqi_database_query(
        ledger, "SELECT quick_check = 'ok' FROM pragma_quick_check", &intact);
    if (status == NQ_OK && intact == 0)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "damaged: its structure is broken");
    snprintf(sql, sizeof sql,
             "SELECT group_concat(ifnull(sql, ''), ';') = '%s' "
             "FROM (SELECT sql FROM sqlite_master ORDER BY rowid)",
             ledger_schema);
    if (status == NQ_OK)
        status = nqi_database_query(ledger, sql, &same);
    if (status == NQ_OK && same == 0)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED,
                               "damaged: its tables are not those of a ledger");
    return status;
}

static nq_status ledger_create_tables(struct ledger *ledger) {
    char sql[80];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, FORMAT);
    nq_status status = nqi_database_execute(ledger, sql);
    return status == NQ_OK ? nqi_database_execute(ledger, ledger_schema) : status;
}

static bool ledger_is_in_range(const struct ledger *ledger, const struct row *unit) {
    const struct value *value = unit->value;
    return value[UNIT_ID].number >= 0 && (uint64_t)value[UNIT_ID].number < ledger->job.units &&
           value[UNIT_SOLUTIONS].number >= 0 && value[UNIT_WORK].number >= 0;
}

/* A table that is read. */
struct table_scan {
    struct ledger *ledger;
    enum table_id table;
    row_visit visit;
    void *context;
};

static nq_status ledger_read_row(void *context, sqlite3_stmt *select) {
    struct table_scan *scan = context;
    const enum table_id table = scan->table;
    struct row row;
    const char *wrong = NULL;
    if (!ledger_read_columns(scan->ledger, table, select, &row))
        wrong = "does not match its checksum";
    else if (table == TABLE_UNIT && !ledger_is_in_range(scan->ledger, &row))
        wrong = "is out of range";
    return wrong == NULL
               ? scan->visit(scan->context, &row)
               : nqi_ledger_fail(scan->ledger, NQ_LEDGER_DAMAGED, "damaged: %s %" PRId64 " %s",
                                 ledger_tables[table].name, row.value[0].number, wrong);
}

nq_status nqi_ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                          void *context) {
    struct table_scan scan = {
        .ledger = ledger, .table = table, .visit = visit, .context = context};
    char sql[40];
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY id", ledger_tables[table].name);
    return nqi_database_each(ledger, sql, ledger_read_row, &scan);
}

static nq_status ledger_fail_version(const struct ledger *ledger) {
    return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "made by another version of nqueens");
}

/* Copies the job from its row. NQ_LEDGER_DAMAGED: there is a second row, or a value is out of
 * range. */
static nq_status ledger_copy_job(void *context, const struct row *row) {
    struct ledger *ledger = context;
    const struct value *value = row->value;
    if (ledger->has_job || value[JOB_N].number < 0 || value[JOB_N].number > NQ_MAX_N ||
        value[JOB_UNITS].number < 0 || value[JOB_UNITS].number > MAX_UNITS ||
        value[JOB_VERSION].number < 0 || value[JOB_VERSION].number > INT32_MAX)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "damaged: its job is not valid");
    ledger->job = nqi_job((int)value[JOB_N].number, value[JOB_METHOD].text,
                          (int)value[JOB_VERSION].number, (uint64_t)value[JOB_UNITS].number);
    ledger_write_columns(ledger->job_text, TABLE_JOB, row);
    ledger->has_job = true;
    return NQ_OK;
}

static nq_status ledger_read_job(struct ledger *ledger) {
    nq_status status = nqi_ledger_each(ledger, TABLE_JOB, ledger_copy_job, ledger);
    if (status == NQ_OK && !ledger->has_job)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "damaged: it has no job");
    if (status != NQ_OK)
        return status;
    const struct method *method = nqi_method_by_name(ledger->job.method, NULL);
    return method != NULL && method->version == ledger->job.version
               ? NQ_OK
               : ledger_fail_version(ledger);
}

/* Checks all but the rows of runs and units, and reads the job. Makes the tables of a new
 * ledger. Statuses as of nqi_ledger_open. */
static nq_status ledger_check_content(struct ledger *ledger) {
    int64_t application = 0, format = 0, open_runs = 0;
    nq_status status = nqi_database_query(ledger, "PRAGMA application_id", &application);
    if (status == NQ_OK)
        status = nqi_database_query(ledger, "PRAGMA user_version", &format);
    if (status != NQ_OK)
        return status;
    /* A killed merge leaves an empty file, once SQLite has undone what its journal says. SQLite
     * may see nothing in other files, such as one of one byte: they are not overwritten. */
    struct stat info;
    const bool is_new = stat(ledger->path, &info) == 0 && info.st_size == 0;
    if (is_new)
        return ledger->use == LEDGER_READ ? NQ_OK : ledger_create_tables(ledger);
    if (application != APPLICATION_ID)
        return nqi_ledger_fail(ledger, NQ_LEDGER_DAMAGED, "not a ledger");
    if (format != FORMAT)
        return ledger_fail_version(ledger);
    status = ledger_check_structure(ledger);
    if (status == NQ_OK)
        status = ledger_read_job(ledger);
    if (status != NQ_OK || ledger->use == LEDGER_READ)
        return status;
    status = nqi_database_query(ledger, "SELECT count(*) FROM run WHERE state = 0",
                                &open_runs); /* 0 is RUN_OPEN */
    return status == NQ_OK && open_runs > 0 ? nqi_database_confirm_lock(ledger) : status;
}

const nq_job *nqi_ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
}

nq_status nqi_ledger_open(const char *file, enum ledger_use use, struct ledger **out,
                          struct failure *failure) {
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *out = NULL;
    failure->text[0] = '\0';
    if (ledger == NULL)
        return NQ_NO_MEMORY;
    ledger->file = file;
    ledger->failure = failure;
    ledger->use = use;
    nq_status status = nqi_database_open(ledger);
    if (status == NQ_OK)
        status = ledger_check_content(ledger);
    ledger->timeout = INFINITY; /* a commit waits for readers, however long they take */
    if (status == NQ_OK)
        *out = ledger;
    else
        nqi_ledger_close(ledger);
    return status;
}

void nqi_ledger_close(struct ledger *ledger) {
    if (ledger == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        sqlite3_finalize(ledger->insert[table]);
    nqi_database_close(ledger);
    free(ledger);
}

double nqi_ledger_waiting(const struct ledger *ledger) {
    double since = atomic_load(&ledger->waiting);
    return since != 0 ? nqi_seconds_now() - since : 0;
}

nq_status nqi_ledger_add(struct ledger *ledger, enum table_id table, const struct row *row) {
    sqlite3_stmt **insert = &ledger->insert[table];
    if (*insert == NULL &&
        sqlite3_prepare_v3(ledger->db, ledger_tables[table].insert, -1,
                           SQLITE_PREPARE_PERSISTENT, insert, NULL) != SQLITE_OK)
        return nqi_database_failed(ledger);
    const char *types = ledger_tables[table].types;
    int code = SQLITE_OK, i = 0;
    for (; types[i] != '\0' && code == SQLITE_OK; i++) {
        const struct value *value = &row->value[i];
        code = types[i] == 't'
                   ? sqlite3_bind_text(*insert, i + 1, value->text, -1, SQLITE_STATIC)
                   : sqlite3_bind_int64(*insert, i + 1, value->number);
    }
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(*insert, i + 1, ledger_checksum(ledger, table, row));
    nq_status status = NQ_OK;
    if (code != SQLITE_OK || sqlite3_step(*insert) != SQLITE_DONE)
        status = nqi_database_failed(ledger);
    sqlite3_reset(*insert);
    return status;
}

static struct row ledger_job_row(const nq_job *job) {
    struct row row = {.value = {[JOB_ID] = {.number = 1},
                                [JOB_N] = {.number = job->n},
                                [JOB_VERSION] = {.number = job->version},
                                [JOB_UNITS] = {.number = (int64_t)job->units}}};
    memcpy(row.value[JOB_METHOD].text, job->method, sizeof job->method);
    return row;
}

nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job) {
    if (!ledger->has_job) {
        const struct row row = ledger_job_row(job);
        nq_status status = nqi_ledger_add(ledger, TABLE_JOB, &row);
        return status == NQ_OK ? ledger_copy_job(ledger, &row) : status;
    }
    const nq_job *recorded = &ledger->job;
    if (nqi_job_equal(recorded, job))
        return NQ_OK;
    return strcmp(recorded->method, job->method) == 0
               ? ledger_fail_version(ledger)
               : nqi_ledger_fail(ledger, NQ_LEDGER_OTHER, "it is for method %s, not for %s",
                                 recorded->method, job->method);
}

nq_status nqi_ledger_partition(struct ledger *ledger, struct partition **partition) {
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
    return ledger_fail_version(ledger);
}
