/* SPDX-License-Identifier: MIT */
/* The tables of a ledger, and their rows, each with a checksum.
 *
 * A row's checksum is XXH64 of a text: the table's name, the ledger's job and the row's
 * columns. It does not fit a row that was damaged, changed, or copied from a ledger of another
 * job. docs/ledger.md describes the text.
 */
#ifndef LEDGER_TABLE_H
#define LEDGER_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_id { TABLE_JOB, TABLE_RUN, TABLE_UNIT, TABLES };

/* The columns of each table, in order; a checksum follows them. */
enum { JOB_ID, JOB_N, JOB_METHOD, JOB_PLAN, JOB_VERSION, JOB_DEPTH, JOB_UNITS, JOB_COLUMNS };
enum {
    RUN_ID,
    RUN_HOST,
    RUN_PROCESS,
    RUN_STARTED, /* seconds since 1970 */
    RUN_NANOSECONDS,
    RUN_THREADS,
    RUN_KERNEL,
    RUN_PROGRAM, /* version of the library */
    RUN_STATE,   /* enum run_state */
    RUN_COLUMNS
};
enum {
    UNIT_ID,
    UNIT_SOLUTIONS,
    UNIT_WORK,
    UNIT_KERNEL,
    UNIT_NANOSECONDS,
    UNIT_HOST,
    UNIT_TIME, /* when the unit was solved: seconds since 1970 */
    UNIT_COLUMNS
};
enum { MAX_COLUMNS = 9 };
enum { MAX_TEXT = 64 }; /* most bytes of a text column */

enum run_state { RUN_OPEN, RUN_ENDED, RUN_KILLED };

/* A column's value; its table decides whether that is the number or the text. */
struct value {
    int64_t number;
    char text[MAX_TEXT + 1];
};

struct row {
    struct value value[MAX_COLUMNS];
};

/* The job's columns, as the text that the checksums of runs and units include. */
struct job_text {
    char text[256];
};

/* Statements. */
struct table_sql {
    const char *schema; /* makes the table; exactly as SQLite keeps it in the file */
    const char *insert; /* inserts a row. A run's row replaces its earlier row (same id, equal
                           or shorter time); a job or unit that is there already is an error */
    const char *select; /* reads all rows by rising id */
};

const struct table_sql *nqi_table_sql(enum table_id table);

/* Returns the table's name, a static string. */
const char *nqi_table_name(enum table_id table);

/* Makes the text from the job's row. */
void nqi_job_text_of(const struct row *job, struct job_text *text);

/* Binds a row and its checksum to an insert statement. job: NULL for the job's own row. Returns
 * SQLite's result code. */
int nqi_row_bind(sqlite3_stmt *insert, enum table_id table, const struct job_text *job,
                 const struct row *row);

/* Reads the current row of a select statement. job: NULL for the job's own row. Returns false
 * if the row is damaged: a column has a wrong type, or the checksum does not fit. row->value[0]
 * is then the id as far as it can be read. */
bool nqi_row_read(sqlite3_stmt *select, enum table_id table, const struct job_text *job,
                  struct row *row);

#endif
