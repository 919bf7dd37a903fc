/* Texts from outside, made fit to be shown. */
#ifndef CORE_ESCAPE_H
#define CORE_ESCAPE_H

#include <stddef.h>

/* Makes a text from outside, such as the names in a ledger, fit to be shown: on one line, and
 * without power over a terminal. Each byte of a control character (C0, DEL, C1), and each that
 * is not UTF-8, becomes \xNN, with the byte's number in hexadecimal. All else stays as it is,
 * so that a text that is escaped twice is as if escaped once.
 *
 * escaped[0..size-1]: gets the text, cut before the first character that does not fit.
 * 4 strlen(text) + 1 bytes are always enough.
 *
 * Returns `escaped`. */
char *nqi_escape_text(const char *text, char *escaped, size_t size);

#endif
