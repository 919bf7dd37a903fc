/* SPDX-License-Identifier: MIT */
/* Tables on stdout: aligned for readers, in Markdown for documents, as CSV for other programs.
 */
#ifndef CLI_TABLE_WRITER_H
#define CLI_TABLE_WRITER_H

#include <stdbool.h>

enum table_format { TABLE_TEXT, TABLE_MARKDOWN, TABLE_CSV }; /* in the order of options.def */

struct column {
    const char *title;
    int width; /* of its cells in a text, at least; below 0: they begin on the left */
};

/* Cells are written as they come: rows of a long count are seen one by one. */
struct table_writer {
    enum table_format format;
    const struct column *columns;
    int count;
    bool untitled; /* a text has no line of titles */
    bool begun;
    int at; /* the next cell's column */
};

/* A remark beside the table, for readers: CSV has none. */
__attribute__((format(printf, 2, 3))) void table_note(const struct table_writer *table,
                                                      const char *format, ...);

/* Begins the table, if this is its first cell, and ends a row after its last cell. Controls are
 * escaped. "-" is what is not known: empty in CSV. */
__attribute__((format(printf, 2, 3))) void table_cell(struct table_writer *table,
                                                      const char *format, ...);

#endif
