#include "writers.h"

#include <stdio.h>
#include <string.h>

bool takes_files(int command) {
    return strstr(commands[command].arguments, "FILE") != NULL;
}

/* The names of actions, or of commands. */
static const char *word_at(int command, int index) {
    if (command == COMMAND_help)
        return index < COMMANDS ? commands[index].name : NULL;
    for (int id = 0; id < ACTIONS; id++)
        if ((int)action_rows[id].command == command && index-- == 0)
            return action_rows[id].name;
    return NULL;
}

bool has_words(int command) {
    return word_at(command, 0) != NULL;
}

void put_words(int command) {
    const char *word;
    for (int i = 0; (word = word_at(command, i)) != NULL; i++)
        printf("%s%s", i > 0 ? " " : "", word);
}

bool takes_file(const struct option_row *row) {
    return row->argument != NULL && strcmp(row->argument, "FILE") == 0;
}

void put_with_value(const char *separator) {
    const char *before = "";
    for (int id = 0; id < OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        if (row->argument == NULL)
            continue;
        printf("%s--%s", before, row->long_name);
        before = separator;
        if (row->short_name != 0)
            printf("%s-%c", separator, row->short_name);
    }
}
