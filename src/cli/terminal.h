/* What the terminal can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether TERM names a terminal that cannot move its cursor, or none. */
bool terminal_is_dumb(void);

/* The width in characters of the terminal that is open there; 0: none, or it does not say. */
int terminal_columns(int file);

/* Whether stdout is a terminal that shows UTF-8, by the locale, and colours besides. */
bool stdout_shows_unicode(void);
bool stdout_shows_colours(void);

#endif
