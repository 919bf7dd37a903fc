/* Messages for people, on stderr, one line each. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "cli/commands.h"

/* Writes "nqueens: ..." and a newline. Control characters, which only what users gave can hold,
 * are written as \xNN: a message is one line and leaves the terminal alone. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same, with a pointer to the help; returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int usage_error(const char *format, ...);

#endif
