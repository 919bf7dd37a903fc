#include "core/error.h"

#include "core/escape.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[4 * ERROR_SIZE]; /* escaped */

const char *nq_error_message(void) {
    return message;
}

nq_status nqi_end_call(nq_status status, const char *detail) {
    if (status == NQ_OK)
        message[0] = '\0';
    else
        nqi_escape_text(detail[0] != '\0' ? detail : nq_status_text(status), message,
                        sizeof message);
    return status;
}

nq_status nqi_fail_call(nq_status status, const char *format, ...) {
    char detail[ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    return nqi_end_call(status, detail);
}
