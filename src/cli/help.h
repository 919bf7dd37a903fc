/* Parts of the help, made from the tables of commands and options, on stdout. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/commands.h"

/* Finds the command that a call of `help`, or one with --help, asks about; COMMANDS: it asks
 * about none. Says on stderr what is wrong with the call. Returns -1 or an exit code. */
int help_topic(const struct call *call, enum command_id *topic);

/* Prints a paragraph. */
void help_print_text(const char *text);

/* Print what a command takes, below headings. */
void help_print_arguments(int command);
void help_print_options(int command);

#endif
