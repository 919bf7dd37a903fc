/* SPDX-License-Identifier: MIT */
/* Reads numbers and words from the command line and from input, and writes numbers for
 * people. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read a whole decimal number in lowest..highest, written with digits only. For any other
 * text they return false. lowest and highest are at least 0. */
bool read_number(const char *text, int lowest, int highest, int *number);
bool read_large_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

/* Reads two whole numbers in lowest..highest, separated by `between`, such as "3/8". The
 * second must be at least as large as the first. */
bool read_pair(const char *text, const char *between, int lowest, int highest, int *first,
               int *second);

/* Reads a whole number or a range first..last, within lowest..highest. If there is a single
 * number, both `first` and `last` are set to it. */
bool read_range(const char *text, int lowest, int highest, int *first, int *last);

/* Reads a number such as "0.5", which must be above 0 and at most `most`. unit: a suffix
 * that may follow the number. */
bool read_decimal(const char *text, const char *unit, double most, double *number);

/* Reads a time for any option that takes one: "55m", "1h30m" or "0.5h", or in Slurm's
 * notation "00:55:00" or "2-00:00:00". A number without a unit is multiplied by `unit`, in
 * seconds. */
bool read_time(const char *text, double unit, double *seconds);

/* Describes the times that read_time() accepts, for messages. unit: the unit that a bare number
 * has, as a string literal. */
#define TIME_EXPECTED(unit)                                                                    \
    "a time above 0 and at most 10000d, such as 90 (" unit "), 55m, 1h30m, 2d or 2-00:00:00"

/* A text returned by value, so that nobody has to free it. In an expression such as
 * duration_text(s).text, it lasts until the end of the statement. */
struct short_text {
    char text[64];
};

/* Returns a duration such as "0.310 s", "2 min 05 s", "3 h 20 min", "12 d 4 h" or "107
 * years". */
struct short_text duration_text(double seconds);

/* Returns an amount of memory, such as "37 MB" or "1.2 GB". */
struct short_text memory_text(double bytes);

/* Returns a time, given in seconds since 1970, as "2026-01-31T12:00:00Z"; or "?" if the year
 * is too large for the system. */
struct short_text time_text(int64_t seconds);

/* Appends to `text`, as by printf. `size` is the size of the buffer; what does not fit is
 * cut off. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t size, const char *format,
                                                    ...);

/* Finds a word in a list whose words are separated by single spaces. Returns whether it is
 * there, and sets *index to its index. */
bool find_word(const char *list, const char *word, uint64_t *index);

/* What a user may have meant by an unknown word such as "cuont" or "--kernal=avx2". */
struct guess {
    const char *word;
    char text[64]; /* "; did you mean 'count'?", or empty if no name is similar */
};

/* Compares the word with a name that exists. If they are similar, and no earlier name was,
 * the guess becomes `meant`. A name is similar if it begins with the word, or if it differs by
 * one letter added, left out or changed, or by two neighbouring letters swapped. */
void guess_name(struct guess *guess, const char *name, const char *meant);

#endif
