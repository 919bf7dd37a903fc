#include "writers.h"

#include <stdio.h>
#include <string.h>

bool takes(const struct option_row *row, int command) {
    return (row->commands >> command & 1) != 0;
}

bool takes_files(int command) {
    return strstr(commands[command].arguments, "FILE") != NULL;
}

bool takes_file(const struct option_row *row) {
    return row->argument != NULL && strcmp(row->argument, "FILE") == 0;
}

bool takes_program(const struct option_row *row) {
    return row->argument != NULL && strcmp(row->argument, "CMD") == 0;
}

bool is_repeatable(int option) {
    return option == OPTION_peer;
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
