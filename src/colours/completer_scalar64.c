/* SPDX-License-Identifier: MIT */
/* Completer `scalar64`: the frontier without vectors.
 *
 * A depth-first walk takes twice as long, and so do vectors of one lane: each state has another
 * number of free columns, which no CPU predicts. So no branch here depends on a single state.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PASS = 1024, ROUND_LANES = 1 };
typedef uint32_t vec;
typedef int shift;

static inline vec v_load(const uint32_t *from) {
    return *from;
}
static inline vec v_broadcast(uint32_t lane) {
    return lane;
}
static inline shift shift_by(int bits) {
    return bits;
}
static inline vec v_shift_right(vec v, shift by) {
    return v >> by;
}
static inline vec v_shift_left(vec v, shift by) {
    return v << by;
}
static inline vec v_lowest(vec v) {
    return v & (0 - v);
}

#include "colours/states_32.h"

#define KERNEL scalar64
#define FRONTIER_OWN_PASS
#include "colours/frontier.h"

/* A round places a queen for each state of the pass that has a free column. States with another
 * free column are listed for the next round. */
static inline __attribute__((always_inline)) size_t
frontier_pass(const struct step *step, const struct stack *here, size_t at, size_t end,
              struct stack *below, word *entry, size_t born) {
    const bool last = entry != NULL;
    _Static_assert(ROOM <= UINT16_MAX, "a number of a state");
    uint16_t state[PASS + 1];
    vec free[PASS + 1];
    size_t count = 0;
    for (; at < end; at++) {
        state[count] = (uint16_t)at;
        free[count] = lanes_free(step, frontier_load(here, at));
        count += free[count] != 0;
    }
    while (count > 0) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            const struct lanes v = frontier_load(here, state[i]);
            const vec queen = v_lowest(free[i]), rest = free[i] ^ queen;
            if (last) {
                entry[born] = lanes_finish(step, lanes_last(step, v), queen);
            } else {
                const struct lanes child = lanes_place(step, lanes_moved(step, v), queen);
                below->columns[born] = (word)child.columns;
                below->right[born] = (word)child.right;
                below->left[born] = (word)child.left;
            }
            born++;
            state[kept] = state[i];
            free[kept] = rest;
            kept += rest != 0;
        }
        count = kept;
    }
    return born;
}

static size_t frontier_sift(const struct step *step, int rows, struct stack *here, size_t at,
                            size_t end) {
    size_t kept = at;
    for (; at < end; at++) {
        const struct lanes v = frontier_load(here, at);
        bool alive = true;
        for (int row = 0; row < rows; row++)
            alive &= lanes_free(step + row, v) != 0;
        here->columns[kept] = v.columns;
        here->right[kept] = v.right;
        here->left[kept] = v.left;
        kept += alive;
    }
    return kept;
}
