/* SPDX-License-Identifier: MIT */
/* Turns the library's statuses into messages and exit codes. */
#ifndef CLI_SAY_FAILURE_H
#define CLI_SAY_FAILURE_H

#include "cli/commands.h"

int exit_code_of(nq_status status);

/* Writes the library's message about this thread's last call to stderr. Returns the exit code.
 */
int say_failure(nq_status status);

/* The library's message about this thread's last call with the options of a count. If the
 * kernel is the cause, the text names the environment variable that it comes from. */
const char *options_failure_text(const struct call *call, nq_status status, char *text,
                                 size_t size);

/* Writes that text to stderr. Returns the exit code. */
int say_options_failure(const struct call *call, nq_status status);

/* Says that memory ran out. Returns the exit code. */
int out_of_memory(void);

#endif
