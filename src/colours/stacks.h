/* The stacks of the frontier, for words and a PASS that the including file defines. */
#ifndef COLOURS_STACKS_H
#define COLOURS_STACKS_H

#include "colours/completer.h"

enum {
    /* A stack that holds less than PASS states may get all children of a pass. */
    ROOM = PASS + PASS * COLOURS_LINES + MOST_LANES,
    ENTRIES = PASS * COLOURS_LINES + MOST_LANES
};

struct stack {
    word columns[ROOM], left[ROOM], right[ROOM];
};

struct frontier {
    struct stack stack[COLOURS_LINES];
    word entry[ENTRIES];
};

static inline struct lanes frontier_load(const struct stack *stack, size_t at) {
    return (struct lanes){v_load(stack->columns + at), v_load(stack->left + at),
                          v_load(stack->right + at)};
}

#endif
