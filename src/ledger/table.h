/* The tables of a ledger, and their rows, each of which checks itself.
 *
 * A row's checksum is XXH64 of a text: the table's name, the job that the ledger is of, and the
 * row's columns. So a row that was damaged, changed, or copied from another ledger is found
 * out, whatever else in the file is whole. docs/ledger.md says how the text is made.
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
    UNIT_TIME, /* when it was solved: seconds since 1970 */
    UNIT_COLUMNS
};
enum { MAX_COLUMNS = 9 };
enum { MAX_TEXT = 64 }; /* bytes of a text column */

enum run_state { RUN_OPEN, RUN_ENDED, RUN_KILLED };

/* A column's value: of a number, or of a text. */
struct value {
    int64_t number;
    char text[MAX_TEXT + 1];
};

struct row {
    struct value value[MAX_COLUMNS];
};

/* The job that all rows belong to, as a part of their checksums. */
struct job_text {
    char text[256];
};

/* "CREATE TABLE ...": as SQLite keeps it in the file. */
void nqi_table_schema(enum table_id table, char *text, size_t size);

/* The table's name. */
const char *nqi_table_name(enum table_id table);

void nqi_job_text_of(const struct row *job, struct job_text *text);

/* Statements to write a row (replacing one of the same id, or refusing that), and to read all
 * rows by their id. */
void nqi_table_insert_sql(enum table_id table, bool replace, char *sql, size_t size);
void nqi_table_select_sql(enum table_id table, char *sql, size_t size);

/* Binds a row and its checksum to an insert statement. Returns SQLite's result code. */
int nqi_row_bind(sqlite3_stmt *insert, enum table_id table, const struct job_text *job,
                 const struct row *row);

/* Takes the row that a select statement stands at. job: NULL for the job's own row. False: it
 * is damaged: a column has another type than it should, or the checksum does not fit; row then
 * has the id, as far as it can be read. */
bool nqi_row_read(sqlite3_stmt *select, enum table_id table, const struct job_text *job,
                  struct row *row);

#endif
