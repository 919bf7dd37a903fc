/* SPDX-License-Identifier: MIT */
#include "run/selection.h"

#include <assert.h>
#include <stdlib.h>

/* Digits of the radix sort, the lowest one first. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Sorts units by one digit of their costs, the greatest first. What has the same digit stays in
 * order. */
static void sort_by_digit(const struct unit *units, const uint32_t *from, uint64_t count,
                          int shift, uint32_t *to) {
    uint32_t next[DIGITS] = {0}, before = 0;
    for (uint64_t i = 0; i < count; i++)
        next[units[from[i]].cost >> shift & (DIGITS - 1)]++;
    for (int digit = DIGITS - 1; digit >= 0; digit--) {
        const uint32_t with_digit = next[digit];
        next[digit] = before;
        before += with_digit;
    }
    for (uint64_t i = 0; i < count; i++)
        to[next[units[from[i]].cost >> shift & (DIGITS - 1)]++] = from[i];
}

/* Returns the shard, from 0, of the unit at a position of the order. Units are dealt out like
 * cards, forwards and backwards by turns: shards that get the costlier units of a round get the
 * cheaper ones of the next.
 *
 * Two shards differ by at most the cost of the costliest unit: within a round they differ by at
 * most the range of its costs (down to 0 in an incomplete last round), and the ranges of the
 * rounds do not overlap, since the order is by cost. */
static uint64_t shard_at_position(uint64_t position, uint64_t shards) {
    uint64_t round = position / shards, turn = position % shards;
    return round % 2 == 0 ? turn : shards - 1 - turn;
}

/* The highest bits of costs, as many as the greatest one has, are the class of a unit. */
enum { CLASS_BITS = 5 };

/* Returns the number of bits of the greatest cost. */
static int cost_bits(const struct partition *partition) {
    uint64_t bits = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        bits |= partition->units[id].cost;
    return bits == 0 ? 0 : 64 - __builtin_clzll(bits);
}

/* Marks the units of a shard. room: for two lists of all units. */
static void mark_shard(const struct partition *partition, uint64_t shard, uint64_t shards,
                       uint32_t *room, uint8_t *mine) {
    const uint64_t count = partition->job.units;
    uint32_t *order = room, *other = room + count;
    for (uint64_t id = 0; id < count; id++)
        order[id] = (uint32_t)id;
    for (int shift = 0; shift < cost_bits(partition); shift += DIGIT_BITS) {
        sort_by_digit(partition->units, order, count, shift, other);
        uint32_t *sorted = other;
        other = order;
        order = sorted;
    }
    for (uint64_t position = 0; position < count; position++)
        mine[order[position]] = shard_at_position(position, shards) == shard;
}

/* Units are in order of their classes, the costliest first (longest processing time first: a
 * long unit started last would leave one thread working alone). Within a class they are in
 * order of ids, since neighbours have parts in common, which a thread then makes once. */
bool nqi_selection_make(const struct partition *partition, int shard, int shards,
                        const uint64_t *recorded, struct selection *out) {
    *out = (struct selection){0};
    const uint64_t count = partition->job.units;
    assert(count <= UINT32_MAX);
    uint32_t *room = malloc((2 * count + 1) * sizeof *room), *chosen = room;
    uint8_t *mine = shards > 1 ? malloc(count + 1) : NULL;
    out->unit = malloc((count + 1) * sizeof *out->unit);
    const bool done = room != NULL && out->unit != NULL && (shards <= 1 || mine != NULL);
    if (done && shards > 1)
        mark_shard(partition, (uint64_t)shard - 1, (uint64_t)shards, room, mine);
    for (uint64_t id = 0; id < count && done; id++) {
        if (mine != NULL && !mine[id])
            continue;
        out->all_count++;
        out->all_cost += partition->units[id].cost;
        if (bit_is_set(recorded, id))
            continue;
        chosen[out->count++] = (uint32_t)id;
        out->cost += partition->units[id].cost;
    }
    if (done) {
        const int bits = cost_bits(partition);
        uint32_t *sorted = room + count;
        sort_by_digit(partition->units, chosen, out->count,
                      bits > CLASS_BITS ? bits - CLASS_BITS : 0, sorted);
        for (uint64_t i = 0; i < out->count; i++)
            out->unit[i] = sorted[i];
    }
    free(room);
    free(mine);
    if (!done)
        nqi_selection_free(out);
    return done;
}

void nqi_selection_free(struct selection *selection) {
    free(selection->unit);
    *selection = (struct selection){0};
}
