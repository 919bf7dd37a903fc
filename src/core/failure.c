/* SPDX-License-Identifier: MIT */
#include "core/failure.h"

#include "core/text.h"

#include <nqueens.h>

#include <stdarg.h>
#include <stdio.h>

const char *nq_version(void) {
    return NQ_VERSION;
}

const char *nq_status_text(nq_status status) {
    switch (status) {
    case NQ_OK:
        return "done";
    case NQ_BAD_N:
        return "n is out of range";
    case NQ_BAD_OPTION:
        return "an option is out of range, unknown, or conflicts with another one";
    case NQ_NO_KERNEL:
        return "the kernel cannot run on this CPU or is not in this build";
    case NQ_NO_PU:
        return "a processing unit to bind to does not exist or is not allowed";
    case NQ_NO_MEMORY:
        return "out of memory";
    case NQ_NO_TOPOLOGY:
        return "the machine's topology cannot be read";
    case NQ_OVERFLOW:
        return "a sum outgrew 64 bits";
    case NQ_LOST_UNIT:
        return "not every unit of work was solved exactly once";
    case NQ_MISMATCH:
        return "the count differs from the known total";
    case NQ_CANCELLED:
        return "cancelled";
    case NQ_LEDGER_IO:
        return "a ledger cannot be opened, read or written";
    case NQ_LEDGER_BUSY:
        return "the ledger is in use by another process";
    case NQ_LEDGER_DAMAGED:
        return "the file is damaged, or not a ledger that this version knows";
    case NQ_LEDGER_OTHER:
        return "the ledger belongs to another n, method, plan or depth";
    case NQ_DISAGREE:
        return "two results for the same unit differ";
    case NQ_NO_SOLUTION:
        return "boards of this size have no solution";
    case NQ_NO_PLACEMENT:
        return "the numbers are not a placement of queens, one in each row";
    case NQ_ATTACK:
        return "two queens attack each other";
    case NQ_INTERNAL:
        return "a fault of the library itself";
    }
    return "unknown status";
}

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
