#ifndef CLI_HELP_H
#define CLI_HELP_H

/* Prints the help, made from the tables of commands and options, to stdout. */
void help_print(void);

#endif
