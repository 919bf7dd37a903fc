/* SPDX-License-Identifier: MIT */
/* Writes the manual: copies a template from stdin to stdout. In place of the lines ".COMMAND
 * NAME", ".OPTIONS" and ".EXAMPLES" stands what the tables of commands and options say. */
#include "cli/definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes text[0..length-1] so that roff shows it as it is. */
static void put(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '\'')
            fputs("\\(aq", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

/* Writes each sentence on a line of its own, as roff expects. */
static void put_text(const char *text) {
    for (const char *end; (end = strstr(text, ". ")) != NULL; text = end + 2) {
        put(text, (size_t)(end + 1 - text));
        putchar('\n');
    }
    put(text, strlen(text));
    putchar('\n');
}

static void put_command(int id) {
    const struct command *row = &commands[id];
    printf(".Ss nqueens %s%s", row->name, row->arguments[0] != '\0' ? " " : "");
    put(row->arguments, strlen(row->arguments));
    putchar('\n');
    put_text(row->about);
    if (row->argument->name == NULL)
        return;
    puts(".Bl -tag -width Ds");
    for (const struct described *argument = row->argument; argument->name != NULL; argument++) {
        fputs(".It Ar ", stdout);
        put(argument->name, strlen(argument->name));
        putchar('\n');
        put_text(argument->help);
    }
    puts(".El");
}

static void put_option(int id) {
    const struct option_row *row = &option_rows[id];
    fputs(".It", stdout);
    if (row->short_name != 0)
        printf(" Fl %c ,", row->short_name);
    fputs(" Fl \\-", stdout);
    put(row->long_name, strlen(row->long_name));
    printf("%s%s\n", row->argument != NULL ? " Ar " : "",
           row->argument != NULL ? row->argument : "");
    if (row->takers == EVERY_COMMAND) {
        put_text(row->help);
        return;
    }
    const char *before = ".Cm ";
    for (int command = 0; command < COMMANDS; command++)
        if (takes(id, command) && option_help(id, command) == row->help) {
            printf("%s%s", before, commands[command].name);
            before = " , ";
        }
    puts(" :");
    put_text(row->help);
    for (int command = 0; command < COMMANDS; command++)
        if (takes(id, command) && option_help(id, command) != row->help) {
            printf(".br\n.Cm %s :\n", commands[command].name);
            put_text(option_help(id, command));
        }
}

static void put_examples(void) {
    for (int id = 0; id < COMMANDS; id++)
        for (const struct described *row = commands[id].example; row->name != NULL; row++) {
            fputs(".It Cm \"", stdout);
            put(row->name, strlen(row->name));
            puts("\"");
            put_text(row->help);
        }
}

int main(void) {
    char line[1024], name[32];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int id = 0;
        if (sscanf(line, ".COMMAND %31[^\n]", name) == 1) {
            while (id < COMMANDS && strcmp(name, commands[id].name) != 0)
                id++;
            if (id == COMMANDS) {
                fprintf(stderr, "manual: unknown command '%s'\n", name);
                return EXIT_FAILURE;
            }
            put_command(id);
        } else if (strcmp(line, ".OPTIONS\n") == 0) {
            while (id < OPTIONS)
                put_option(id++);
        } else if (strcmp(line, ".EXAMPLES\n") == 0) {
            put_examples();
        } else {
            fputs(line, stdout);
        }
    }
    return ferror(stdin) != 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
