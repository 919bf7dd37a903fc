/* Output on stdout. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/json.h"

#include <nqueens.h>

/* Prints a JSON document, indented, and frees it. Control characters are escaped. A document
 * that is NULL or not whole is not printed: memory ran out. Returns an exit code. */
int output_json(json_t *document);

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

#endif
