#include "ledger/content.h"

#include "ledger/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* In the file's header: what the file is ("nqLG"), and the version of its format. */
enum { APPLICATION_ID = 0x6e714c47, FORMAT = 1 };

/* Checks the file's structure as SQLite sees it: pages, cells, order of rows. */
static nq_status check_structure(struct ledger *ledger, struct failure *failure) {
    sqlite3_stmt *check = NULL;
    nq_status status = NQ_OK;
    int code = sqlite3_prepare_v2(ledger->db, "PRAGMA quick_check(1)", -1, &check, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(check);
    if (code != SQLITE_ROW)
        status = nqi_database_failed(ledger, failure);
    else if (strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0)
        status =
            nqi_database_damaged(ledger, (const char *)sqlite3_column_text(check, 0), failure);
    sqlite3_finalize(check);
    /* SQLite's report may have several lines; a message has one. */
    failure->text[strcspn(failure->text, "\n")] = '\0';
    return status;
}

/* Checks that the tables are defined exactly as create_tables does. */
static nq_status check_schema(struct ledger *ledger, struct failure *failure) {
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db, "SELECT sql FROM sqlite_schema ORDER BY rowid",
                                  -1, &select, NULL);
    int table = 0;
    bool same = true;
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(select);
        if (code != SQLITE_ROW)
            break;
        const char *sql = (const char *)sqlite3_column_text(select, 0);
        same = same && table < TABLES && sql != NULL &&
               strcmp(sql, nqi_table_sql((enum table_id)table)->schema) == 0;
        table++;
    }
    nq_status status = NQ_OK;
    if (code != SQLITE_DONE)
        status = nqi_database_failed(ledger, failure);
    else if (!same || table != TABLES)
        status = nqi_database_damaged(ledger, "its tables are not those of a ledger", failure);
    sqlite3_finalize(select);
    return status;
}

static nq_status create_tables(struct ledger *ledger, struct failure *failure) {
    char sql[80];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, FORMAT);
    nq_status status = nqi_database_execute(ledger, sql, failure);
    for (int table = 0; table < TABLES && status == NQ_OK; table++)
        status =
            nqi_database_execute(ledger, nqi_table_sql((enum table_id)table)->schema, failure);
    return status;
}

/* Checks that the file is a ledger, and that this version knows its format. */
static nq_status check_header(struct ledger *ledger, struct failure *failure) {
    int64_t application = 0, format = 0;
    nq_status status =
        nqi_database_query(ledger, "PRAGMA application_id", &application, failure);
    if (status == NQ_OK)
        status = nqi_database_query(ledger, "PRAGMA user_version", &format, failure);
    if (status != NQ_OK)
        return status;
    if (application != APPLICATION_ID)
        return nqi_fail(failure, NQ_LEDGER_DAMAGED,
                        "ledger '%.200s': an SQLite file, but not a ledger", ledger->file);
    if (format != FORMAT)
        return nqi_fail(failure, NQ_LEDGER_DAMAGED,
                        "ledger '%.200s': format %" PRId64 "; this version knows format %d",
                        ledger->file, format, FORMAT);
    return NQ_OK;
}

static bool is_in_range(const struct ledger *ledger, const struct row *unit) {
    const struct value *value = unit->value;
    return value[UNIT_ID].number >= 0 && (uint64_t)value[UNIT_ID].number < ledger->job.units &&
           value[UNIT_SOLUTIONS].number >= 0 && value[UNIT_WORK].number >= 0 &&
           value[UNIT_NANOSECONDS].number >= 0;
}

nq_status nqi_ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                          void *context, struct failure *failure) {
    if (ledger->is_new)
        return NQ_OK;
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db, nqi_table_sql(table)->select, -1, &select, NULL);
    nq_status status = code == SQLITE_OK ? NQ_OK : nqi_database_failed(ledger, failure);
    int64_t last = INT64_MIN;
    while (status == NQ_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
        struct row row;
        bool whole =
            nqi_row_read(select, table, table == TABLE_JOB ? NULL : &ledger->job_text, &row);
        if (!whole || (row.value[0].number <= last && last != INT64_MIN)) {
            char what[64];
            snprintf(what, sizeof what, "%s %" PRId64 " %s", nqi_table_name(table),
                     row.value[0].number,
                     whole ? "is out of order" : "does not match its checksum");
            status = nqi_database_damaged(ledger, what, failure);
            break;
        }
        last = row.value[0].number;
        if (table == TABLE_UNIT && !is_in_range(ledger, &row)) {
            char what[64];
            snprintf(what, sizeof what, "unit %" PRId64 " is out of range", last);
            status = nqi_database_damaged(ledger, what, failure);
            break;
        }
        status = visit(context, &row);
    }
    if (status == NQ_OK && code != SQLITE_DONE)
        status = nqi_database_failed(ledger, failure);
    sqlite3_finalize(select);
    return status;
}

