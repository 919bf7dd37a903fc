/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table table_of(const struct call *call, const struct column *columns, size_t count) {
    struct table table = {.columns = columns, .count = count};
    if (is_given(call, OPTION_format)) /* in the order of the option's row */
        table.form = call->number[OPTION_format] == 0 ? TABLE_CSV : TABLE_MARKDOWN;
    return table;
}

/* Prints a cell, and what stands before and behind it. */
static void table_put(struct table *table, const char *text) {
    const int width = table->columns[table->at].width;
    const bool first = table->at == 0, last = ++table->at == table->count;
    if (table->form == TABLE_CSV)
        printf("%s%s", first ? "" : ",", text);
    else if (table->form == TABLE_MARKDOWN)
        printf("%s%*s |", first ? "| " : " ", width, text);
    else /* no blanks at the end of a line */
        printf("%s%*s", first ? "" : " ", last && width < 0 ? 0 : width, text);
    if (last) {
        putchar('\n');
        table->at = 0;
    }
}

/* "| ---: | :--- |" */
static void table_put_rule(struct table *table) {
    for (size_t i = 0; i < table->count; i++) {
        char rule[64];
        const int width = table->columns[i].width, size = abs(width);
        memset(rule, '-', sizeof rule);
        rule[width < 0 ? 0 : size - 1] = ':';
        rule[size] = '\0';
        table_put(table, rule);
    }
}

void table_cell(struct table *table, const char *format, ...) {
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; !table->titled && i < table->count; i++)
        table_put(table, table->columns[i].title);
    if (!table->titled && table->form == TABLE_MARKDOWN)
        table_put_rule(table);
    table->titled = true;
    table_put(table, text[0] != '\0' || table->form == TABLE_CSV ? text : "-");
}

void table_total(struct table *table, bool known, uint64_t low, uint64_t high) {
    char digits[NQ_TOTAL_SIZE];
    table_cell(table, "%s", known ? nq_total_text(low, high, digits) : "");
}

void table_count(struct table *table, bool known, uint64_t number) {
    table_total(table, known, number, 0);
}
