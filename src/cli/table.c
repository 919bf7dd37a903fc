/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include "cli/output.h"

#include <stdio.h>

struct table table_of(const struct call *call, const struct column *columns, size_t count) {
    struct table table = {.columns = columns, .count = count};
    if (is_given(call, OPTION_json))
        table.form = TABLE_JSON;
    if (is_given(call, OPTION_format))
        table.form = TABLE_CSV;
    return table;
}

/* Prints the cell of a column, and what stands before and behind it. */
static void table_put(const struct table *table, size_t at, const char *text) {
    const int width = table->columns[at].width;
    const bool last = at + 1 == table->count;
    if (table->form == TABLE_CSV)
        printf("%s%s", at > 0 ? "," : "", text);
    else /* no blanks at the end of a line */
        printf("%s%*s", at > 0 ? " " : "", last && width < 0 ? 0 : width, text);
    if (last)
        putchar('\n');
}

static void table_put_titles(struct table *table) {
    for (size_t i = 0; i < table->count; i++)
        table_put(table, i, table->columns[i].title);
    table->titled = true;
}

int table_row(struct table *table, json_t *row) {
    if (table->form == TABLE_JSON)
        return output_json_line(row);
    if (!table->titled)
        table_put_titles(table);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        const json_t *value =
            json_object_get(row, column->key != NULL ? column->key : column->title);
        char text[64] = "";
        if (json_is_string(value))
            snprintf(text, sizeof text, "%s", json_string_value(value));
        else if (json_is_integer(value))
            snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else if (json_is_real(value))
            snprintf(text, sizeof text, column->format, json_real_value(value));
        table_put(table, i, text[0] != '\0' || table->form == TABLE_CSV ? text : "-");
    }
    json_decref(row);
    return ferror(stdout) == 0 ? EXIT_DONE : EXIT_SYSTEM;
}
