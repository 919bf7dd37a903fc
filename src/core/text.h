/* SPDX-License-Identifier: MIT */
/* Text from outside, made fit to be shown; lists of words, and of numbers; names that options
 * have. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Makes a text from outside, such as the names in a ledger, fit to be shown: on one line, and
 * without power over a terminal. Each byte of a control character (C0, DEL, C1), of another
 * that nobody sees, such as a no-break space, and each that is not UTF-8, becomes \xNN, with
 * the byte's number in hexadecimal. All else stays as it is: to escape a text twice changes
 * nothing more.
 *
 * escaped[0..size-1]: gets the text, cut before the first character that does not fit.
 * 4 strlen(text) + 1 bytes are always enough.
 *
 * Returns `escaped`. */
char *nqi_escape_text(const char *text, char *escaped, size_t size);

/* Appends a word to words that spaces separate, cut to `size` bytes. */
void nqi_add_word(char *words, size_t size, const char *word);

/* Writes words, which spaces separate, as a list such as "auto, search or colours", cut to
 * `size` bytes. Returns `text`. */
char *nqi_text_list(const char *words, char *text, size_t size);

/* Reads the next number or range of a list such as "0,2,4-7", and moves *list past it and the
 * comma that follows, or sets it to NULL: there is no more. Numbers are 0..1000000. Returns
 * false if the text is no such list. */
bool nqi_text_range(const char **list, int *first, int *last);

/* Returns the value of an option that names something, or NULL if it leaves the choice to the
 * library: "auto" does. */
static inline const char *named_choice(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 ? NULL : name;
}

#endif
