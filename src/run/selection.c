#include "run/selection.h"

#include <stdlib.h>

struct costed {
    double cost;
    uint64_t id;
};

static int costliest_first(const void *left, const void *right) {
    const struct costed *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* All units in the order to solve them. The costliest go first, so that no thread is left alone
 * at the end with a long one. NULL: out of memory. */
static struct costed *order_units(const struct job *job) {
    struct costed *order = malloc((job->unit_count + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint64_t id = 0; id < job->unit_count; id++)
        order[id] = (struct costed){.cost = job->units[id].cost, .id = id};
    qsort(order, job->unit_count, sizeof *order, costliest_first);
    return order;
}

/* The shard, from 0, of the unit at that place of the order: dealt out like cards, to and fro.
 * With each deal the shards that got the costlier units of the last one get the cheaper ones.
 * So the difference between two shards after any number of deals is at most that between the
 * costliest and the cheapest unit dealt. */
static uint64_t shard_at(uint64_t place, uint64_t shards) {
    uint64_t deal = place / shards, card = place % shards;
    return deal % 2 == 0 ? card : shards - 1 - card;
}

bool nqi_selection_make(const struct job *job, int shard, int shards, const uint64_t *recorded,
                        struct selection *out) {
    *out = (struct selection){0};
    struct costed *order = order_units(job);
    out->unit = malloc((job->unit_count + 1) * sizeof *out->unit);
    if (order == NULL || out->unit == NULL) {
        free(order);
        nqi_selection_free(out);
        return false;
    }
    for (uint64_t place = 0; place < job->unit_count; place++) {
        const struct costed *unit = &order[place];
        if (shards > 1 && shard_at(place, (uint64_t)shards) != (uint64_t)shard - 1)
            continue;
        out->all_count++;
        out->all_cost += unit->cost;
        if (bit_is_set(recorded, unit->id))
            continue;
        out->unit[out->count++] = unit->id;
        out->cost += unit->cost;
    }
    free(order);
    return true;
}

void nqi_selection_free(struct selection *selection) {
    free(selection->unit);
    *selection = (struct selection){0};
}
