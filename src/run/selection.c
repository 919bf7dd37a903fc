/* SPDX-License-Identifier: MIT */
/* Selects the units of a run and puts them in order. Units are dealt to shards by cost, so that
 * shards take about the same time; then each shard's units are sorted into bands of similar
 * cost, the costliest first. */
#include "run/selection.h"

#include <assert.h>
#include <stdlib.h>

/* The band of a unit is its cost, shifted to the right so far that the greatest cost in the
 * partition keeps BAND_BITS bits. */
enum { BAND_BITS = 5 };

/* Returns how far a cost must be shifted to the right to become its unit's band. */
static int selection_band_shift(const struct partition *partition) {
    uint64_t bits = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        bits |= partition->units[id].cost;
    const int width = bits == 0 ? 0 : 64 - __builtin_clzll(bits);
    return width > BAND_BITS ? width - BAND_BITS : 0;
}

/* Orders units by cost, the greatest first, and units of the same cost by id. */
static int selection_compare(const void *left, const void *right, void *context) {
    const struct partition *partition = context;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t of_a = partition->units[a].cost, of_b = partition->units[b].cost;
    return of_a != of_b ? (of_a < of_b) - (of_a > of_b) : (a > b) - (a < b);
}

uint32_t *nqi_selection_order(const struct partition *partition) {
    const uint64_t count = partition->job.units;
    uint32_t *order = malloc((count + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint64_t id = 0; id < count; id++)
        order[id] = (uint32_t)id;
    qsort_r(order, count, sizeof *order, selection_compare, (void *)partition);
    return order;
}

/* Marks the units of other shards. Units are dealt out like cards, the costliest first, one to
 * each shard in every round. Rounds go forwards and backwards by turns, so that a shard that
 * gets a costlier unit in one round gets a cheaper one in the next. Returns false if memory
 * runs out.
 *
 * The total costs of two shards differ by at most the cost of the costliest unit. In each
 * round, their two units differ by at most the range of the round's costs. (If the last round
 * is incomplete, a shard that gets no unit counts as one with cost 0, and the range begins at
 * 0.) Ranges of different rounds do not overlap, because units are in order of cost. So
 * together they are at most as long as the range from 0 to the greatest cost. */
static bool selection_mark_others(const struct partition *partition, uint64_t shard,
                                  uint64_t shards, bool *excluded) {
    const uint64_t count = partition->job.units;
    uint32_t *order = nqi_selection_order(partition);
    if (order == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++)
        excluded[order[i]] = shard_of_position(i, shards) != shard;
    free(order);
    return true;
}

/* Bands are in order of cost, the costliest first (longest processing time first): if a long
 * unit were started last, all other threads would have to wait for the thread that solves it.
 * Within a band, units are in order of id, because neighbours have parts in common, which a
 * thread then computes once. */
bool nqi_selection_make(const struct partition *partition, int shard, int shards,
                        const uint64_t *recorded, struct selection *out) {
    const uint64_t count = partition->job.units;
    const int shift = selection_band_shift(partition);
    bool *excluded = calloc(count + 1, sizeof *excluded);
    assert(count <= UINT32_MAX);
    *out = (struct selection){.unit = malloc((count + 1) * sizeof *out->unit)};
    const bool done = excluded != NULL && out->unit != NULL &&
                      (shards <= 1 || selection_mark_others(partition, (uint64_t)shard,
                                                            (uint64_t)shards, excluded));
    for (uint64_t band = UINT64_C(1) << BAND_BITS; done && band-- > 0;)
        for (uint64_t id = 0; id < count; id++) {
            const uint64_t cost = partition->units[id].cost;
            if (cost >> shift != band || excluded[id])
                continue;
            out->all_count++;
            out->all_cost += cost;
            if (bit_is_set(recorded, id))
                continue;
            out->unit[out->count++] = id;
            out->cost += cost;
        }
    free(excluded);
    if (!done)
        nqi_selection_free(out);
    return done;
}

void nqi_selection_free(struct selection *selection) {
    free(selection->unit);
    *selection = (struct selection){0};
}
