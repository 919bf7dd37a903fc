/* SPDX-License-Identifier: MIT */
/* Messages on stderr, one line each. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "cli/commands.h"

/* Writes "PROGRAM: ..." and a newline. Control characters, which come from outside only, are
 * escaped (nqi_escape_text): a message stays one line and cannot control the terminal. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same. Returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int usage_error(const char *format, ...);

/* The same, with a pointer to the help, for what the help explains. Returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int help_error(const char *format, ...);

/* The end of a warning that figures are of a machine that others use, with the remedy. */
#define OTHERS_RUN "other programs are running; wait for them to end"

#endif
