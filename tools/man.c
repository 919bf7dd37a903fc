/* The manual's lists of commands and options, in mdoc macros. */
#include "writers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether a '-' is a hyphen within a word. Any other one is typed by users and stays as it is.
 */
static bool is_hyphen(const char *text, size_t i) {
    return i > 0 && isalpha((unsigned char)text[i - 1]) && isalpha((unsigned char)text[i + 1]);
}

/* Writes text[0..length-1] so that roff shows it as it is. */
static void put(const char *text, size_t length) {
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '\'')
            fputs("\\(aq", stdout);
        else if (text[i] == '-' && !is_hyphen(text, i))
            fputs("\\-", stdout);
        else
            putchar(text[i]);
    }
}

static void put_all(const char *text) {
    put(text, strlen(text));
}

/* "show FILE", "N... | -": lower case is typed as it stands, upper case stands for a value. */
static void put_arguments(const char *arguments) {
    while (*arguments != '\0') {
        size_t length = strcspn(arguments, " ");
        if (*arguments != '|')
            fputs(islower((unsigned char)*arguments) ? " Cm" : " Ar", stdout);
        putchar(' ');
        put(arguments, length);
        arguments += length + strspn(arguments + length, " ");
    }
}

void man_commands(void) {
    puts(".Bl -tag -width Ds");
    for (int id = 0; id < COMMANDS; id++) {
        printf(".It Cm %s", commands[id].name);
        put_arguments(commands[id].arguments);
        putchar('\n');
        put_all(commands[id].help);
        putchar('\n');
    }
    puts(".El");
}

static void write_takers(unsigned takers) {
    const char *before = ".br\nFor\n";
    for (int id = 0; id < COMMANDS; id++)
        if ((takers >> id & 1) != 0) {
            printf("%s.Cm %s", before, commands[id].name);
            before = " ,\n";
        }
    putchar('\n');
}

void man_options(void) {
    const unsigned every = (1u << COMMANDS) - 1;
    puts(".Bl -tag -width Ds");
    for (int id = 0; id < OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        fputs(".It", stdout);
        if (row->short_name != 0)
            printf(" Fl %c ,", row->short_name);
        printf(" Fl \\-%s", row->long_name);
        if (row->argument != NULL) {
            fputs(" Ar ", stdout);
            put_all(row->argument);
        }
        putchar('\n');
        put_all(row->help);
        putchar('\n');
        if ((row->commands & every) != every)
            write_takers(row->commands);
    }
    puts(".El");
}
