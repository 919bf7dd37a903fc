/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* mempcpy */
#include "ledger/database.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

const char nqi_tables_schema[] =
    "CREATE TABLE job (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, "
    "method TEXT NOT NULL, plan TEXT NOT NULL, plan_version INTEGER NOT NULL, "
    "depth INTEGER NOT NULL, units INTEGER NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE run (id INTEGER PRIMARY KEY, host TEXT NOT NULL, "
    "process INTEGER NOT NULL, started INTEGER NOT NULL, nanoseconds INTEGER NOT NULL, "
    "threads INTEGER NOT NULL, kernel TEXT NOT NULL, program TEXT NOT NULL, "
    "state INTEGER NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE unit (id INTEGER PRIMARY KEY, solutions INTEGER NOT NULL, "
    "work INTEGER NOT NULL, kernel TEXT NOT NULL, nanoseconds INTEGER NOT NULL, "
    "host TEXT NOT NULL, time INTEGER NOT NULL, checksum INTEGER NOT NULL)";

const struct table nqi_tables[TABLES] = {
    [TABLE_JOB] = {.name = "job",
                   .types = "iittiii",
                   .insert = "INSERT INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
    [TABLE_RUN] = {.name = "run",
                   .types = "itiiiitti",
                   .insert = "INSERT OR REPLACE INTO run SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? "
                             "WHERE NOT EXISTS "
                             "(SELECT * FROM run WHERE id = ?1 AND nanoseconds > ?5)"},
    [TABLE_UNIT] = {.name = "unit",
                    .types = "iiititi",
                    .insert = "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
};

/* Writes a number, several times as fast as sprintf: a ledger may have a million rows. Returns
 * the end. */
static char *row_write_number(char *at, int64_t number) {
    char digits[20], *first = digits + sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        *at++ = '-';
    at = mempcpy(at, first, (size_t)(digits + sizeof digits - first));
    *at = '\0';
    return at;
}

/* Writes the columns of a row: "|" and a number, or "|", a text's length, ":" and the text.
 * Different rows thus give different texts. Returns the end. */
static char *row_write_columns(char *at, enum table_id table, const struct row *row) {
    const char *type = nqi_tables[table].types;
    for (const struct value *value = row->value; *type != '\0'; type++, value++) {
        *at++ = '|';
        at = row_write_number(at, *type == 'i' ? value->number : (int64_t)strlen(value->text));
        if (*type == 't')
            at = stpcpy(stpcpy(at, ":"), value->text);
    }
    return at;
}

void nqi_row_keep_job(struct ledger *ledger, const struct row *job) {
    row_write_columns(ledger->job_text, TABLE_JOB, job);
}

static int64_t row_checksum(const struct ledger *ledger, enum table_id table,
                            const struct row *row) {
    char text[16 + 2 * COLUMNS_SIZE];
    char *at = stpcpy(text, nqi_tables[table].name);
    at = stpcpy(at, table != TABLE_JOB ? ledger->job_text : "");
    at = row_write_columns(at, table, row);
    return (int64_t)XXH64(text, (size_t)(at - text), 0);
}

int nqi_row_bind(const struct ledger *ledger, enum table_id table, const struct row *row,
                 sqlite3_stmt *insert) {
    const char *types = nqi_tables[table].types;
    int code = SQLITE_OK, i = 0;
    for (; types[i] != '\0' && code == SQLITE_OK; i++) {
        const struct value *value = &row->value[i];
        code = types[i] == 't'
                   ? sqlite3_bind_text(insert, i + 1, value->text, -1, SQLITE_STATIC)
                   : sqlite3_bind_int64(insert, i + 1, value->number);
    }
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(insert, i + 1, row_checksum(ledger, table, row));
    return code;
}

/* Returns false if the column holds no text that nqi_row_bind could have written. */
static bool row_read_text(sqlite3_stmt *select, int column, char *text) {
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

bool nqi_row_read(const struct ledger *ledger, enum table_id table, sqlite3_stmt *select,
                  struct row *row) {
    const char *types = nqi_tables[table].types;
    int i = 0;
    row->value[0].number = sqlite3_column_int64(select, 0);
    for (; types[i] != '\0'; i++) {
        struct value *value = &row->value[i];
        if (types[i] == 't') {
            if (!row_read_text(select, i, value->text))
                return false;
            continue;
        }
        if (sqlite3_column_type(select, i) != SQLITE_INTEGER)
            return false;
        value->number = sqlite3_column_int64(select, i);
    }
    return sqlite3_column_type(select, i) == SQLITE_INTEGER &&
           sqlite3_column_int64(select, i) == row_checksum(ledger, table, row);
}
