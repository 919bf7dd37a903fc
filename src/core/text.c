/* SPDX-License-Identifier: MIT */
/* Escapes texts that are shown, and reads and writes lists. */
#include "core/text.h"
#include "core/arrays.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Returns whether a character beyond ASCII is invisible or changes the direction of the text:
 * C1 controls and the no-break space, the soft hyphen, spaces without width and marks of
 * direction, separators of lines and paragraphs, other format characters, and the byte order
 * mark. */
static bool text_is_invisible(uint32_t code) {
    static const uint32_t ranges[][2] = {{0x80, 0xa0},     {0xad, 0xad},     {0x200b, 0x200f},
                                         {0x2028, 0x202f}, {0x2060, 0x206f}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < LENGTH(ranges); i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/* Returns the length of the character with which the text begins, or 0 if its first byte must
 * be escaped, because it is a control character, begins an invisible character, or does not
 * begin well-formed UTF-8 (The Unicode Standard, table 3-7). */
static size_t text_readable_length(const unsigned char *text) {
    /* The least code that a character of this length may have; longer forms are not UTF-8. */
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f;
    if (text[0] < 0xc0 || text[0] >= 0xf8)
        return 0;
    const size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    uint32_t code = text[0] & 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0; /* this byte may be the NUL that ends the text */
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

void nqi_add_word(char *words, size_t size, const char *word) {
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
