/* SPDX-License-Identifier: MIT */
/* Builds reports, which are trees of fields, and prints them as JSON, as text, and as lines
 * of tables. */
#include "cli/report.h"

#include "cli/number.h"
#include "cli/say.h"
#include "core/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum report_type {
    REPORT_NUMBER,
    REPORT_COUNT,
    REPORT_REAL,
    REPORT_RATE,
    REPORT_SECONDS,
    REPORT_SHARE,
    REPORT_BYTES,
    REPORT_FLAG,
    REPORT_UNKNOWN,
    REPORT_TEXT,
    REPORT_OBJECT,
    REPORT_LIST
};

struct report {
    const char *name; /* NULL for the whole report, and for a value of a list */
    enum report_type type;
    union {
        int64_t number;
        uint64_t count; /* also of bytes */
        double real;
        bool flag;
    };
    char *text;                  /* NULL unless the type is REPORT_TEXT */
    struct report *first, *last; /* fields of an object, values of a list */
    struct report *next;
};

static void *report_allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL)
        exit(out_of_memory());
    return memory;
}

/* Adds a field to a report. If report is NULL, makes a report of its own. */
static struct report *report_add(struct report *report, const char *name,
                                 enum report_type type) {
    struct report *field = report_allocate(sizeof *field);
    *field = (struct report){.name = name, .type = type};
    if (report != NULL) {
        struct report **end = report->last != NULL ? &report->last->next : &report->first;
        *end = report->last = field;
    }
    return field;
}

struct report *report_new(void) {
    return report_add(NULL, NULL, REPORT_OBJECT);
}

void report_free(struct report *report) {
    for (struct report *field = report->first, *next; field != NULL; field = next) {
        next = field->next;
        report_free(field);
    }
    free(report->text);
    free(report);
}

void report_number(struct report *report, const char *name, int64_t number) {
    report_add(report, name, REPORT_NUMBER)->number = number;
}

void report_count(struct report *report, const char *name, uint64_t count) {
    report_add(report, name, REPORT_COUNT)->count = count;
}

void report_real(struct report *report, const char *name, double number) {
    report_add(report, name, REPORT_REAL)->real = number;
}

void report_rate(struct report *report, const char *name, double per_second) {
    report_add(report, name, REPORT_RATE)->real = per_second;
}

void report_seconds(struct report *report, const char *name, double seconds) {
    report_add(report, name, seconds < 0 ? REPORT_UNKNOWN : REPORT_SECONDS)->real = seconds;
}

void report_share(struct report *report, const char *name, double share) {
    report_add(report, name, REPORT_SHARE)->real = share;
}

void report_bytes(struct report *report, const char *name, uint64_t bytes) {
    report_add(report, name, REPORT_BYTES)->count = bytes;
}

void report_flag(struct report *report, const char *name, bool flag) {
    report_add(report, name, REPORT_FLAG)->flag = flag;
}

void report_unknown(struct report *report, const char *name) {
    report_add(report, name, REPORT_UNKNOWN);
}

void report_text(struct report *report, const char *name, const char *text) {
    if (text == NULL) {
        report_unknown(report, name);
        return;
    }
    const size_t size = 4 * strlen(text) + 1;
    report_add(report, name, REPORT_TEXT)->text =
        nqi_escape_text(text, report_allocate(size), size);
}

void report_words(struct report *report, const char *name, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report_text(report, name, text);
}

struct report *report_object(struct report *report, const char *name) {
    return report_add(report, name, REPORT_OBJECT);
}

struct report *report_list(struct report *report, const char *name) {
    return report_add(report, name, REPORT_LIST);
}

static json_t *report_json(const struct report *field) {
    json_t *json = NULL;
    switch (field->type) {
    case REPORT_NUMBER:
        return json_integer(field->number);
    case REPORT_COUNT:
        return json_sprintf("%" PRIu64, field->count);
    case REPORT_BYTES:
        return json_integer((json_int_t)field->count);
    case REPORT_REAL:
    case REPORT_RATE:
    case REPORT_SECONDS:
    case REPORT_SHARE:
        return json_real(field->real);
    case REPORT_FLAG:
        return json_boolean(field->flag);
    case REPORT_UNKNOWN:
        return json_null();
    case REPORT_TEXT:
        return json_string(field->text);
    case REPORT_OBJECT:
        json = json_object();
        for (field = field->first; field != NULL; field = field->next)
            json_object_set_new(json, field->name, report_json(field));
        return json;
    case REPORT_LIST:
        json = json_array();
        for (field = field->first; field != NULL; field = field->next)
            json_array_append_new(json, report_json(field));
        return json;
    }
    return json;
}

static void report_put_value(const struct report *field);

static void report_put_list(const struct report *list) {
    enum { MOST = 20 }; /* the most values that are shown */
    int count = 0;
    for (const struct report *value = list->first; value != NULL; value = value->next, count++)
        if (count < MOST) {
            fputs(count > 0 ? ", " : "", stdout);
            report_put_value(value);
        }
    if (count > MOST)
        printf(" ... and %d more", count - MOST);
    if (count == 0)
        putchar('-');
}

static void report_put_object(const struct report *object) {
    for (const struct report *field = object->first; field != NULL; field = field->next) {
        printf("%s%s ", field != object->first ? ", " : "", field->name);
        report_put_value(field);
    }
}

/* Returns a value as a text of at most 63 characters. digits: how many digits follow the
 * decimal point in a cell of a table; -1 writes the value as people read it, with its unit. */
