/* Text from outside, such as names in files and commands of other programs, in tables. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* The columns that an escaped text (nqi_escape_text) takes on a terminal. */
int shown_columns(const char *escaped);

/* The bytes of its longest beginning that fits into so many columns. */
size_t shown_fit(const char *escaped, int columns);

/* Writes a text escaped, and blanks up to so many columns. */
void shown_put(const char *text, int columns, FILE *stream);

#endif
