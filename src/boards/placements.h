/* SPDX-License-Identifier: MIT */
/* Placements as text. One is a line of the columns of rows 1 to n, separated by blanks, a
 * comma, or both, and perhaps in brackets; up to row 9 also digits without blanks. Or it is a
 * board, up to an empty line. */
#ifndef BOARDS_PLACEMENTS_H
#define BOARDS_PLACEMENTS_H

#include "boards/board.h"

/* A text with placements. */
struct placements {
    struct reader reader;
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

#endif
