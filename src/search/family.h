/* A family: a few queens already placed (its stem), and the rows still to fill.
 *
 * Plans make families, kernels complete them, and families are all that the two share. A stem
 * attacks the same squares along diagonals in every completion, so a constant mask for each row
 * (open) leaves these squares out; the state does not have them. The stem's columns are taken
 * from the start. A plan may leave out more squares, to break symmetry.
 */
#ifndef SEARCH_FAMILY_H
#define SEARCH_FAMILY_H

#include "search/state.h"

#include <nqueens.h>

struct family {
    uint32_t weight;         /* placements of the board that each completion stands for */
    int rows;                /* rows to fill, 0..NQ_MAX_N, top to bottom */
    uint32_t board;          /* all columns: the n lowest bits */
    uint32_t cols;           /* columns taken by the stem, as many as rows that it fills */
    uint32_t open[NQ_MAX_N]; /* [r]: squares of the r-th row to fill that may be used */
    uint8_t step[NQ_MAX_N];  /* [r]: rows from the r-th row to fill down to the next one: 1, or
                                more where stem queens stand on the rows between */
    int expanded;     /* rows expanded to make the states that units start from, 0..rows */
    uint32_t parts;   /* 1 or more; state i of the expansion is in part i % parts. A part is a
                         unit, or shares one with parts of other families (search/plan.h) */
    int32_t log_cost; /* logarithm to base 2 of the expected cost of one part, in units of
                         2^-16, on one scale for all families of the plan; 0 or more */
};

#endif
