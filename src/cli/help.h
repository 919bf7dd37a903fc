/* SPDX-License-Identifier: MIT */
/* The help, on stdout, made of the program's commands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* Shows what the words name: a command, the commands that begin with a word, or without words
 * the program. `nqueens help COMMAND`, and --help behind a command's name. Returns an exit
 * code. */
int help_run(int count, char **words);

/* The command `help`. */
extern const struct command command_help;

/* Returns an exit code. */
int help_print_version(void);

/* Prints what may stand in place of the last word, for shells that complete a command line: one
 * a line, with a tab and a description; or FILE alone, for the name of a file. argv: a name,
 * and the words behind the program's. Returns the exit code. */
int complete(int argc, char **argv);

#endif
