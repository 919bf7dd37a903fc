/* SPDX-License-Identifier: MIT */
/* States of the frontier: placements on part of the rows, one in each lane of three vectors. A
 * child is a state with one queen more, in the next row.
 *
 * Narrow states have at most five rows to fill. A half of a word holds a set of columns:
 *
 *   word   high half: free columns of   low half
 *   a      the row to fill              columns taken, or of a tally columns left; above them
 *                                       the number of the table
 *   b      the next row                 free columns of the second row below
 *   c      the third row below          free columns of the fourth row below
 *
 * The half of a row that is not there is 0. The row to fill has a high half, because there a
 * subtraction and a comparison of whole words deal with it, whatever the low half has.
 *
 * Wide states have more rows to fill. Their word `a` is the same, but always with the columns
 * taken. Words `b` and `c` are the diagonals attacked by the first placement and on the second
 * class, to the right and to the left, as numbered in struct colour.
 *
 * Narrow states need no diagonals: a queen on column q takes the columns q, q - d and q + d
 * from a row at the distance d. No state is made if one of the rows whose free columns it has
 * is without any. Where there are so many rows that most states die above the last one
 * (`unbalanced`), nor is one if a row of the AHEAD next is.
 *
 * Include after the vector's type and operations (frontier.h).
 */
#ifndef COLOURS_STATES_H
#define COLOURS_STATES_H

#include "colours/completer.h"
#include "core/sets.h"

#include <stdlib.h>

enum { HALF = 16 };  /* bits */
enum { NARROW = 5 }; /* the most rows to fill of a narrow state: three words have five sets */
enum { AHEAD = 4 };  /* rows of a wide state that must have a free column, if unbalanced */
_Static_assert(COLOURS_LINES < 16, "a half of a word holds a set of columns");

struct state {
    vec a, b, c;
};

/* What all states that fill one row have in common. */
struct step {
    vec all;                /* the columns */
    vec flip;               /* of a tally all columns: taken ones become those left; else 0 */
    shift right, left;      /* of the diagonals that cross the row's column 0 */
    int ahead;              /* wide states: rows that must have a free column, this one first */
    struct reach near, far; /* of a queen: in the next two rows, in the two after them */
};

/* Fills in step[1] to step[row_count]; the index is the number of rows left to fill. */
static inline void step_init(const struct second_class *second, uint32_t flip,
                             struct step *step) {
    const uint8_t *row = second->row + second->row_count;                /* row[-left] */
    const bool unbalanced = 2 * second->row_count > second->columns + 3; /* by times, n >= 22 */
    for (int left = 1; left <= second->row_count; left++) {
        int distance[NARROW] = {0};
        for (int i = 1; i < left && i < NARROW; i++)
            distance[i] = abs(row[-left] - row[i - left]);
        step[left] = (struct step){.all = v_broadcast(low_bits(second->columns)),
                                   .flip = v_broadcast(flip),
                                   .right = shift_by(second->last - row[-left]),
                                   .left = shift_by(row[-left]),
                                   .ahead = unbalanced ? AHEAD : 1,
                                   .near = reach_of(distance[1], distance[2]),
                                   .far = reach_of(distance[3], distance[4])};
    }
}

static inline vec step_free(const struct step *step, vec columns, vec right, vec left) {
    return ~(columns | v_shift_right(right, step->right) | v_shift_right(left, step->left)) &
           step->all;
}

/* Makes states with `rows` to fill, the first of them that of `step`, from what a state has in
 * the low half of `a` and from its diagonals. *alive: the lanes with a free column in each row
 * looked at. */
static inline __attribute__((always_inline)) struct state
state_of(int rows, const struct step *step, vec taken, vec right, vec left, mask *alive) {
    const shift half = shift_by(HALF);
    vec free[NARROW] = {step_free(step, taken, right, left)};
    *alive = v_nonzero(free[0]);
    if (rows > NARROW) {
        for (int i = 1; i < step->ahead; i++)
            *alive &= v_nonzero(step_free(step - i, taken, right, left));
        return (struct state){v_halves(v_shift_left(free[0], half), taken), right, left};
    }
    for (int i = 1; i < NARROW; i++) {
        free[i] = i < rows ? step_free(step - i, taken, right, left) : v_broadcast(0);
        *alive &= i < rows ? v_nonzero(free[i]) : *alive;
    }
    return (struct state){v_halves(v_shift_left(free[0], half), taken ^ step->flip),
                          v_shift_left(free[1], half) | free[2],
                          v_shift_left(free[3], half) | free[4]};
}

/* Makes the children of states with `rows` to fill, from 2 on, by a queen in the high half of
 * each lane. */
static inline __attribute__((always_inline)) struct state
state_child(int rows, const struct step *step, struct state v, vec queen, mask *alive) {
    const shift half = shift_by(HALF);
    const vec column = v_shift_right(queen, half), taken = v.a ^ column;
    if (rows > NARROW)
        return state_of(rows - 1, step - 1, taken, v.b | v_shift_left(column, step->right),
                        v.c | v_shift_left(column, step->left), alive);
    /* With two rows to fill, only the high half of `b` has a set. */
    const vec near = v.b & ~(rows == 2 ? v_reach_high : v_reach)(&step->near, queen),
              far = v.c & ~v_reach(&step->far, queen);
    *alive = rows == 2 ? v_nonzero(near) : v_full(near);
    if (rows > 3)
        *alive &= rows == 4 ? v_nonzero(far) : v_full(far);
    return (struct state){v_halves(near, taken),
                          v_shift_left(near, half) | v_shift_right(far, half),
                          v_shift_left(far, half)};
}

#endif
