/* SPDX-License-Identifier: MIT */
/* Numbers and words: read from the command line and from input, and written for people. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include "cli/commands.h"

#include <stddef.h>

/* Reads a whole decimal number, digits only, in lowest..highest (both >= 0). Returns false for
 * any other text. */
bool read_number(const char *text, int lowest, int highest, int *number);
bool read_large_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

/* Reads two whole numbers, such as "3/8", in the same limits, the second one not less than the
 * first.
 */
bool read_pair(const char *text, const char *between, int lowest, int highest, int *first,
               int *second);

/* Reads a whole number, or a range of them, first..last, in the same limits. */
bool read_range(const char *text, int lowest, int highest, int *first, int *last);

/* Reads N, the call's only argument, in lowest..highest, or says what is wrong with it. Returns
 * an exit code. */
int read_n(const struct call *call, int lowest, int highest, int *number);

/* A text that a function returns; `.text` of it lasts to the end of the statement. */
struct words {
    char text[64];
};

/* A duration such as "0.310 s", "2 min 05 s", "3 h 20 min", "12 d 4 h", "107 years". */
struct words duration_text(double seconds);

/* A time, in seconds since 1970, such as "2026-01-31T12:00:00Z"; "?" beyond all years. */
struct words time_text(int64_t seconds);

/* Appends to a text, which is cut to `size` bytes. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t size, const char *format,
                                                    ...);

/* The name that the user may have meant by a mistyped word. */
struct guess {
    const char *word;
    size_t word_length;
    const char *name; /* name[0..length-1]: the nearest one so far; NULL: none is near */
    size_t length;
    size_t distance; /* of that name; while there is none, one more than may be wrong */
    char text[64];   /* guess_text */
};

/* Begins a guess for word[0..length-1]. A third of its letters may be wrong, but at least one.
 */
struct guess guess_for(const char *word, size_t length);

/* Takes name[0..length-1] if it is nearer than those before. Its distance is the number of
 * letters that the user added, left out, changed, or swapped with the next one (optimal string
 * alignment). Upper case counts as lower case. */
void guess_try(struct guess *guess, const char *name, size_t length);

/* Looks for a word in a list, in which spaces separate words. *index: its place. Returns
 * whether it is there. *guess: the word of the list that may have been meant. */
bool find_word(const char *list, const char *word, struct guess *guess, uint64_t *index);

/* "; did you mean 'NAME'?", or nothing. lead: stands before the name, such as "--". */
const char *guess_text(struct guess *guess, const char *lead);

#endif