static struct short_text value_text(const struct report *field, int digits) {
    struct short_text result = {"-"};
    char *text = result.text;
    const size_t size = sizeof result.text;
    switch (field->type) {
    case REPORT_NUMBER:
        snprintf(text, size, "%" PRId64, field->number);
        break;
    case REPORT_COUNT:
        snprintf(text, size, "%" PRIu64, field->count);
        break;
    case REPORT_RATE:
        snprintf(text, size, "%.3e", field->real);
        break;
    case REPORT_REAL:
        if (digits < 0)
            snprintf(text, size, "%.10g", field->real);
        else
            snprintf(text, size, "%.*f", digits, field->real);
        break;
    case REPORT_SECONDS:
        if (digits >= 0)
            snprintf(text, size, "%.*f", digits, field->real);
        else if (field->real < 1)
            snprintf(text, size, "%.3g s", field->real);
        else
            return duration_text(field->real);
        break;
    case REPORT_SHARE:
        snprintf(text, size, "%.*f%s", digits < 0 ? 1 : digits, 100 * field->real,
                 digits < 0 ? " %" : "");
        break;
    case REPORT_BYTES:
        return memory_text((double)field->count);
    case REPORT_FLAG:
        snprintf(text, size, "%s", field->flag ? "yes" : "no");
        break;
    case REPORT_TEXT:
        snprintf(text, size, "%s", field->text);
        break;
    case REPORT_UNKNOWN:
    case REPORT_OBJECT:
    case REPORT_LIST:
        break;
    }
    return result;
}

static void report_put_value(const struct report *field) {
    if (field->type == REPORT_OBJECT)
        report_put_object(field);
    else if (field->type == REPORT_LIST)
        report_put_list(field);
    else
        fputs(field->type == REPORT_TEXT ? field->text : value_text(field, -1).text, stdout);
}

static void report_put_line(const char *name, const struct report *value) {
    const int length = printf("%s:", name);
    printf("%*s", length < 22 ? 22 - length : 1, "");
    report_put_value(value);
    putchar('\n');
}

static void report_print_text(const struct report *report) {
    for (const struct report *field = report->first; field != NULL; field = field->next)
        if (field->type == REPORT_LIST && field->first != NULL &&
            field->first->type == REPORT_OBJECT)
            for (const struct report *part = field->first; part != NULL; part = part->next)
                report_put_line(field->name, part);
        else
            report_put_line(field->name, field);
}

/* Prints the report as JSON. Returns false if that fails. */
static bool report_dump(const struct report *report, FILE *stream, size_t flags) {
    json_set_alloc_funcs(
        report_allocate,
        free); /* ends the program if memory runs out, so that no field is lost */
    json_t *json = report_json(report);
    const int failed = json_dumpf(json, stream, flags | JSON_REAL_PRECISION(9));
    json_decref(json);
    putc('\n', stream);
    return failed == 0;
}

int report_print(struct report *report, bool as_json) {
    bool printed = true;
    if (as_json) /* if it fails, output_close() says why */
        printed = report_dump(report, stdout, JSON_INDENT(2));
    else
        report_print_text(report);
    report_free(report);
    return printed ? EXIT_DONE : EXIT_SYSTEM;
}

int report_print_line(struct report *report) {
    const bool printed = report_dump(report, stdout, 0);
    report_free(report);
    return printed ? EXIT_DONE : EXIT_SYSTEM;
}

char *report_take_line(struct report *report) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream != NULL) {
        report_dump(report, stream, 0);
        fclose(stream);
    }
    report_free(report);
    return text;
}

bool report_write(const struct report *report, const char *file) {
    FILE *stream = fopen(file, "we");
    if (stream == NULL)
        return false;
    const bool written = report_dump(report, stream, JSON_INDENT(2));
    return fclose(stream) == 0 && written;
}

/* Returns the field of that name, or NULL if there is none. */
static const struct report *report_find(const struct report *report, const char *name) {
    const struct report *field = report->first;
    while (field != NULL && strcmp(field->name, name) != 0)
        field = field->next;
    return field;
}

/* Prints a cell, with what separates it from its neighbours. */
static void table_put(const struct table *table, size_t at, const char *text) {
    const int width = table->columns[at].width;
    const bool last = at + 1 == table->count;
    if (table->format == FORMAT_CSV)
        printf("%s%s", at > 0 ? "," : "", text);
    else /* a line must not end in blanks */
        printf("%s%*s", at > 0 ? " " : "", last && width < 0 ? 0 : width, text);
    if (last)
        putchar('\n');
}

void table_titles(struct table *table) {
    for (size_t i = 0; i < table->count && !table->titled && table->format != FORMAT_JSON; i++)
        table_put(table, i, table->columns[i].title);
    table->titled = true;
}

int table_print_line(struct table *table, struct report *line) {
    if (table->format == FORMAT_JSON)
        return report_print_line(line);
    table_titles(table);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        const struct report *field =
            report_find(line, column->name != NULL ? column->name : column->title);
        const char *empty = table->format == FORMAT_CSV ? "" : "-";
        if (field != NULL &&
            field->type == REPORT_TEXT) /* value_text() would cut a long text */
            table_put(table, i, field->text);
        else
            table_put(table, i, field != NULL ? value_text(field, column->digits).text : empty);
    }
    report_free(line);
    return ferror(stdout) == 0 ? EXIT_DONE : EXIT_SYSTEM;
}
