#include "picked.h"

#include "made_up.h"

#include <criterion/criterion.h>
#include <stdlib.h>

struct costed {
    double cost;
    uint64_t id;
};

static int cheapest_first(const void *left, const void *right) {
    const struct costed *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

void pick_units(const struct job *job, double share, size_t count, uint64_t *picked) {
    struct costed *order = malloc(job->unit_count * sizeof *order);
    cr_assert_not_null(order);
    uint64_t seed = (uint64_t)job->n;
    int among = (int)(share * (double)job->unit_count);
    for (uint64_t id = 0; id < job->unit_count; id++)
        order[id] = (struct costed){job->units[id].cost, id};
    qsort(order, job->unit_count, sizeof *order, cheapest_first);
    for (size_t i = 0; i < count; i++)
        picked[i] = order[random_below(&seed, among > 0 ? among : 1)].id;
    free(order);
}
