#include "api/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[ERROR_SIZE];

const char *nq_error_message(void) {
    return message;
}

nq_status nqi_end_call(nq_status status, const char *detail) {
    if (status == NQ_OK)
        message[0] = '\0';
    else
        snprintf(message, sizeof message, "%s",
                 detail[0] != '\0' ? detail : nq_status_text(status));
    return status;
}

nq_status nqi_fail_call(nq_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return status;
}
