/* Text from outside, such as names in files and commands of other programs, in tables. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>

/* The bytes of an escaped text's (nqi_escape_text) first so many characters. */
size_t shown_fit(const char *escaped, int characters);

/* Prints a text escaped, and blanks up to so many characters. */
void shown_put(const char *text, int characters);

#endif
