/* Writers of the parts of the manual, and of each shell's completions, that come from the
 * tables of commands and options. Each writes whole lines, or a part of one, to stdout. */
#ifndef TOOLS_WRITERS_H
#define TOOLS_WRITERS_H

#include "cli/definitions.h"

/* What the page that is written is of. */
extern const char *page_version, *page_date;
extern int page_command;

void man_commands(void);
void man_head(void);
void man_options(void);
void man_examples(void);

void bash_short_names(void);
void bash_with_value(void);
void bash_values(void);
void bash_commands(void);

void zsh_commands(void);
void zsh_with_value(void);
void zsh_options(void);
void zsh_cases(void);

void fish_with_value(void);
void fish_number(void);
void fish_rows(void);

/* Questions to the tables. */

bool takes_files(int command); /* as arguments */
bool has_words(int command);   /* its first argument is one of these */
bool takes_file(const struct option_row *row);

/* Writes these words, separated by spaces. */
void put_words(int command);

/* Writes the options that need a value, short names and long ones. */
void put_with_value(const char *separator);

#endif
