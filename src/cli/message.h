/* SPDX-License-Identifier: MIT */
/* Messages on stderr, one line each, also for the library's statuses; and their exit codes. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "cli/commands.h"

/* Writes "PROGRAM: ..." and a newline. Control characters, which come from outside only, are
 * escaped (nqi_escape_text): a message stays one line and cannot control the terminal. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same; the value is EXIT_USAGE. */
#define usage_error(...) (message(__VA_ARGS__), EXIT_USAGE)

/* The same, with a pointer to the help, for what the help explains. */
#define help_error(format, ...)                                                                \
    usage_error(format " (see '%s --help')", __VA_ARGS__, this_program.name)

int exit_code_of(nq_status status);

/* Writes the library's message about this thread's last call to stderr. Returns the exit code.
 */
int say_failure(nq_status status);

/* The same, about a call with the options of a count. If the kernel is the cause, the message
 * names the environment variable that it comes from. */
int say_options_failure(const struct call *call, nq_status status);

/* Says that memory ran out. Returns the exit code. */
int out_of_memory(void);

/* The end of a warning that figures are of a machine that others use, with the remedy. */
#define OTHERS_RUN "other programs are running; wait for them to end"

#endif
