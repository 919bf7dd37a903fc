/* SPDX-License-Identifier: MIT */
/* The list of plans; lists of families; the states that units start from. */
#include "search/plan.h"

#include "core/array.h"
#include "core/implementation.h"

static const struct plan *const plans[] = {&nqi_plan_cross, &nqi_plan_rows};
enum { PLANS = sizeof plans / sizeof *plans };

const struct plan *nqi_plan_at(size_t index) {
    return index < PLANS ? plans[index] : NULL;
}

const struct plan *nqi_plan_by_name(const char *name, struct failure *failure) {
    if (name == NULL)
        return plans[0];
    const char *names[PLANS];
    for (size_t i = 0; i < PLANS; i++)
        names[i] = plans[i]->name;
    const int chosen = nqi_choose_name("plan", name, names, PLANS, failure);
    return chosen >= 0 ? plans[chosen] : NULL;
}

bool nqi_families_add(struct families *list, const struct family *family) {
    struct family *grown =
        nqi_array_grow(list->family, list->count, &list->capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    list->family = grown;
    list->family[list->count++] = *family;
    return true;
}

void nqi_families_free(struct families *list) {
    free(list->family);
    *list = (struct families){0};
}

struct expansion {
    const struct family *family;
    int depth;
    struct state *out; /* NULL: count only */
    size_t count;
};

static void family_expand_row(struct expansion *e, int row, struct state state) {
    if (row == e->depth) {
        if (e->out != NULL)
            e->out[e->count] = state;
        e->count++;
        return;
    }
    uint32_t free = state_free(state, e->family->open[row]);
    for (; free != 0; free &= free - 1)
        family_expand_row(e, row + 1, state_place(state, free & -free, e->family->step[row]));
}

size_t nqi_family_expand(const struct family *family, int depth, struct state *out) {
    struct expansion e = {.family = family, .depth = depth, .out = out};
    family_expand_row(&e, 0, (struct state){.cols = family->cols});
    return e.count;
}
