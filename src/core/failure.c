#include "core/failure.h"

#include <nqueens.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* What is left as it is: well-formed UTF-8 (The Unicode Standard, table 3-7) without controls,
 * which are 00 to 1f and 7f (C0 and DEL), and c2 80 to c2 9f (C1). Bytes after the second one
 * are 80 to bf. */
static const struct {
    unsigned char first, first_end, second, second_end;
    size_t length;
} readable[] = {
    {0x20, 0x7e, 0x00, 0xff, 1}, {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* Returns the length of the character that the text begins with; 0: it is to be escaped. */
static size_t readable_length(const unsigned char *text) {
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        if (text[0] < readable[i].first || text[0] > readable[i].first_end)
            continue;
        size_t length = 1; /* a NUL ends the text: it is no later byte of a character */
        if (readable[i].length > 1 && text[1] >= readable[i].second &&
            text[1] <= readable[i].second_end)
            for (length = 2; length < readable[i].length && (text[length] & 0xc0) == 0x80;)
                length++;
        return length == readable[i].length ? length : 0;
    }
    return 0;
}

char *nqi_escape_text(const char *text, char *escaped, size_t size) {
    const unsigned char *from = (const unsigned char *)text;
    size_t at = 0;
    while (*from != '\0') {
        char code[5];
        size_t length = readable_length(from), written = length > 0 ? length : 4;
        if (at + written >= size)
            break;
        if (length == 0)
            snprintf(code, sizeof code, "\\x%02x", *from);
        memcpy(escaped + at, length > 0 ? (const char *)from : code, written);
        at += written;
        from += length > 0 ? length : 1;
    }
    if (size > 0)
        escaped[at] = '\0';
    return escaped;
}
