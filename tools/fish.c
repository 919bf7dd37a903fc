/* The fish completions: a line for each word that may be offered, with its condition. */
#include "writers.h"

#include <stdio.h>

static void put_description(const char *text) {
    fputs(" -d '", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    puts("'");
}

void fish_with_value(void) {
    put_with_value(" ");
}

void fish_number(void) {
    fputs(commands[NUMBER_COMMAND].name, stdout);
}

static void put_command(int id) {
    const struct command *row = &commands[id];
    printf("complete -c nqueens -n '__nqueens_at 0' -a %s", row->name);
    put_description(row->help);
    if (has_words(id)) {
        printf("complete -c nqueens -n '__nqueens_at 1 %s' -a '", row->name);
        put_words(id);
        puts("'");
    }
    if (takes_files(id))
        printf("complete -c nqueens -n '__nqueens_after %d %s' -F\n", has_words(id) ? 2 : 1,
               row->name);
}

/* For the commands on which the option has these values. */
static void put_option(int id, const char *values) {
    const struct option_row *row = &option_rows[id];
    fputs("complete -c nqueens -n '__nqueens_takes", stdout);
    for (int command = 0; command < COMMANDS; command++)
        if (takes(id, command) && option_values(id, command) == values)
            printf(" %s", commands[command].name);
    printf("' -l %s", row->long_name);
    if (row->short_name != 0)
        printf(" -s %c", row->short_name);
    if (values != NULL)
        printf(" -x -a '%s'", values);
    else if (takes_file(row))
        fputs(" -r -F", stdout);
    else if (row->argument != NULL)
        fputs(" -x", stdout);
    put_description(row->help);
}

static void put_option_rows(int id) {
    put_option(id, option_rows[id].values);
    for (int command = 0; command < COMMANDS; command++)
        if (takes(id, command) && option_values(id, command) != option_rows[id].values)
            put_option(id, option_values(id, command));
}

void fish_rows(void) {
    for (int id = 0; id < COMMANDS; id++)
        put_command(id);
    for (int id = 0; id < OPTIONS; id++)
        put_option_rows(id);
}
