/* SPDX-License-Identifier: MIT */
/* States of the frontier: placements on part of the rows, one in each lane of three vectors. A
 * child is a state with one queen more, in the next row.
 *
 * The low half of word `a` has the free columns of the row to fill. Its high half has the
 * columns taken and, above them, the number of the table. The other words are of the rows
 * below:
 *
 *   wide states, with more   b, c   the diagonals attacked by the first placement and on the
 *   than five rows to fill          second class, to the right and to the left, as numbered in
 *                                   struct colour
 *   narrow states            b      the free columns of the next row, and in the high half
 *                                   those of the row after it
 *                            c      the same for the third and the fourth row below
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
    vec flip;               /* what a completion's entry flips in the high half of `a` */
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
                                   .flip = v_broadcast(flip << HALF),
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
 * the high half of `a` and from its diagonals. *alive: the lanes with a free column in each row
 * looked at. */
static inline __attribute__((always_inline)) struct state
state_of(int rows, const struct step *step, vec taken, vec right, vec left, mask *alive) {
    const shift half = shift_by(HALF);
    const vec columns = v_shift_right(taken, half);
    vec free[NARROW] = {step_free(step, columns, right, left)};
    *alive = v_nonzero(free[0]);
    if (rows > NARROW) {
        for (int i = 1; i < step->ahead; i++)
            *alive &= v_nonzero(step_free(step - i, columns, right, left));
        return (struct state){v_halves(taken, free[0]), right, left};
    }
    for (int i = 1; i < NARROW; i++) {
        free[i] = i < rows ? step_free(step - i, columns, right, left) : v_broadcast(0);
        *alive &= i < rows ? v_nonzero(free[i]) : *alive;
    }
    return (struct state){v_halves(taken, free[0]), free[1] | v_shift_left(free[2], half),
                          free[3] | v_shift_left(free[4], half)};
}

/* Makes the children of states with `rows` to fill, from 2 on, by a queen in each lane. */
static inline __attribute__((always_inline)) struct state
state_child(int rows, const struct step *step, struct state v, vec queen, mask *alive) {
    const shift half = shift_by(HALF);
    const vec both = queen | v_shift_left(queen, half), taken = v.a ^ v_shift_left(queen, half);
    if (rows > NARROW)
        return state_of(rows - 1, step - 1, taken, v.b | v_shift_left(queen, step->right),
                        v.c | v_shift_left(queen, step->left), alive);
    const vec near = v.b & ~v_reach(&step->near, both), far = v.c & ~v_reach(&step->far, both);
    *alive = rows == 2 ? v_nonzero(near) : v_full(near);
    if (rows > 3)
        *alive &= rows == 4 ? v_nonzero(far) : v_full(far);
    return (struct state){v_halves(taken, near),
                          v_shift_right(near, half) | v_shift_left(far, half),
                          v_shift_right(far, half)};
}

#endif
