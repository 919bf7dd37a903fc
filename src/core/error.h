/* The thread's error message, which nq_error_message() returns. Every public function that
 * returns an nq_status ends with one of these calls. The message is not written earlier: a
 * progress callback may call the library in the same thread meanwhile. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <nqueens.h>

enum { ERROR_SIZE = 512 };

/* Stores what was wrong and returns the status. After NQ_OK the message is empty. detail: if it
 * is empty, the text of the status stands in for it. */
nq_status nqi_end_call(nq_status status, const char *detail);

/* The same for a failure, with a detail as by printf. */
__attribute__((format(printf, 2, 3))) nq_status nqi_fail_call(nq_status status,
                                                              const char *format, ...);

#endif