nq_status nqi_ledger_each_host(struct ledger *ledger, host_visit visit, void *context,
                               struct failure *failure) {
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(ledger->db,
                                  "SELECT host, count(*), total(nanoseconds), max(time) "
                                  "FROM unit GROUP BY host ORDER BY count(*) DESC, host",
                                  -1, &select, NULL);
    nq_status status = code == SQLITE_OK ? NQ_OK : nqi_database_failed(ledger, failure);
    while (status == NQ_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
        struct ledger_host host = {.units = (uint64_t)sqlite3_column_int64(select, 1),
                                   .thread_seconds = sqlite3_column_double(select, 2) * 1e-9,
                                   .last = sqlite3_column_int64(select, 3)};
        const char *name = (const char *)sqlite3_column_text(select, 0);
        snprintf(host.name, sizeof host.name, "%s", name != NULL ? name : "");
        status = visit(context, &host);
    }
    if (status == NQ_OK && code != SQLITE_DONE)
        status = nqi_database_failed(ledger, failure);
    sqlite3_finalize(select);
    return status;
}

nq_status nqi_content_read_job(void *context, const struct row *row) {
    struct ledger *ledger = context;
    const struct value *value = row->value;
    if (ledger->has_job || value[JOB_N].number < 0 || value[JOB_N].number > NQ_MAX_N ||
        value[JOB_UNITS].number < 0 || value[JOB_UNITS].number > MOST_UNITS ||
        value[JOB_VERSION].number < 0 || value[JOB_VERSION].number > INT32_MAX ||
        value[JOB_DEPTH].number < 0 || value[JOB_DEPTH].number > NQ_MAX_N)
        return NQ_LEDGER_DAMAGED;
    struct ledger_job *job = &ledger->job;
    job->n = (int)value[JOB_N].number;
    memcpy(job->method, value[JOB_METHOD].text, sizeof job->method);
    memcpy(job->plan, value[JOB_PLAN].text, sizeof job->plan);
    job->plan_version = (int)value[JOB_VERSION].number;
    job->depth = (int)value[JOB_DEPTH].number;
    job->units = (uint64_t)value[JOB_UNITS].number;
    nqi_job_text_of(row, &ledger->job_text);
    ledger->has_job = true;
    return NQ_OK;
}

static nq_status read_job(struct ledger *ledger, struct failure *failure) {
    nq_status status =
        nqi_ledger_each(ledger, TABLE_JOB, nqi_content_read_job, ledger, failure);
    if (status == NQ_LEDGER_DAMAGED && failure->text[0] == '\0')
        return nqi_database_damaged(ledger, "its job is not valid", failure);
    if (status == NQ_OK && !ledger->has_job)
        return nqi_database_damaged(ledger, "it has no job", failure);
    return status;
}

static nq_status find_open_run(void *context, const struct row *row) {
    *(bool *)context = *(bool *)context || row->value[RUN_STATE].number == RUN_OPEN;
    return NQ_OK;
}

/* Leaves write-ahead logging, which network file systems do not support. Another program may
 * have switched the file to it. */
static nq_status leave_wal(struct ledger *ledger, struct failure *failure) {
    int64_t is_wal = 0;
    nq_status status = nqi_database_query(
        ledger, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &is_wal, failure);
    if (status != NQ_OK || is_wal == 0)
        return status;
    status = nqi_database_execute(ledger, "ROLLBACK; PRAGMA journal_mode = DELETE", failure);
    return status == NQ_OK ? nqi_database_begin(ledger, failure) : status;
}

nq_status nqi_content_check(struct ledger *ledger, struct failure *failure) {
    int64_t contents = 0;
    nq_status status =
        nqi_database_query(ledger,
                           "SELECT (SELECT count(*) FROM sqlite_schema) + "
                           "(SELECT application_id != 0 FROM pragma_application_id)",
                           &contents, failure);
    if (status != NQ_OK)
        return status;
    /* SQLite may see nothing in a file that is not empty: such a file is not overwritten. */
    struct stat info;
    ledger->is_new = contents == 0 && stat(ledger->path, &info) == 0 && info.st_size == 0;
    if (!ledger->is_new && ledger->use == LEDGER_CREATE) /* created after check_path */
        return nqi_database_already_exists(ledger, failure);
    if (ledger->is_new)
        return ledger->use == LEDGER_READ ? NQ_OK : create_tables(ledger, failure);
    status = check_header(ledger, failure);
    if (status == NQ_OK)
        status = check_structure(ledger, failure);
    if (status == NQ_OK)
        status = check_schema(ledger, failure);
    if (status == NQ_OK)
        status = read_job(ledger, failure);
    if (status == NQ_OK && ledger->use != LEDGER_READ)
        status = leave_wal(ledger, failure);
    bool open_run = false;
    if (status == NQ_OK && ledger->use != LEDGER_READ)
        status = nqi_ledger_each(ledger, TABLE_RUN, find_open_run, &open_run, failure);
    if (status == NQ_OK && open_run)
        status = nqi_database_confirm_lock(ledger, failure);
    return status;
}
