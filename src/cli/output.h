/* SPDX-License-Identifier: MIT */
/* The end of stdout, and what a terminal can show. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/* From here on the program ends with a message if the system refuses a thread. libgomp names
 * the call that failed, and its status 1 would say that a count is wrong. */
void output_prepare_threads(void);

/* From here on it is no error when the reader closes the pipe. */
void output_may_end_early(void);

/* Flushes stdout. Returns `code`. If output was lost, says so and returns EXIT_SYSTEM in place
 * of EXIT_DONE: an answer that did not arrive is a failure. */
int output_close(int code);

/* Whether TERM names a terminal that cannot move its cursor, or none. */
bool terminal_is_dumb(void);

#endif
