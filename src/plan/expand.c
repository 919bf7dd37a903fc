/* The states that units start from: all placements of a family's first rows. */
#include "plan/plan.h"

struct expansion {
    const struct family *family;
    int depth;
    uint32_t until_next; /* states to pass over before the next one of this part */
    uint32_t parts;
    struct state *out;
    size_t count;
};

static void expand_row(struct expansion *e, int row, struct state state) {
    if (row == e->depth) {
        if (e->until_next-- == 0) {
            if (e->out != NULL)
                e->out[e->count] = state;
            e->count++;
            e->until_next = e->parts - 1;
        }
        return;
    }
    uint32_t free = state_free(state, e->family->open[row]);
    for (; free != 0; free &= free - 1)
        expand_row(e, row + 1, state_place(state, free & -free, e->family->step[row]));
}

size_t family_expand(const struct family *family, int depth, uint32_t part, uint32_t parts,
                     struct state *out) {
    struct expansion e = {
        .family = family, .depth = depth, .until_next = part, .parts = parts, .out = out};
    expand_row(&e, 0, (struct state){.cols = family->cols});
    return e.count;
}
