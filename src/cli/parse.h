/* SPDX-License-Identifier: MIT */
/* The words of a command line: options and arguments. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "cli/command.h"

#include <stddef.h>

struct command_line {
    int argument_count, option_count;
    char **arguments;
    struct option_given {
        const struct option_row *row; /* that of any command */
        const char *value;            /* NULL: a flag */
    } * options;
    const struct option_row *open; /* the last word, which lacks its value; or NULL */
};

/* Every option of the program, the one of the first command that has it. rows: NULL behind
 * them.
 */
enum { MAX_ROWS = 64 };
void options_collect(const struct option_row *rows[MAX_ROWS]);

/* Reads the words as they stand, which the result points to, or says what is wrong with them.
 * Returns EXIT_DONE, or the exit code of what is wrong. completing: a value that is not there
 * yet is no error. */
int command_line_read(int argc, char **argv, bool completing, struct command_line *words);

/* The command whose name words[0..count-1] begin with; NULL: none. A number, and no words at
 * all, stand for the first command. *length: the words of the name that are there. */
const struct command *command_named(char *const *words, int count, int *length);

/* The same; says on stderr if there is none, and what may have been meant. Returns
 * EXIT_DONE, or the exit code of that. */
int command_find(char *const *words, int count, const struct command **command, int *length);

/* Writes the second words of the commands that begin with this one, cut to `size` bytes: none
 * for other words. Returns `words`. */
const char *command_group(const char *first, char *words, size_t size);

#endif
