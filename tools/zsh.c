/* The parts of the zsh completions that come from the tables: specifications for _arguments. */
#include "writers.h"

#include <stdio.h>
#include <string.h>

/* Writes a text within single quotes, with a backslash before special characters. */
static void put_quoted(const char *text, const char *special) {
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

void zsh_commands(void) {
    for (int id = 0; id < COMMANDS; id++) {
        printf("        '%s:", commands[id].name);
        put_quoted(commands[id].help, ":\\");
        puts("'");
    }
}

void zsh_with_value(void) {
    put_with_value("|");
}

static const char *action_for(const struct option_row *row) {
    return takes_file(row) ? "_files" : " ";
}

/* name: as typed, with zsh's sign for how the value follows. */
static void put_spec(int id, const char *name, int command) {
    const struct option_row *row = &option_rows[id];
    fputs("            '", stdout);
    if (row->short_name != 0)
        printf("(-%c --%s)", row->short_name, row->long_name);
    printf("%s[", name);
    put_quoted(option_help(id, command), "[]\\");
    putchar(']');
    if (row->values != NULL)
        printf(":%s:(%s)", row->argument, option_values(id, command));
    else if (row->argument != NULL)
        printf(":%s:%s", row->argument, action_for(row));
    puts("'");
}

/* command: COMMANDS while none is named. */
static void put_option(int id, int command) {
    const struct option_row *row = &option_rows[id];
    char name[40];
    if (row->short_name != 0) {
        snprintf(name, sizeof name, "-%c%s", row->short_name, row->argument != NULL ? "+" : "");
        put_spec(id, name, command);
    }
    snprintf(name, sizeof name, "--%s%s", row->long_name, row->argument != NULL ? "=" : "");
    put_spec(id, name, command);
}

void zsh_options(void) {
    for (int id = 0; id < OPTIONS; id++)
        put_option(id, COMMANDS);
}

/* The first argument is the command itself. */
static void put_arguments(int command) {
    const struct command *row = &commands[command];
    puts("            '1: : '");
    if (has_words(command)) {
        fputs("            '2: :(", stdout);
        put_words(command);
        puts(")'");
    }
    if (takes_files(command))
        puts("            '*:file:_files'");
    else if (has_words(command))
        puts("            '*: : '");
    else if (row->arguments[0] != '\0')
        printf("            '*:%s: '\n", row->arguments);
}

void zsh_cases(void) {
    for (int command = 0; command < COMMANDS; command++) {
        printf("    (%s%s)\n        specs=(\n", commands[command].name,
               command == NUMBER_COMMAND ? "|<->|-" : "");
        for (int id = 0; id < OPTIONS; id++)
            if (takes(id, command))
                put_option(id, command);
        put_arguments(command);
        puts("        )\n        ;;");
    }
}
