#include "core/failure.h"

#include "core/escape.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[4 * sizeof(struct failure)]; /* escaped */

const char *nq_error_message(void) {
    return message;
}

nq_status nqi_fail(struct failure *failure, nq_status status, const char *format, ...) {
    va_list arguments;
    if (failure == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return status;
}

nq_status nqi_end_call(nq_status status, const struct failure *failure) {
    if (status == NQ_OK)
        message[0] = '\0';
    else
        nqi_escape_text(failure != NULL && failure->text[0] != '\0' ? failure->text
                                                                    : nq_status_text(status),
                        message, sizeof message);
    return status;
}

nq_status nqi_fail_call(nq_status status, const char *format, ...) {
    struct failure failure;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure.text, sizeof failure.text, format, arguments);
    va_end(arguments);
    return nqi_end_call(status, &failure);
}
