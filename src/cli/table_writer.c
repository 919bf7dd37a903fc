/* SPDX-License-Identifier: MIT */
#include "cli/table_writer.h"

#include "cli/output.h"
#include "core/text.h"

#include <nqueens.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A character that could mean something in Markdown gets a backslash. */
static void table_put_markdown(const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]<>&~|$", *text) != NULL)
            putchar('\\');
        putchar(*text);
    }
}

/* RFC 4180: quoted if it holds a character that would end it. */
static void table_put_csv(const char *text) {
    if (strpbrk(text, ",\"") == NULL) {
        fputs(strcmp(text, "-") == 0 ? "" : text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void table_put(struct table_writer *table, const char *text) {
    const struct column *column = &table->columns[table->at];
    /* Bytes that printf counts and no reader sees. */
    const int unseen = (int)strlen(text) - shown_characters(text);
    bool is_first = table->at == 0, is_last = table->at + 1 == table->count;
    switch (table->format) {
    case TABLE_TEXT:
        fputs(is_first ? "" : " ", stdout);
        printf("%*s",
               column->width > 0 ? column->width + unseen
               : is_last         ? 0
                                 : column->width - unseen,
               text);
        break;
    case TABLE_MARKDOWN:
        fputs(is_first ? "| " : " | ", stdout);
        table_put_markdown(text);
        fputs(is_last ? " |" : "", stdout);
        break;
    case TABLE_CSV:
        fputs(is_first ? "" : ",", stdout);
        table_put_csv(text);
        break;
    }
    table->at = is_last ? 0 : table->at + 1;
    if (is_last)
        putchar('\n');
}

static void table_begin(struct table_writer *table) {
    table->begun = true;
    if (table->format == TABLE_TEXT && table->untitled)
        return;
    for (int i = 0; i < table->count; i++)
        table_put(table, table->columns[i].title);
    for (int i = 0; i < table->count && table->format == TABLE_MARKDOWN; i++)
        printf("| %s%s", table->columns[i].width > 0 ? "---: " : "--- ",
               i + 1 == table->count ? "|\n" : "");
}

void table_cell(struct table_writer *table, const char *format, ...) {
    char text[1024], escaped[4 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!table->begun)
        table_begin(table);
    table_put(table, nqi_escape_text(text, escaped, sizeof escaped));
}

void table_note(const struct table_writer *table, const char *format, ...) {
    if (table->format == TABLE_CSV)
        return;
    /* In Markdown, notes are paragraphs: a line must not become one more row of the table. */
    bool is_text = table->format == TABLE_TEXT;
    fputs(is_text ? "# " : table->begun ? "\n" : "", stdout);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fputs(is_text || table->begun ? "\n" : "\n\n", stdout);
}
