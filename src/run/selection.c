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

/* Returns all units in the order in which they are solved, or NULL if memory runs out. The
 * order is longest processing time first: a long unit started last would leave one thread
 * working alone. */
static struct costed *order_units(const struct job *job) {
    struct costed *order = malloc((job->unit_count + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint64_t id = 0; id < job->unit_count; id++)
        order[id] = (struct costed){.cost = job->units[id].cost, .id = id};
    qsort(order, job->unit_count, sizeof *order, costliest_first);
    return order;
}

/* Returns the shard, from 0, of the unit at a position of the order. Units are dealt out like
 * cards, forwards and backwards by turns: shards that get the costlier units of a round get the
 * cheaper ones of the next.
 *
 * Two shards differ by at most the cost of the costliest unit: within a round they differ by at
 * most the range of its costs (down to 0 in an incomplete last round), and the ranges of the
 * rounds do not overlap, since the order is by cost. */
static uint64_t shard_at(uint64_t position, uint64_t shards) {
    uint64_t round = position / shards, turn = position % shards;
    return round % 2 == 0 ? turn : shards - 1 - turn;
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
    for (uint64_t position = 0; position < job->unit_count; position++) {
        const struct costed *unit = &order[position];
        if (shards > 1 && shard_at(position, (uint64_t)shards) != (uint64_t)shard - 1)
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
