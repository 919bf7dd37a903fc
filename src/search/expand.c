/* The states that units start from: all placements on a family's first rows. */
#include "search/plan.h"

struct expansion {
    const struct family *family;
    int depth;
    struct state *out; /* NULL: count only */
    size_t count;
};

static void expand_row(struct expansion *e, int row, struct state state) {
    if (row == e->depth) {
        if (e->out != NULL)
            e->out[e->count] = state;
        e->count++;
        return;
    }
    uint32_t free = state_free(state, e->family->open[row]);
    for (; free != 0; free &= free - 1)
        expand_row(e, row + 1, state_place(state, free & -free, e->family->step[row]));
}

size_t nqi_family_expand(const struct family *family, int depth, struct state *out) {
    struct expansion e = {.family = family, .depth = depth, .out = out};
    expand_row(&e, 0, (struct state){.cols = family->cols});
    return e.count;
}
