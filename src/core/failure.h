/* SPDX-License-Identifier: MIT */
/* What went wrong, in a sentence that names the value and the accepted range, and that is fit
 * to be shown. */
#ifndef CORE_FAILURE_H
#define CORE_FAILURE_H

#include <nqueens.h>

/* A function that can fail returns an nq_status and takes a pointer to one of these, empty
 * before the call. If it fails, it may write a sentence; without one, the status's own text
 * stands in. */
struct failure {
    char text[512];
};

/* Writes the sentence, as by printf, and returns the status. failure: NULL writes nothing. */
__attribute__((format(printf, 3, 4))) nq_status
nqi_fail(struct failure *failure, nq_status status, const char *format, ...);

/* Ends a public function: makes the sentence, or the status's text where there is none, the
 * thread's nq_error_message(), and returns the status. The message is not written earlier,
 * because a progress callback may call the library in the same thread meanwhile. */
nq_status nqi_end_call(nq_status status, const struct failure *failure);

/* The same for a failure, with a sentence as by printf. */
__attribute__((format(printf, 2, 3))) nq_status nqi_fail_call(nq_status status,
                                                              const char *format, ...);

#endif
