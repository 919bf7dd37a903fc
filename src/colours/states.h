/* SPDX-License-Identifier: MIT */
/* States of the frontier. A state is a placement on some of the rows; a child is a state with
 * one queen more, in the next row to fill. Three words describe a state, and three vectors hold
 * as many states as they have lanes.
 *
 * A state with at most five rows left to fill is narrow: for each of these rows a half of a
 * word holds the set of free columns. Row 0 is the one to fill next, rows 1 to 4 follow it in
 * the order of filling.
 *
 *   word   high half                 low half
 *   a      free columns of row 0     columns taken, or in a tally columns left; the bits above
 *                                    them have the number of the lookup table
 *   b      free columns of row 1     free columns of row 2
 *   c      free columns of row 3     free columns of row 4
 *
 * The half of a row that does not exist is 0. Row 0 is in a high half, because subtractions and
 * comparisons of whole words then act on row 0, whatever the low half contains.
 *
 * A state with more rows left is wide. Its word `a` is like that of a narrow state, but has the
 * columns taken even in a tally. Words `b` and `c` are the diagonals, to the right and to the
 * left, on which all its queens attack the even half, numbered as struct colour says.
 *
 * Narrow states need no diagonals, because a queen on column q takes only the columns q, q - d
 * and q + d from a row at distance d.
 *
 * A narrow state is dropped if any row left has no free column. A wide one checks only the row
 * to fill or, if most states die early (`unbalanced`), the next AHEAD rows.
 *
 * Include this file after the definitions of the vector's type and operations, which frontier.h
 * lists. */
#ifndef COLOURS_STATES_H
#define COLOURS_STATES_H

#include "colours/completer.h"
#include "core/sets.h"

#include <stdlib.h>

enum { HALF = 16 };  /* bits */
enum { NARROW = 5 }; /* most rows left of a narrow state: three words have room for five sets */
enum { AHEAD = 4 };  /* rows that must have a free column in an unbalanced wide state */
_Static_assert(COLOURS_LINES < 16, "a half of a word holds a set of columns");

/* States, one in each lane. */
struct states {
    vec a, b, c;
};

/* What is common to all states that fill the same row next. */
struct step {
    vec all;           /* all columns */
    vec flip;          /* in a tally all columns, so that `^` turns taken into left; else 0 */
    shift right, left; /* number of the diagonal that crosses the row in column 0 */
    int ahead; /* how many rows of a wide state, from this one on, must have a free column */
    struct reach near, far; /* distances of rows 1 and 2, and of rows 3 and 4 */
};

/* Fills in step[1] to step[row_count]. The index is the number of rows left to fill. */
static inline void step_init(const struct even_half *half, uint32_t flip, struct step *step) {
    /* row[-left] is the row to fill next when `left` rows are left. */
    const uint8_t *row = half->row + half->row_count;
    /* The limit is the one that was fastest for n >= 22. */
    const bool unbalanced = 2 * half->row_count > half->columns + 3;
    for (int left = 1; left <= half->row_count; left++) {
        int distance[NARROW] = {0};
        for (int i = 1; i < left && i < NARROW; i++)
            distance[i] = abs(row[-left] - row[i - left]);
        step[left] = (struct step){.all = v_broadcast(low_bits(half->columns)),
                                   .flip = v_broadcast(flip),
                                   .right = shift_by(half->last - row[-left]),
                                   .left = shift_by(row[-left]),
                                   .ahead = unbalanced ? AHEAD : 1,
                                   .near = reach_of(distance[1], distance[2]),
                                   .far = reach_of(distance[3], distance[4])};
    }
}

/* Returns the free columns of the step's row, from the columns taken and the diagonals. */
static inline vec step_free(const struct step *step, vec columns, vec right, vec left) {
    return ~(columns | v_shift_right(right, step->right) | v_shift_right(left, step->left)) &
           step->all;
}

/* Makes states from the columns taken and the diagonals. They have `rows` rows left to fill;
 * `step` is that of the row to fill next. Only the low half of `taken` matters. It has the
 * columns and, above them, the table's number. *alive is set to the lanes that have a free
 * column in each row that is checked; the other lanes are to be dropped. */
static inline __attribute__((always_inline)) struct states
states_of(int rows, const struct step *step, vec taken, vec right, vec left, mask *alive) {
    const shift half = shift_by(HALF);
    vec free[NARROW] = {step_free(step, taken, right, left)};
    *alive = v_nonzero(free[0]);
    if (rows > NARROW) {
        for (int i = 1; i < step->ahead; i++)
            *alive &= v_nonzero(step_free(step - i, taken, right, left));
        return (struct states){v_halves(v_shift_left(free[0], half), taken), right, left};
    }
    for (int i = 1; i < NARROW; i++) {
        free[i] = i < rows ? step_free(step - i, taken, right, left) : v_broadcast(0);
        *alive &= i < rows ? v_nonzero(free[i]) : *alive;
    }
    return (struct states){v_halves(v_shift_left(free[0], half), taken ^ step->flip),
                           v_shift_left(free[1], half) | free[2],
                           v_shift_left(free[3], half) | free[4]};
}

/* Makes the children of states with `rows` >= 2 left to fill. `queen` has the queen to place as
 * a bit in the high half of each lane. *alive is set as in states_of(). */
static inline __attribute__((always_inline)) struct states
states_child(int rows, const struct step *step, struct states v, vec queen, mask *alive) {
    const shift half = shift_by(HALF);
    const vec column = v_shift_right(queen, half), taken = v.a ^ column;
    if (rows > NARROW)
        return states_of(rows - 1, step - 1, taken, v.b | v_shift_left(column, step->right),
                         v.c | v_shift_left(column, step->left), alive);
    /* With two rows left, only row 1 remains, the high half of `b`. */
    const vec near = v.b & ~(rows == 2 ? v_reach_high : v_reach)(&step->near, queen),
              far = v.c & ~v_reach(&step->far, queen);
    *alive = rows == 2 ? v_nonzero(near) : v_full(near);
    if (rows > 3)
        *alive &= rows == 4 ? v_nonzero(far) : v_full(far);
    return (struct states){v_halves(near, taken),
                           v_shift_left(near, half) | v_shift_right(far, half),
                           v_shift_left(far, half)};
}

#endif
