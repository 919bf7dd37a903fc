/* SPDX-License-Identifier: MIT */
/* A report holds what a command found, as fields with a name and a type. The command writes
 * each field once; the report prints it as JSON, as lines of text, or as a line of a table
 * or of CSV. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An object, which has fields, or a list, which has values without names. */
struct report;

/* Makes an empty object. If memory runs out, the program ends with a message. The functions
 * that print a report free it, unless they say otherwise; call report_free() for a report
 * that is not printed. */
struct report *report_new(void);
void report_free(struct report *report);

/* These add a field. name: its key in JSON, or NULL for a value of a list; it must outlive
 * the report. */
void report_number(struct report *report, const char *name, int64_t number);
/* In JSON this is a string, because a count may exceed the numbers that readers of JSON can
 * represent. */
void report_count(struct report *report, const char *name, uint64_t count);
void report_real(struct report *report, const char *name, double number);
void report_rate(struct report *report, const char *name, double per_second);
void report_seconds(struct report *report, const char *name,
                    double seconds);                                      /* below 0: unknown */
void report_share(struct report *report, const char *name, double share); /* from 0 to 1 */
void report_bytes(struct report *report, const char *name, uint64_t bytes);
void report_flag(struct report *report, const char *name, bool flag);
void report_unknown(struct report *report, const char *name);

/* Adds a text, in which control characters are escaped as in messages, because it may come
 * from outside. A text of NULL is unknown. */
void report_text(struct report *report, const char *name, const char *text);
__attribute__((format(printf, 3, 4))) void report_words(struct report *report, const char *name,
                                                        const char *format, ...);

/* These add an object or a list, and return it to be filled. It belongs to the report. */
struct report *report_object(struct report *report, const char *name);
struct report *report_list(struct report *report, const char *name);

/* Prints the report on stdout, as JSON or as text. As text it has a line for each field,
 * such as "kernel: avx2", and for each object of a list; a '-' means that a value is unknown
 * or a list is empty. Returns an exit code. */
int report_print(struct report *report, bool as_json);

/* Prints the report as JSON on a single line (https://jsonlines.org). Returns an exit code. */
int report_print_line(struct report *report);

/* Returns the report as a line of JSON, which the caller frees, or NULL if memory runs out. */
char *report_take_line(struct report *report);

/* Writes the report as JSON to a file, and does not free it. Returns false if that fails;
 * errno then says why. */
bool report_write(const struct report *report, const char *file);

/* A table on stdout. Each line is a report, and is printed as soon as it is known. */
struct column {
    const char *title;
    int width;        /* as in printf: negative aligns to the left */
    int digits;       /* digits after the decimal point, for a number that is not whole */
    const char *name; /* the field's name; NULL if it is the title */
};

/* How a table is printed. The first two forms are the words of --format, in their order; --json
 * asks for the third. Text and CSV have a line with the columns of each report. CSV is as in
 * RFC 4180, but its lines end with a line feed. JSON has a line with an object for each report,
 * which has all fields of the report. */
#define FORMAT_WORDS "text csv"
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct table {
    const struct column *columns;
    size_t count;
    enum format format;
    bool titled;
};

/* Prints the titles, unless they have been printed. table_print_line() calls it before its
 * line. */
void table_titles(struct table *table);

/* Prints a report as a line of the table, and frees it. A cell is empty in CSV, and '-' in
 * text, if the report lacks its field. Titles and cells must not contain a comma or a quote,
 * because these are not escaped. Returns an exit code. */
int table_print_line(struct table *table, struct report *line);

#endif
