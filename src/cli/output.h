/* What goes to stdout. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <jansson.h>
#include <nqueens/nqueens.h>
#include <stdint.h>

/* Prints a JSON document and releases it. Returns an exit code. */
int output_json(json_t *document);

/* A count as JSON: a string, since it outgrows the numbers of most readers. */
json_t *json_count(uint64_t count);

/* A verdict's name in JSON: "verified", "unverified" or "wrong". */
const char *verdict_name(nq_verdict verdict);

/* A text that may be no UTF-8, such as a file's name: other bytes become '?'. */
json_t *json_text(const char *text);

/* From here on a reader who closes the pipe has had enough: no error. */
void output_may_end_early(void);

/* Flushes stdout. Returns `code`, or, when stdout could not take all that was written, says so
 * and returns EXIT_SYSTEM: an answer that did not arrive is not given. */
int output_close(int code);

#endif
