/* SPDX-License-Identifier: MIT */
/* What went wrong: a status, and a sentence that names the value and the accepted range. */
#ifndef CORE_FAILURE_H
#define CORE_FAILURE_H

#include <nqueens.h>

/* Why a function failed. The caller passes an empty one. The function returns an nq_status, and
 * may write a sentence here; if it writes none, the status's own text is shown. */
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

/* Says that an option's name is none of `names`, which spaces separate. where: follows their
 * list. Returns the status. */
nq_status nqi_fail_name(struct failure *failure, nq_status status, const char *option,
                        const char *name, const char *names, const char *where);

#endif
