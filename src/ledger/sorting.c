#include "ledger/sorting.h"

#include "ledger/database.h"

#include <stdlib.h>

struct sorting {
    struct ledger *output;
    sqlite3_stmt *insert;
};

/* The row with its checksum, and its source. The cache's size is also that of the sorted runs
 * which SQLite then merges. */
static const char make_table[] =
    "PRAGMA cache_size = -16384;"
    "CREATE TEMP TABLE unsorted (id INTEGER, solutions INTEGER, work INTEGER, kernel TEXT, "
    "nanoseconds INTEGER, host TEXT, time INTEGER, checksum INTEGER, source INTEGER)";
static const char insert_row[] = "INSERT INTO unsorted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char select_rows[] = "SELECT * FROM unsorted ORDER BY id, source";
enum { SOURCE = UNIT_COLUMNS + 1 }; /* number of its column, from 0; behind the checksum */

nq_status nqi_sorting_begin(struct ledger *output, struct sorting **out,
                            struct failure *failure) {
    *out = NULL;
    nq_status status = nqi_database_execute(output, make_table, failure);
    if (status != NQ_OK)
        return status;
    struct sorting *sorting = calloc(1, sizeof *sorting);
    if (sorting == NULL)
        return NQ_NO_MEMORY;
    sorting->output = output;
    *out = sorting;
    return sqlite3_prepare_v2(output->db, insert_row, -1, &sorting->insert, NULL) == SQLITE_OK
               ? NQ_OK
               : nqi_database_failed(output, failure);
}

void nqi_sorting_end(struct sorting *sorting) {
    if (sorting != NULL)
        sqlite3_finalize(sorting->insert);
    free(sorting);
}

nq_status nqi_sorting_add(struct sorting *sorting, const struct row *unit, uint32_t source,
                          struct failure *failure) {
    const struct ledger *output = sorting->output;
    sqlite3_stmt *insert = sorting->insert;
    nq_status status = NQ_OK;
    if (nqi_row_bind(insert, TABLE_UNIT, &output->job_text, unit) != SQLITE_OK ||
        sqlite3_bind_int64(insert, SOURCE + 1, source) != SQLITE_OK ||
        sqlite3_step(insert) != SQLITE_DONE)
        status = nqi_database_failed(output, failure);
    sqlite3_reset(insert);
    return status;
}

nq_status nqi_sorting_each(struct sorting *sorting, sorted_visit visit, void *context,
                           struct failure *failure) {
    const struct ledger *output = sorting->output;
    sqlite3_stmt *select = NULL;
    int code = sqlite3_prepare_v2(output->db, select_rows, -1, &select, NULL);
    nq_status status = code == SQLITE_OK ? NQ_OK : nqi_database_failed(output, failure);
    while (status == NQ_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
        struct row row;
        if (nqi_row_read(select, TABLE_UNIT, &output->job_text, &row))
            status = visit(context, &row, (uint32_t)sqlite3_column_int64(select, SOURCE));
        else
            status = nqi_database_damaged(
                output, "a temporary file lost what was written to it", failure);
    }
    if (status == NQ_OK && code != SQLITE_DONE)
        status = nqi_database_failed(output, failure);
    sqlite3_finalize(select);
    return status;
}
