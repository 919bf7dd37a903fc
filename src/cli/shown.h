/* Text from outside, such as names in files and commands of other programs, in tables. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>

/* The bytes of an escaped text's (nqi_escape_text) first so many characters. */
size_t shown_fit(const char *escaped, int characters);

/* The number of characters of an escaped text. */
int shown_characters(const char *escaped);

/* Prints a text escaped. */
void shown_put(const char *text);

#endif
