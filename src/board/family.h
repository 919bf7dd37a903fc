/* A family: a few queens already placed (its stem), and the rows still to fill.
 *
 * Plans make families, kernels complete them; this is all that they share. What the stem
 * attacks along diagonals is the same for every completion, so it is a constant mask per row
 * (open) rather than part of the state; the stem's columns are taken from the start.
 */
#ifndef BOARD_FAMILY_H
#define BOARD_FAMILY_H

#include "board/state.h"

#include <nqueens/nqueens.h>

struct family {
    uint32_t weight; /* placements of the board that each completion stands for */
    int rows;        /* rows to fill, 0..NQ_MAX_N, top to bottom */
    uint32_t board;  /* all columns: the n lowest bits */
    uint32_t cols;   /* columns taken by the stem; as many as rows it fills */
    uint32_t
        open[NQ_MAX_N];     /* [r]: squares of the r-th row to fill that the stem leaves free */
    uint8_t step[NQ_MAX_N]; /* [r]: rows from the r-th row to fill down to the next one; 1, or
                               more where the stem has a queen on the rows between */
    int split;      /* rows expanded to make the states that units start from, 0..rows */
    uint32_t parts; /* units of the family, 1 or more; state i of the expansion belongs to part
                       i % parts */
    double unit_cost; /* expected of each of its units, relative to the plan's other units */
};

#endif
