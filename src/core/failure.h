/* SPDX-License-Identifier: MIT */
/* How functions of the library fail: they return a status, and explain it by a sentence that
 * names the wrong value and the accepted range. */
#ifndef CORE_FAILURE_H
#define CORE_FAILURE_H

#include <nqueens.h>

/* The sentence that explains why a function failed. The caller passes an empty struct. If the
 * function leaves it empty, the text of the returned status is shown instead. */
struct failure {
    char text[512];
};

/* Writes the sentence, formatted as by printf(), and returns the status. If `failure` is NULL,
 * nothing is written. */
__attribute__((format(printf, 3, 4))) nq_status
nqi_fail(struct failure *failure, nq_status status, const char *format, ...);

/* Ends a public function: sets the thread's nq_error_message() to the sentence, or to the text
 * of the status if there is no sentence, and returns the status. Only the end of a call may set
 * the message, because a progress callback may have called the library in the same thread. */
nq_status nqi_end_call(nq_status status, const struct failure *failure);

/* Writes the sentence that an option's value `name` is unknown, and lists the accepted ones.
 * names: the accepted ones, separated by spaces. where: text to follow their list, such as
 * " on this CPU". Returns the status. */
nq_status nqi_fail_name(struct failure *failure, nq_status status, const char *option,
                        const char *name, const char *names, const char *where);

#endif
