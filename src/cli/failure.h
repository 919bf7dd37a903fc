/* Turns the library's statuses into messages and exit codes. */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "cli/commands.h"

int exit_code_of(nq_status status);

/* Writes the library's message about this thread's last call to stderr. Returns the exit code.
 */
int say_failure(nq_status status);

/* The same for a call with the options of a count: if the kernel is the cause, the message
 * names the environment variable that it comes from. */
int say_options_failure(const struct call *call, nq_status status);

/* Writes the status's own text to stderr. Returns the exit code. */
int say_status(nq_status status);

/* Says that memory ran out. Returns the exit code. */
int out_of_memory(void);

#endif
