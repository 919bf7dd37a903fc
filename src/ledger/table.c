#include "ledger/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

struct column {
    const char *name;
    bool text;
};

struct table {
    const char *name;
    int columns;
    struct column column[MAX_COLUMNS];
};

static const struct table tables[TABLES] = {
    [TABLE_JOB] = {"job",
                   JOB_COLUMNS,
                   {[JOB_ID] = {"id", false},
                    [JOB_N] = {"n", false},
                    [JOB_METHOD] = {"method", true},
                    [JOB_PLAN] = {"plan", true},
                    [JOB_VERSION] = {"plan_version", false},
                    [JOB_DEPTH] = {"depth", false},
                    [JOB_UNITS] = {"units", false}}},
    [TABLE_RUN] = {"run",
                   RUN_COLUMNS,
                   {[RUN_ID] = {"id", false},
                    [RUN_HOST] = {"host", true},
                    [RUN_PROCESS] = {"process", false},
                    [RUN_STARTED] = {"started", false},
                    [RUN_NANOSECONDS] = {"nanoseconds", false},
                    [RUN_THREADS] = {"threads", false},
                    [RUN_KERNEL] = {"kernel", true},
                    [RUN_PROGRAM] = {"program", true},
                    [RUN_STATE] = {"state", false}}},
    [TABLE_UNIT] = {"unit",
                    UNIT_COLUMNS,
                    {[UNIT_ID] = {"id", false},
                     [UNIT_SOLUTIONS] = {"solutions", false},
                     [UNIT_WORK] = {"work", false},
                     [UNIT_KERNEL] = {"kernel", true},
                     [UNIT_NANOSECONDS] = {"nanoseconds", false},
                     [UNIT_HOST] = {"host", true},
                     [UNIT_TIME] = {"time", false}}},
};

const char *nqi_table_name(enum table_id table) {
    return tables[table].name;
}

/* Appends to a text, as far as there is room. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void nqi_table_schema(enum table_id id, char *text, size_t size) {
    const struct table *table = &tables[id];
    text[0] = '\0';
    append(text, size, "CREATE TABLE %s (id INTEGER PRIMARY KEY", table->name);
    for (int i = 1; i < table->columns; i++)
        append(text, size, ", %s %s NOT NULL", table->column[i].name,
               table->column[i].text ? "TEXT" : "INTEGER");
    append(text, size, ", checksum INTEGER NOT NULL)");
}

void nqi_table_insert_sql(enum table_id id, bool replace, char *sql, size_t size) {
    const struct table *table = &tables[id];
    sql[0] = '\0';
    append(sql, size, "INSERT%s INTO %s VALUES (?", replace ? " OR REPLACE" : "", table->name);
    for (int i = 0; i < table->columns; i++)
        append(sql, size, ", ?");
    append(sql, size, ")");
}

void nqi_table_select_sql(enum table_id id, char *sql, size_t size) {
    snprintf(sql, size, "SELECT * FROM %s ORDER BY id", tables[id].name);
}

void nqi_table_find_sql(enum table_id id, char *sql, size_t size) {
    snprintf(sql, size, "SELECT * FROM %s WHERE id = ?", tables[id].name);
}

/* Writes a number, several times as fast as sprintf: a ledger may have ten million rows.
 * Returns the end. */
static char *write_number(char *at, int64_t number) {
    char digits[20], *first = digits + sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        *at++ = '-';
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(at, first, length);
    return at + length;
}

/* Writes the columns of a row: "|" and a number, or "|", a text's length, ":" and the text.
 * Different rows thus give different texts. Returns the end. */
static char *write_columns(char *at, const struct table *table, const struct row *row) {
    for (int i = 0; i < table->columns; i++) {
        const struct value *value = &row->value[i];
        *at++ = '|';
        if (!table->column[i].text) {
            at = write_number(at, value->number);
            continue;
        }
        size_t length = strlen(value->text);
        at = write_number(at, (int64_t)length);
        *at++ = ':';
        memcpy(at, value->text, length);
        at += length;
    }
    return at;
}

/* Room for the longest text of write_columns: bar, length and colon besides each column. */
enum { COLUMNS_SIZE = MAX_COLUMNS * (MAX_TEXT + 24) };

void nqi_job_text_of(const struct row *job, struct job_text *text) {
    char columns[COLUMNS_SIZE];
    *write_columns(columns, &tables[TABLE_JOB], job) = '\0';
    snprintf(text->text, sizeof text->text, "%.255s", columns);
}

static int64_t checksum_of(enum table_id id, const struct job_text *job,
                           const struct row *row) {
    char text[sizeof job->text + 16 + COLUMNS_SIZE];
    char *at = stpcpy(stpcpy(text, tables[id].name), job != NULL ? job->text : "");
    at = write_columns(at, &tables[id], row);
    return (int64_t)XXH64(text, (size_t)(at - text), 0);
}

int nqi_row_bind(sqlite3_stmt *insert, enum table_id id, const struct job_text *job,
                 const struct row *row) {
    const struct table *table = &tables[id];
    int code = SQLITE_OK;
    for (int i = 0; i < table->columns && code == SQLITE_OK; i++) {
        const struct value *value = &row->value[i];
        code = table->column[i].text
                   ? sqlite3_bind_text(insert, i + 1, value->text, -1, SQLITE_STATIC)
                   : sqlite3_bind_int64(insert, i + 1, value->number);
    }
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(insert, table->columns + 1, checksum_of(id, job, row));
    return code;
}

/* Returns false if the column holds no text that nqi_row_bind could have written. */
static bool read_text(sqlite3_stmt *select, int column, char *text) {
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

bool nqi_row_read(sqlite3_stmt *select, enum table_id id, const struct job_text *job,
                  struct row *row) {
    const struct table *table = &tables[id];
    row->value[0].number = sqlite3_column_int64(select, 0);
    for (int i = 0; i < table->columns; i++) {
        struct value *value = &row->value[i];
        if (table->column[i].text) {
            if (!read_text(select, i, value->text))
                return false;
            continue;
        }
        if (sqlite3_column_type(select, i) != SQLITE_INTEGER)
            return false;
        value->number = sqlite3_column_int64(select, i);
    }
    return sqlite3_column_type(select, table->columns) == SQLITE_INTEGER &&
           sqlite3_column_int64(select, table->columns) == checksum_of(id, job, row);
}
