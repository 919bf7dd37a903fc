/* SPDX-License-Identifier: MIT */
/* Placements as text: a line of the columns of rows 1 to n, separated by blanks, a comma, or
 * both, and perhaps in brackets; up to row 9 also as digits without blanks. Or a board, a line
 * a row, up to an empty line. A '#' begins a comment. */
#ifndef CLI_PLACEMENT_FILE_H
#define CLI_PLACEMENT_FILE_H

#include "cli/commands.h"

#include <stdio.h>

/* A text whose words are separated by blanks or commas; a '#' begins a comment. */
struct text_file {
    FILE *stream;
    char name[128]; /* for messages */
    int next;       /* character, read ahead */
    int commas;     /* just before it, among blanks */
    uint64_t line;  /* its number */
};

/* A file with placements. */
struct placement_file {
    struct text_file text;
    int most;        /* rows of a placement */
    bool any;        /* a placement has been read */
    int n, *columns; /* columns[0..n-1]: the placement that was read last; owned */
    nq_attack
        in_row; /* a board's first two queens in one row, if row[0] > 0: columns lack one */
    size_t capacity; /* of columns */
};

/* Those of the functions below that return an int say what is wrong, and return an exit code.
 */

/* Opens a file, or stdin if its name is "-", behind a byte order mark. */
int text_open(const char *name, struct text_file *text);

/* Goes to the next word, on this line or a later one. Returns false at the end of the file. */
bool text_find_word(struct text_file *text);

/* Reads the word, up to a blank or the character `end`. A NUL byte becomes a '?', and so does
 * what there is no room for: no part of a word passes for a number. */
void text_read_word(struct text_file *text, int end, char *word, size_t size);

/* What is wrong with a text that begins with lists of JSON or Python, or with a board's size;
 * NULL: nothing that is known. size: whether a number is one. */
const char *text_other_form(const char *text, bool size);

/* Whether all could be read so far. */
int text_check(const struct text_file *text);

/* Opens a file, as text_open() does. */
int placement_open(const char *name, int most, struct placement_file *file);

/* Reads the next placement and checks that all columns are in 1..n, 1 <= n <= most. At the end
 * of the file n is 0; a file without a placement is an error. */
int placement_next(struct placement_file *file);

void placement_close(struct placement_file *file);

/* Prints n columns with the separator between them, without a newline. */
void columns_print(const int *columns, int n, const char *separator);

/* "queens at row 1, column 2 and row 3, column 4 share a diagonal (3 pairs attack each other in
 * all)". The number is left out if it is 1, or if there is no memory to count. */
void attack_text(int n, const int *columns, const nq_attack *attack, char *text, size_t size);

/* Prints a placement, one line per row: letters and dots, or chess pieces on coloured squares.
 * A square is two columns wide, which looks about square on a terminal. marked[0..n-1]: whether
 * to mark a row's queen; NULL: none. */
void text_board_print(int n, const int *columns, const bool *marked, bool coloured,
                      FILE *stream);

#endif
