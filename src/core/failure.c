/* SPDX-License-Identifier: MIT */
/* Texts of statuses, and each thread's error message.
 *
 * Functions write what went wrong into a struct failure of their caller. Only the end of a
 * public function copies it to the thread's message. */
#include "core/failure.h"

#include "core/arrays.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const status_text[] = {
    [NQ_OK] = "done",
    [NQ_BAD_N] = "n is out of range",
    [NQ_BAD_OPTION] = "an option is out of range, unknown, or conflicts with another one",
    [NQ_NO_KERNEL] = "the kernel cannot run on this CPU or is not in this build",
    [NQ_NO_PU] = "a processing unit to bind to does not exist or is not allowed",
    [NQ_NO_MEMORY] = "out of memory",
    [NQ_NO_TOPOLOGY] = "the machine's topology cannot be read",
    [NQ_OVERFLOW] = "a sum is too large for its unit or board",
    [NQ_LOST_UNIT] = "not every unit of work was solved exactly once",
    [NQ_MISMATCH] = "the count differs from the known total",
    [NQ_CANCELLED] = "cancelled",
    [NQ_LEDGER_IO] = "a ledger cannot be opened, read or written",
    [NQ_LEDGER_BUSY] = "the ledger is in use by another process",
    [NQ_LEDGER_DAMAGED] = "the file is not a ledger that this version knows",
    [NQ_LEDGER_OTHER] = "the ledger, or a line of it, belongs to another n or method",
    [NQ_DISAGREE] = "two results for the same unit differ",
    [NQ_NO_SOLUTION] = "there is no solution, or no other one",
    [NQ_NO_PLACEMENT] = "the numbers are not a placement of queens, one in each row",
    [NQ_ATTACK] = "two queens attack each other",
    [NQ_INTERNAL] = "the library has a fault of its own",
    [NQ_NO_DEVICE] = "there is no device to count on",
    [NQ_DEVICE] = "a device failed",
};

const char *nq_status_text(nq_status status) {
    const size_t index = (size_t)status, count = LENGTH(status_text);
    return index < count ? status_text[index] : "unknown status";
}

/* The message is escaped, which may quadruple its length. */
static _Thread_local char message[4 * sizeof(struct failure)];

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

nq_status nqi_fail_name(struct failure *failure, nq_status status, const char *option,
                        const char *name, const char *names, const char *where) {
    char choices[96];
    return nqi_fail(failure, status, "%s '%.60s': expected %s%s", option, name,
                    nqi_text_list(names, choices, sizeof choices), where);
}
