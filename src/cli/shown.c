#include "cli/shown.h"

#include "core/failure.h"

#include <limits.h>
#include <nqueens.h>
#include <stdio.h>

/* Counts the characters of UTF-8 up to so many. *bytes: their bytes. */
static int count_characters(const char *text, int most, size_t *bytes) {
    int count = 0;
    for (*bytes = 0; text[*bytes] != '\0'; ++*bytes)
        if ((text[*bytes] & 0xc0) != 0x80 && count++ == most)
            return most;
    return count;
}

size_t shown_fit(const char *escaped, int characters) {
    size_t bytes;
    count_characters(escaped, characters, &bytes);
    return bytes;
}

int shown_characters(const char *escaped) {
    size_t bytes;
    return count_characters(escaped, INT_MAX, &bytes);
}

void shown_put(const char *text) {
    char escaped[4 * PATH_MAX + 1]; /* nothing longer is shown */
    fputs(nqi_escape_text(text, escaped, sizeof escaped), stdout);
}
