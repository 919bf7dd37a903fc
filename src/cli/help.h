/* SPDX-License-Identifier: MIT */
/* Prints the help on stdout. It is made from the descriptions of the program's commands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* Prints the help for these words: of the command that they name; of a group of commands,
 * such as "ledger"; or, if there are no words, of the program. Returns an exit code. */
int help_run(int count, char **words);

/* The command `nqueens help [COMMAND]...`. */
extern const struct command command_help;

/* Prints the program's name and version. Returns an exit code. */
int help_print_version(void);

/* For shell completion: prints what can replace the last word of argv, one possibility a
 * line. A line has a word and, for options and commands, a tab and a description; the line
 * FILE means that the shell should complete a file name. argv[0] is ignored; the words of
 * the command line after the program's name follow it. Returns an exit code. */
int complete(int argc, char **argv);

#endif
