/* SPDX-License-Identifier: MIT */
/* Takes care of the standard streams: descriptors that do not block, readers that do not
 * read, and answers that get lost. Also says what the terminal can show. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

/* Makes stdin, stdout and stderr wait even if their descriptors have O_NONBLOCK, which other
 * programs that share them, such as Node.js, may have set. Call it once, before the streams
 * are used. */
void output_begin(void);

/* Writes as much of a text to stderr as fits without waiting, and drops the rest, so that a
 * count does not wait for a terminal that is stopped or a pipe that nobody reads. Returns
 * whether anything was written. */
bool output_offer(const char *text);

/* Returns whether stderr is a pipe that is more than half full. */
bool output_is_half_full(void);

/* Waits for at most a second until stderr has room. Returns whether it has. */
bool output_has_room(void);

/* Makes the program end with a message of its own and EXIT_SYSTEM if the system refuses to
 * start a thread. libgomp would exit with status 1, which means that a count is wrong. */
void output_prepare_threads(void);

/* Makes output_close() accept that the reader of stdout has closed the pipe. */
void output_may_end_early(void);

/* Flushes stdout and returns `code`. If output was lost, writes a message, and returns
 * EXIT_SYSTEM instead of EXIT_DONE, because an answer that did not arrive is a failure. */
int output_close(int code);

/* Returns whether TERM is unset or empty, or names a terminal that cannot move its cursor. */
bool terminal_is_dumb(void);

#endif
