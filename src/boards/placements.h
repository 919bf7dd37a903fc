/* SPDX-License-Identifier: MIT */
/* Placements as text, as programs and books write them. A placement is one line that has the
 * columns of rows 1 to n, separated by blanks, commas or both, with or without brackets. If n
 * is at most 9, the columns may also be digits without blanks, such as 15863724. Or the
 * placement is a board, which ends at an empty line. */
#ifndef BOARDS_PLACEMENTS_H
#define BOARDS_PLACEMENTS_H

#include "boards/board.h"

/* A text that has placements. */
struct placements {
    struct reader reader;
    bool any;             /* a placement has been read */
    int n, *columns;      /* columns[0..n-1] is the placement that was read last; owned */
    nq_attack in_row;     /* the first two queens of a board that share a row, if row[0] > 0;
                             `columns` has only one of them */
    uint64_t in_row_line; /* number of the line in which they stand */
    size_t capacity;      /* number of columns that have room */
};

/* Reads the next placement, and checks that all columns are in 1..n. At the end of the text it
 * returns NQ_OK and sets n to 0. A text that has no placement at all is an error. */
nq_status nqi_placement_next(struct placements *file, struct failure *failure);

#endif
