/* SPDX-License-Identifier: MIT */
/* Tables on stdout: for people, and with --format as CSV (RFC 4180, but lines end with a line
 * feed alone) or in Markdown. The widths are fixed, so that a row is printed as soon as it is
 * known. No title or cell holds a comma, a quote or a bar, which would have to be escaped. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/commands.h"

struct column {
    const char *title;
    int width; /* as printf has it: that of a column aligned left is negative */
};

struct table {
    const struct column *columns;
    size_t count, at; /* columns; cells of the row so far */
    enum { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN } form;
    bool titled;
};

/* The table that a call prints. Nothing is printed before the first cell. */
struct table table_of(const struct call *call, const struct column *columns, size_t count);

/* Prints the next cell of a row, of up to 63 characters; the titles before the first one. One
 * without text, for what is not known, has a '-' but in CSV. */
__attribute__((format(printf, 2, 3))) void table_cell(struct table *table, const char *format,
                                                      ...);

/* A cell with a number, or with none; and one of 128 bits. */
void table_count(struct table *table, bool known, uint64_t number);
void table_total(struct table *table, bool known, uint64_t low, uint64_t high);

#endif
