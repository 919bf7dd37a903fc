/* SPDX-License-Identifier: MIT */
/* Reads the words of a command line: the command, its options and its arguments. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "cli/command.h"

#include <stddef.h>

struct command_line {
    int argument_count, option_count;
    char **arguments;
    struct option_given {
        const struct option_spec *spec; /* of the first command that has the option */
        const char *value;              /* NULL for a flag */
    } * options;
    /* While completing: the option whose value is still to be typed; else NULL. */
    const struct option_spec *awaits_value;
};

/* Collects every option of the program. If several commands define an option of one name, the
 * first definition is taken. specs: ends with NULL. */
enum { MAX_SPECS = 64 };
void options_collect(const struct option_spec *specs[MAX_SPECS]);

/* Divides the words into options and arguments, or writes to stderr what is wrong with them.
 * The result points into argv. completing: the last option may lack its value, as the user
 * has yet to type it. Returns EXIT_DONE, or the exit code for what is wrong. */
int command_line_read(int argc, char **argv, bool completing, struct command_line *words);

/* Returns the command whose name is at the start of the words, or NULL if there is none. If
 * there are no words, or the first does not begin with a letter, it is the first command.
 * *length: the number of words that are the command's name. */
const struct command *command_named(char *const *words, int count, int *length);

/* Does what command_named() does. If there is no such command, also writes to stderr which
 * command may have been meant. Returns EXIT_DONE, or the exit code for an unknown command. */
int command_find(char *const *words, int count, const struct command **command, int *length);

/* Writes into `words` the second words of all commands that consist of `first`, such as
 * "ledger", and a second word. They are separated by spaces, and cut to `size` bytes. If there
 * are no such commands, the result is empty. Returns `words`. */
const char *command_group(const char *first, char *words, size_t size);

#endif
