#include "ledger/content.h"
#include "ledger/database.h"

#include <stdlib.h>

const char *nqi_ledger_file(const struct ledger *ledger) {
    return ledger->file;
}

bool nqi_ledger_is_new(const struct ledger *ledger) {
    return ledger->is_new;
}

nq_status nqi_ledger_open(const char *file, enum ledger_use use, struct ledger **out,
                          struct failure *failure) {
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *out = NULL;
    failure->text[0] = '\0';
    if (ledger == NULL)
        return NQ_NO_MEMORY;
    ledger->file = file;
    ledger->use = use;
    nq_status status = nqi_database_open(ledger, failure);
    if (status == NQ_OK)
        status = nqi_content_check(ledger, failure);
    if (status != NQ_OK) {
        nqi_ledger_close(ledger);
        return status;
    }
    nqi_database_wait_long(ledger);
    *out = ledger;
    return NQ_OK;
}

void nqi_ledger_close(struct ledger *ledger) {
    if (ledger == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        sqlite3_finalize(ledger->insert[table]);
    nqi_database_close(ledger);
    free(ledger);
}

nq_status nqi_ledger_add(struct ledger *ledger, enum table_id table, const struct row *row,
                         struct failure *failure) {
    sqlite3_stmt **insert = &ledger->insert[table];
    if (*insert == NULL &&
        sqlite3_prepare_v3(ledger->db, nqi_table_sql(table)->insert, -1,
                           SQLITE_PREPARE_PERSISTENT, insert, NULL) != SQLITE_OK)
        return nqi_database_failed(ledger, failure);
    nq_status status = NQ_OK;
    if (nqi_row_bind(*insert, table, table == TABLE_JOB ? NULL : &ledger->job_text, row) !=
            SQLITE_OK ||
        sqlite3_step(*insert) != SQLITE_DONE)
        status = nqi_database_failed(ledger, failure);
    sqlite3_reset(*insert);
    return status;
}

void nqi_ledger_end_reading(struct ledger *ledger) {
    sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
}
