/* Parts of the help, made from the tables of commands and options, on stdout. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

/* Prints a paragraph. */
void help_print_text(const char *text);

/* Print what a command takes, below headings. */
void help_print_arguments(int command);
void help_print_options(int command);

#endif
