/* Writers of the parts of the manual, and of each shell's completions, that come from the
 * tables of commands and options. Each writes whole lines, or a part of one, to stdout. */
#ifndef TOOLS_WRITERS_H
#define TOOLS_WRITERS_H

#include "cli/definitions.h"

#include <stdbool.h>

void man_commands(void);
void man_options(void);

void bash_short_names(void);
void bash_with_value(void);
void bash_values(void);
void bash_commands(void);
void bash_repeated(void);

void zsh_commands(void);
void zsh_with_value(void);
void zsh_options(void);
void zsh_cases(void);

void fish_with_value(void);
void fish_number(void);
void fish_rows(void);

/* Questions to the tables. */

/* The command that a number alone stands for. */
enum { NUMBER_COMMAND = COMMAND_count };

bool takes(const struct option_row *row, int command);
bool takes_files(int command); /* as arguments */
bool takes_file(const struct option_row *row);
bool takes_program(const struct option_row *row);
bool is_repeatable(int option); /* it may be given more than once */

/* Writes the options that need a value, short names and long ones. */
void put_with_value(const char *separator);

#endif
