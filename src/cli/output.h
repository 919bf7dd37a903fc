/* SPDX-License-Identifier: MIT */
/* Output on stdout, JSON above all, and what a terminal can show. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <jansson.h>
#include <nqueens.h>

/* From here on the program ends with a message if the system refuses a thread. libgomp names
 * the call that failed, and its status 1 would say that a count is wrong. */
void output_prepare_threads(void);

/* From here on Jansson gets memory, or the program ends with a message: nothing is left out of
 * a document. */
void output_prepare_json(void);

/* A count as a JSON string: as a number it would be too large for most readers. */
json_t *json_count(uint64_t count);

/* A text from outside, such as a file's name, as a JSON string, escaped as in messages. */
json_t *json_text(const char *text);

/* Prints a document and frees it: as JSON; or as text, a line for each member, with its key, as
 * in "kernel:  avx2". A list of objects takes a line for each. What is not known, and a list of
 * nothing, is a '-'. Returns an exit code. */
int output_document(json_t *document, bool as_json);

/* Prints one of several JSON documents, a line each (https://jsonlines.org), and frees it.
 * Returns an exit code. */
int output_json_line(json_t *document);

/* A verdict's name in JSON: "verified", "unverified" or "wrong". */
const char *verdict_name(nq_verdict verdict);

/* From here on it is no error when the reader closes the pipe. */
void output_may_end_early(void);

/* Flushes stdout. Returns `code`. If output was lost, says so and returns EXIT_SYSTEM in place
 * of EXIT_DONE: an answer that did not arrive is a failure. */
int output_close(int code);

/* Whether TERM names a terminal that cannot move its cursor, or none. */
bool terminal_is_dumb(void);

#endif
