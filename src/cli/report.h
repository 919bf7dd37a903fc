/* SPDX-License-Identifier: MIT */
/* A report: what a command has found, as fields with types. A field is written once; JSON,
 * lines of text, the row of a table and CSV are ways to print it. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An object with fields, or a list of values, which are fields without names. */
struct report;

/* Makes an empty object. If memory runs out, the program ends with a message. Each function
 * that prints a report frees it; report_free() is for one that is not printed. */
struct report *report_new(void);
void report_free(struct report *report);

/* Add a field. name: in JSON; NULL in a list. It must outlive the report. */
void report_number(struct report *report, const char *name, int64_t number);
/* In JSON a string: it may be too large for readers of numbers. */
void report_count(struct report *report, const char *name, uint64_t count);
void report_real(struct report *report, const char *name, double number);
void report_rate(struct report *report, const char *name, double per_second);
void report_seconds(struct report *report, const char *name, double seconds); /* < 0: unknown */
void report_share(struct report *report, const char *name, double share);     /* 0..1 */
void report_bytes(struct report *report, const char *name, uint64_t bytes);
void report_flag(struct report *report, const char *name, bool flag);
void report_unknown(struct report *report, const char *name);

/* A text, which may come from outside: it is escaped as in messages. NULL: unknown. */
void report_text(struct report *report, const char *name, const char *text);
__attribute__((format(printf, 3, 4))) void report_words(struct report *report, const char *name,
                                                        const char *format, ...);

/* Add an object or a list, which belongs to the report, and return it to be filled. */
struct report *report_object(struct report *report, const char *name);
struct report *report_list(struct report *report, const char *name);

/* Prints the report on stdout, as JSON, or as text: a line for each field, such as "kernel:
 * avx2", and for each object of a list. What is unknown, and a list of nothing, is a '-'.
 * Returns an exit code. */
int report_print(struct report *report, bool as_json);

/* Prints it as JSON on one line (https://jsonlines.org). Returns an exit code. */
int report_print_line(struct report *report);

/* Returns the same line as a text, to be freed; NULL if memory runs out. Frees the report. */
char *report_take_line(struct report *report);

/* Writes it as JSON to a file, and leaves it to be printed. Returns false, with errno, if that
 * fails. */
bool report_write(const struct report *report, const char *file);

/* A table on stdout, a report a row, each printed as soon as it is known. */
struct column {
    const char *title;
    int width;        /* as printf has it: that of a column aligned left is negative */
    int digits;       /* behind the point, of a number that is not whole */
    const char *name; /* of the field; NULL: the title */
};

/* How a table is printed: the words of --format in their order, and JSON, an object a line with
 * all its fields. CSV: RFC 4180, but lines end with a line feed. */
#define FORMAT_WORDS "text csv"
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct table {
    const struct column *columns;
    size_t count;
    enum format format;
    bool titled;
};

/* Prints the titles, if they are not printed yet. table_row() does that before its row. */
void table_titles(struct table *table);

/* Prints a row. A cell whose field is not there is empty in CSV, else '-'; so is one of bytes,
 * flags and lists. No title or cell may hold a comma or a quote, which would have to be
 * escaped. Returns an exit code. */
int table_row(struct table *table, struct report *row);

#endif
