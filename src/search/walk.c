/* SPDX-License-Identifier: MIT */
/* Goes down the board depth first. A step from one state to the next would wait each time for a
 * branch that no CPU predicts: whether the new queen leaves room below. So the walk takes up to
 * PARENTS states of the deepest row that has some, makes all their children, and keeps those
 * with room below, without a branch. The rows are its stack.
 */
#include "search/walk.h"

#include <stdlib.h>

enum { PARENTS = 64, CHILDREN = PARENTS * NQ_MAX_N };

/* Steps between two heartbeats: a few milliseconds. */
enum { STEPS_PER_BEAT = 4096 };

struct node {
    struct state state;
    uint64_t free; /* squares of its row still to try; never 0 in a stack */
};

struct row {
    size_t count;
    struct node node[CHILDREN]; /* the row is empty when children are made */
};

struct walk_memory {
    struct row row[NQ_MAX_N];
};

struct walk_memory *nqi_walk_memory_new(void) {
    return malloc(sizeof(struct walk_memory));
}

struct walk_board nqi_walk_board(int n, const uint32_t *open) {
    struct walk_board board = {.n = n};
    for (int row = 0; row < n; row++)
        board.open[row] = open != NULL ? open[row] : (UINT64_C(1) << n) - 1;
    for (int below = 0; below < ROWS_BELOW; below++)
        board.open[n + below] = UINT64_MAX;
    return board;
}

/* Makes all children of a row's last states, at most PARENTS of them, and returns how many
 * live. Each round makes one child. open: squares of the children's row and of the one below
 * it. */
static size_t walk_down(struct row *from, struct row *to, const uint64_t *open) {
    const size_t first = from->count > PARENTS ? from->count - PARENTS : 0;
    struct node *parent = from->node + first, *end = from->node + from->count,
                *child = to->node;
    while (parent < end) {
        const uint64_t queen = parent->free & -parent->free;
        const struct state s = state_place(parent->state, queen);
        *child = (struct node){s, state_free(s, open[0])};
        child += (child->free != 0) & (state_free_below(s, 1, open[1]) != 0);
        parent->free ^= queen;
        parent += parent->free == 0;
    }
    from->count = first;
    to->count = (size_t)(child - to->node);
    return to->count;
}

bool nqi_walk(const struct walk_board *board, int row, struct state state,
              struct walk_memory *memory, const struct heartbeat *heartbeat,
              struct tally *tally) {
    const int top = row, last = board->n - 1;
    if (row > last) {
        tally->solutions++;
        return true;
    }
    struct row *rows = memory->row;
    rows[top].node[0] = (struct node){state, state_free(state, board->open[top])};
    rows[top].count = rows[top].node[0].free != 0;
    for (unsigned steps = 1; row >= top; steps++) {
        if (steps % STEPS_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, tally->nodes))
            return false;
        if (rows[row].count == 0) {
            row--;
        } else if (row == last) { /* one column remains, and its square is free */
            tally->solutions += rows[row].count;
            rows[row].count = 0;
        } else {
            tally->nodes += walk_down(&rows[row], &rows[row + 1], &board->open[row + 1]);
            row++;
        }
    }
    return true;
}
