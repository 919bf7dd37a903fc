/* SPDX-License-Identifier: MIT */
/* Output on stdout, messages on stderr, and what a terminal there can show. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/commands.h"

#include <jansson.h>

/* Messages on stderr, one line each, also for the library's statuses; and their exit codes. */

/* Writes "PROGRAM: ..." and a newline. Control characters, which come from outside only, are
 * escaped (nqi_escape_text): a message stays one line and cannot control the terminal. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same; the value is EXIT_USAGE. */
#define usage_error(...) (message(__VA_ARGS__), EXIT_USAGE)

/* The same, with a pointer to the help, for what the help explains. */
#define help_error(format, ...)                                                                \
    usage_error(format " (see '%s --help')", __VA_ARGS__, program_name)

/* The same, about a word that names no command or option, with the name of the list that may
 * have been meant, as guess_text() does. */
int say_unknown(const char *what, const char *word, const char *list, const char *lead);

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

/* From here on Jansson gets memory, or the program ends with a message: nothing is left out of
 * a document. */
void output_prepare_json(void);

/* A count as a JSON string: as a number it would be too large for most readers. */
json_t *json_count(uint64_t count);

/* A text from outside, such as a file's name, as a JSON string, escaped as in messages. */
json_t *json_text(const char *text);

/* Prints a JSON document, indented, and frees it. Returns an exit code. */
int output_json(json_t *document);

/* Prints one of several JSON documents, a line each (https://jsonlines.org), and frees it.
 * Returns an exit code. */
int output_json_line(json_t *document);

/* A verdict's name in JSON: "verified", "unverified" or "wrong". */
const char *verdict_name(nq_verdict verdict);

/* Prints a line such as "kernel:    avx2". Control characters are escaped. */
__attribute__((format(printf, 2, 3))) void output_pair(const char *name, const char *format,
                                                       ...);

/* From here on it is no error when the reader closes the pipe. */
void output_may_end_early(void);

/* Flushes stdout. Returns `code`. If output was lost, says so and returns EXIT_SYSTEM in place
 * of EXIT_DONE: an answer that did not arrive is a failure. */
int output_close(int code);

/* Whether TERM names a terminal that cannot move its cursor, or none. */
bool terminal_is_dumb(void);

#endif
