/* SPDX-License-Identifier: MIT */
/* Numbers and words: read from the command line and from input, and written for people. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Reads a number such as "0.5", above 0 and at most `most`. unit: may follow it. */
bool read_decimal(const char *text, const char *unit, double most, double *number);

/* Reads a time, which every option with one takes: "55m", "1h30m", "0.5h", or as Slurm writes
 * it "00:55:00", "2-00:00:00". unit: of a number alone, in seconds. */
bool read_time(const char *text, double unit, double *seconds);

/* What read_time() takes, for messages. unit: of a number alone, a literal. */
#define TIME_EXPECTED(unit)                                                                    \
    "a time above 0 and at most 10000d, such as 90 (" unit "), 55m, 1h30m, 2d or 2-00:00:00"

/* A text that a function returns: its `.text` lasts to the end of the statement. */
struct short_text {
    char text[64];
};

/* A duration such as "0.310 s", "2 min 05 s", "3 h 20 min", "12 d 4 h", "107 years". */
struct short_text duration_text(double seconds);

/* Memory, such as "37 MB", "1.2 GB". */
struct short_text memory_text(double bytes);

/* A time, in seconds since 1970, such as "2026-01-31T12:00:00Z"; "?" beyond all years. */
struct short_text time_text(int64_t seconds);

/* Appends to a text, which is cut to `size` bytes. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t size, const char *format,
                                                    ...);

/* Looks for a word in a list, in which spaces separate words. *index: its place. Returns
 * whether it is there. */
bool find_word(const char *list, const char *word, uint64_t *index);

/* What a user may have meant by a word such as "cuont" or "--kernal=avx2". */
struct guess {
    const char *word;
    char text[64]; /* "; did you mean 'count'?"; empty: nothing is near */
};

/* Compares the word with another name: if no earlier one is near, its text says what the name
 * stands for. Near is a name that begins with the word, or in which one letter is added, left
 * out, changed, or swapped with the next one. */
void guess_name(struct guess *guess, const char *name, const char *meant);

#endif
