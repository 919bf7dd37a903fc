/* SPDX-License-Identifier: MIT */
/* Walks down the board depth first, many states at a time.
 *
 * The usual search places one queen and then branches: does the queen leave a free square in
 * the rows below? No CPU can predict that, and a walk that branches takes more than twice as
 * long. So each step takes up to PARENTS states of the deepest row that has any, makes all
 * their children, and keeps the live ones without a branch: every child is stored, and the
 * pointer to the next one moves only if the child is to be kept. The stack of the search has
 * one list of states per row. */
#include "search/walk.h"

#include <stdlib.h>

enum { PARENTS = 64, CHILDREN = PARENTS * NQ_MAX_N };

/* Number of steps from one heartbeat to the next. They take a few milliseconds. */
enum { STEPS_PER_BEAT = 4096 };

struct node {
    struct state state;
    uint64_t free; /* free squares of its row that are still to try; never empty in a list */
};

struct row {
    size_t count;
    struct node node[CHILDREN]; /* enough, since a row is empty when children are added */
};

struct walk_memory {
    struct row row[NQ_MAX_N];
};

struct walk_memory *nqi_walk_memory_new(void) {
    return malloc(sizeof(struct walk_memory));
}

struct walk_board nqi_walk_board(int n, const uint32_t *allowed) {
    struct walk_board board = {.n = n};
    for (int row = 0; row < n; row++)
        board.allowed[row] = allowed != NULL ? allowed[row] : (UINT64_C(1) << n) - 1;
    for (int below = 0; below < ROWS_BELOW; below++)
        board.allowed[n + below] = UINT64_MAX;
    return board;
}

/* Takes the last states of a row, at most PARENTS of them, and makes all their children. Keeps
 * the children that have a free square in the row that they fill next and in the row below it,
 * and returns their number. Each round of the loop makes one child. allowed[0..1]: squares of
 * these two rows that queens may take. */
static size_t walk_down(struct row *from, struct row *to, const uint64_t *allowed) {
    const size_t first = from->count > PARENTS ? from->count - PARENTS : 0;
    struct node *parent = from->node + first, *end = from->node + from->count,
                *child = to->node;
    while (parent < end) {
        const uint64_t queen = parent->free & -parent->free;
        const struct state s = state_place(parent->state, queen);
        *child = (struct node){s, state_free(s, allowed[0])};
        child += (child->free != 0) & (state_free_below(s, 1, allowed[1]) != 0);
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
    rows[top].node[0] = (struct node){state, state_free(state, board->allowed[top])};
    rows[top].count = rows[top].node[0].free != 0;
    for (unsigned steps = 1; row >= top; steps++) {
        if (steps % STEPS_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, tally->nodes))
            return false;
        if (rows[row].count == 0) {
            row--;
        } else if (row == last) { /* each state has exactly one free square left */
            tally->solutions += rows[row].count;
            rows[row].count = 0;
        } else {
            tally->nodes += walk_down(&rows[row], &rows[row + 1], &board->allowed[row + 1]);
            row++;
        }
    }
    return true;
}
