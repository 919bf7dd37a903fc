/* SPDX-License-Identifier: MIT */
/* The streams of the program, and what a terminal can show. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/* Makes stdin, stdout and stderr wait where a descriptor does not: other programs that share
 * it, such as Node.js, may have set O_NONBLOCK. Called once, before the streams are used. */
void output_begin(void);

/* Writes a text to stderr as far as there is room for it now, and drops the rest: a count does
 * not wait for a terminal that is stopped, or for a pipe that nobody reads. Returns whether
 * there was room. */
bool output_offer(const char *text);

/* Whether stderr is a pipe that holds more than half of what it can. */
bool output_is_half_full(void);

/* Waits until stderr has room, for at most a second. Returns whether it has. */
bool output_has_room(void);

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
