#ifndef CLI_HELP_H
#define CLI_HELP_H

/* Prints the help to stdout, made from the tables of commands and options. */
void help_print(void);

#endif
