/* Turns the library's statuses into messages and exit codes. */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "cli/commands.h"

int exit_code_of(nq_status status);

/* Writes the library's description of a failure to stderr. Returns the exit code. */
int say_failure(nq_status status, const char *detail);

/* Says that memory ran out. Returns the exit code. */
int out_of_memory(void);

#endif
