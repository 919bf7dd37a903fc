#include "ledger/content.h"
#include "ledger/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ledger_file(const struct ledger *ledger) {
    return ledger->file;
}

bool ledger_is_new(const struct ledger *ledger) {
    return ledger->is_new;
}

const struct ledger_job *ledger_job(const struct ledger *ledger) {
    return ledger->has_job ? &ledger->job : NULL;
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
    nq_status status = database_open(ledger, detail, size);
    if (status == NQ_OK)
        status = content_check(ledger, detail, size);
    if (status != NQ_OK) {
        ledger_close(ledger);
        return status;
    }
    database_be_patient(ledger);
    *out = ledger;
    return NQ_OK;
}

void ledger_close(struct ledger *ledger) {
    if (ledger == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        sqlite3_finalize(ledger->insert[table]);
    database_close(ledger);
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
            return database_failed(ledger, detail, size);
    }
    nq_status status = NQ_OK;
    if (row_bind(*insert, table, table == TABLE_JOB ? NULL : &ledger->job_text, row) !=
            SQLITE_OK ||
        sqlite3_step(*insert) != SQLITE_DONE)
        status = database_failed(ledger, detail, size);
    sqlite3_reset(*insert);
    return status;
}

void ledger_end_reading(struct ledger *ledger) {
    sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
}

static nq_status add_job(struct ledger *ledger, const struct row *row, char *detail,
                         size_t size) {
    nq_status status = ledger_add(ledger, TABLE_JOB, row, detail, size);
    return status == NQ_OK ? content_take_job(ledger, row) : status;
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
