/* SPDX-License-Identifier: MIT */
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    [NQ_LEDGER_DAMAGED] = "the file is damaged, or not a ledger that this version knows",
    [NQ_LEDGER_OTHER] = "the ledger belongs to another n or method",
    [NQ_DISAGREE] = "two results for the same unit differ",
    [NQ_NO_SOLUTION] = "boards of this size have no solution",
    [NQ_NO_PLACEMENT] = "the numbers are not a placement of queens, one in each row",
    [NQ_ATTACK] = "two queens attack each other",
    [NQ_INTERNAL] = "a fault of the library itself",
    [NQ_NO_DEVICE] = "no device",
    [NQ_DEVICE] = "a device failed",
};

const char *nq_status_text(nq_status status) {
    const size_t index = (size_t)status, count = sizeof status_text / sizeof *status_text;
    return index < count ? status_text[index] : "unknown status";
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

/* Characters that nobody sees, or that turn the text around, from C1 and the no-break space to
 * the byte order mark. */
static bool text_is_invisible(uint32_t code) {
    static const uint32_t ranges[][2] = {{0x80, 0xa0},     {0xad, 0xad},     {0x200b, 0x200f},
                                         {0x2028, 0x202f}, {0x2060, 0x206f}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/* Returns the length of the character that the text begins with; 0: it is to be escaped, being
 * no well-formed UTF-8 (The Unicode Standard, table 3-7), a control or invisible. */
static size_t text_readable_length(const unsigned char *text) {
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000}; /* [length] */
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f;
    if (text[0] < 0xc0 || text[0] >= 0xf8)
        return 0;
    const size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    uint32_t code = text[0] & 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0; /* perhaps the NUL that ends the text */
        code = code << 6 | (text[i] & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code >= least[length] && code <= 0x10ffff && !surrogate && !text_is_invisible(code)
               ? length
               : 0;
}

char *nqi_escape_text(const char *text, char *escaped, size_t size) {
    const unsigned char *from = (const unsigned char *)text;
    size_t at = 0;
    while (*from != '\0') {
        char code[5];
        size_t length = text_readable_length(from), written = length > 0 ? length : 4;
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

void nqi_text_add(char *words, size_t size, const char *word) {
    const size_t length = strlen(words);
    snprintf(words + length, size - length, "%s%s", length > 0 ? " " : "", word);
}

char *nqi_text_list(const char *words, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    while (*words != '\0' && length < size) {
        const size_t word = strcspn(words, " ");
        const char *next = words + word + (words[word] == ' ');
        length += (size_t)snprintf(text + length, size - length, "%.*s%s", (int)word, words,
                                   *next == '\0'               ? ""
                                   : strchr(next, ' ') == NULL ? " or "
                                                               : ", ");
        words = next;
    }
    return text;
}

static bool text_number(const char **text, int *number) {
    const char *digit = *text;
    *number = 0;
    for (; *digit >= '0' && *digit <= '9' && *number <= 1000000; digit++)
        *number = 10 * *number + (*digit - '0');
    const bool read = digit > *text && *number <= 1000000;
    *text = digit;
    return read;
}

bool nqi_text_range(const char **list, int *first, int *last) {
    const char *text = *list;
    if (!text_number(&text, first))
        return false;
    *last = *first;
    if (*text == '-' && (text++, !text_number(&text, last) || *last < *first))
        return false;
    *list = *text == ',' ? text + 1 : NULL;
    return *text == ',' || *text == '\0';
}

nq_status nqi_fail_name(struct failure *failure, nq_status status, const char *option,
                        const char *name, const char *names, const char *where) {
    char choices[96];
    return nqi_fail(failure, status, "%s '%.60s': expected %s%s", option, name,
                    nqi_text_list(names, choices, sizeof choices), where);
}
