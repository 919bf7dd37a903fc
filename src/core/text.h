/* SPDX-License-Identifier: MIT */
/* Small functions for text: escapes that make text from outside safe to show, lists of words,
 * lists of numbers, and options whose value is a name. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Makes a text from outside, such as a name in a ledger, safe to show: it stays on one line and
 * cannot control a terminal. Bytes of control characters (C0, DEL, C1), of invisible
 * characters such as no-break spaces, and bytes that are not UTF-8 become \xNN, where NN is the
 * byte in hexadecimal. All other characters, backslashes included, stay as they are, so that
 * escaping a text twice is the same as escaping it once.
 *
 * escaped[0..size-1]: receives the text, cut before the first character that does not fit.
 * 4 strlen(text) + 1 bytes are always enough.
 *
 * Returns `escaped`. */
char *nqi_escape_text(const char *text, char *escaped, size_t size);

/* Appends a word to `words`, which are separated by spaces. `words` has room for `size` bytes;
 * what does not fit is cut off. */
void nqi_add_word(char *words, size_t size, const char *word);

/* Writes words that are separated by spaces as a list such as "auto, search or colours". The
 * text is cut to `size` bytes. Returns `text`. */
char *nqi_text_list(const char *words, char *text, size_t size);

/* Reads the next number or range of a list such as "0,2,4-7"; a single number is a range whose
 * first and last number are equal. Numbers are 0..1000000. *list is moved past the comma that
 * follows, or set to NULL if the list is at its end. Returns false if the text is not a list of
 * this form. */
bool nqi_text_range(const char **list, int *first, int *last);

/* Returns the value of an option such as `method`, or NULL if the option leaves the choice to
 * the library, because it is NULL or "auto". */
static inline const char *choice_or_null(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

#endif
