/* SPDX-License-Identifier: MIT */
/* Rows on stdout, each a JSON object: with --json on a line of its own, else in a table, for
 * people or, with --format, as CSV (RFC 4180, but lines end with a line feed alone). The widths
 * are fixed, so that a row is printed as soon as it is known. No title or cell holds a comma or
 * a quote, which would have to be escaped. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/commands.h"

struct column {
    const char *title;
    int width;          /* as printf has it: that of a column aligned left is negative */
    const char *format; /* of a number that is not whole, such as "%.3f"; else NULL */
    const char *key;    /* of the member; NULL: the title */
};

struct table {
    const struct column *columns;
    size_t count;
    enum { TABLE_TEXT, TABLE_CSV, TABLE_JSON } form;
    bool titled;
};

/* The table that a call prints. Nothing is printed before the first row. */
struct table table_of(const struct call *call, const struct column *columns, size_t count);

/* Prints a row, the titles before the first one, and frees it. A cell, up to 63 characters, of
 * a member that is not there has a '-' but in CSV. Returns an exit code. */
int table_row(struct table *table, json_t *row);

#endif
