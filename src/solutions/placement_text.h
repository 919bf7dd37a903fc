/* SPDX-License-Identifier: MIT */
/* Placements as text, read and printed: a line of the columns of rows 1 to n, separated by
 * blanks, a comma, or both, and perhaps in brackets; up to row 9 also as digits without blanks.
 * Or a board, up to an empty line. */
#ifndef SOLUTIONS_PLACEMENT_TEXT_H
#define SOLUTIONS_PLACEMENT_TEXT_H

#include "core/board_text.h"

/* A text with placements. */
struct placements {
    struct text text;
    bool any;        /* a placement has been read */
    int n, *columns; /* columns[0..n-1]: the placement that was read last; owned */
    nq_attack
        in_row; /* a board's first two queens in one row, if row[0] > 0: columns lack one */
    uint64_t in_row_line; /* theirs */
    size_t capacity;      /* of columns */
};

/* Reads the next placement and checks that all columns are in 1..n. At the end of the text n is
 * 0; a text without a placement is an error. */
nq_status nqi_placement_next(struct placements *file, struct failure *failure);

/* Prints n columns with the separator between them, without a newline. */
void nqi_columns_print(const int *columns, int n, const char *separator);

/* Writes "queens at row 1, column 2 and row 3, column 4 share a diagonal (3 pairs attack each
 * other in all)". pairs: their number, which is left out if it is 1, or 0 for unknown. */
void nqi_attack_text(const nq_attack *attack, uint64_t pairs, char *text, size_t size);

/* Prints a placement, one line per row: letters and dots, or chess pieces on coloured squares.
 * A square is two columns wide, which looks about square on a terminal. marked[0..n-1]: whether
 * to mark a row's queen; NULL: none. */
void nqi_board_print(int n, const int *columns, const bool *marked, bool coloured,
                     FILE *stream);

#endif
