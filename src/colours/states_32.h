/* SPDX-License-Identifier: MIT */
/* States of the frontier in lanes of 32 bits. Include after the vector's type and operations. A
 * state is three words:
 *
 *   columns   columns taken, and above them the number of the table
 *   right     diagonals attacked by the first placement and on the second class, as numbered in
 *   left      struct colour: both fit in a word, so a state carries its first placement along
 */
#ifndef COLOURS_STATES_32_H
#define COLOURS_STATES_32_H

#include "colours/completer.h"

#include <stdbool.h>

#define UNBALANCED NULL
enum { ONE_WAY = 0 };
typedef uint32_t word;

struct lanes {
    vec columns, right, left;
};

struct step {
    vec all;           /* the columns */
    vec flip;          /* what to flip in the columns of a completion */
    shift right, left; /* of the diagonals that cross the row's column 0 */
};

static inline struct step step_of(const struct second *second, const struct batch *batch,
                                  int at, uint32_t flip) {
    (void)batch;
    const int row = second->row[at];
    return (struct step){v_broadcast(low_bits(second->columns)), v_broadcast(flip),
                         shift_by(second->last - row), shift_by(row)};
}

static inline vec lanes_free(const struct step *step, struct lanes v) {
    return ~(v.columns | v_shift_right(v.right, step->right) |
             v_shift_right(v.left, step->left)) &
           step->all;
}

static inline struct lanes lanes_moved(const struct step *step, struct lanes v) {
    (void)step;
    return v;
}

static inline struct lanes lanes_place(const struct step *step, struct lanes v, vec queen) {
    return (struct lanes){v.columns | queen, v.right | v_shift_left(queen, step->right),
                          v.left | v_shift_left(queen, step->left)};
}

static inline struct lanes lanes_last(const struct step *step, struct lanes v) {
    return (struct lanes){.columns = v.columns ^ step->flip};
}

static inline vec lanes_finish(const struct step *step, struct lanes v, vec queen) {
    (void)step;
    return (v.columns ^ queen) >> 1;
}

/* The stack's words are those of the batch. */
static inline void frontier_start(const struct second *second, const struct batch *batch,
                                  word *columns, word *right, word *left) {
    for (size_t i = 0; i < batch->count; i++) {
        columns[i] = (word)batch_table(batch, i) << second->columns;
        right[i] = batch->right[i];
        left[i] = batch->left[i];
    }
}

static size_t frontier_most(int columns) {
    (void)columns;
    return MAX_BATCH;
}

#endif
