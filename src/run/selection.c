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
    for (uint64_t id = 0; id < partition->unit_count; id++)
        bits |= partition->units[id].cost;
    return bits == 0 ? 0 : 64 - __builtin_clzll(bits);
}

/* Marks the units of a shard. room: for two lists of all units. */
static void mark_shard(const struct partition *partition, uint64_t shard, uint64_t shards,
                       uint32_t *room, uint8_t *mine) {
    const uint64_t count = partition->unit_count;
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
static bool select_listed(const struct partition *partition, int shard, int shards,
                          const uint64_t *recorded, struct selection *out) {
    const uint64_t count = partition->unit_count;
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
    return done;
}

/* Returns the id of the unit at a place. Each round deals one unit to every shard. The
 * shard that a round begins with moves by the golden ratio of their number, so that no pattern
 * among the units can favour a shard. The last round is incomplete: the id may be
 * past the last unit. */
static uint64_t unit_id_at_place(const struct shard_places *places, uint64_t place) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15) * place,
                   turn = (golden >> 32) * places->shards >> 32; /* of at most 10^6 shards */
    return place * places->shards + (places->shard + turn) % places->shards;
}

/* Select in a bit vector: words of places->open from one of open_before to the next. */
enum { SELECT_STRIDE = 8 };

uint64_t nqi_selection_unit(const struct selection *selection, uint64_t index) {
    const struct shard_places *places = &selection->places;
    if (selection->unit != NULL)
        return selection->unit[index];
    uint64_t low = 0, high = (places->units - 1) / places->shards / (64 * SELECT_STRIDE);
    while (low < high) { /* bisects for the last stride that begins at or before the index */
        const uint64_t middle = low + (high - low + 1) / 2;
        if (places->open_before[middle] <= index)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t word = low * SELECT_STRIDE, remaining = index - places->open_before[low];
    for (uint64_t here;
         (here = (uint64_t)__builtin_popcountll(places->open[word])) <= remaining; word++)
        remaining -= here;
    uint64_t bits = places->open[word];
    for (; remaining > 0; remaining--)
        bits &= bits - 1;
    return unit_id_at_place(places, 64 * word + (uint64_t)__builtin_ctzll(bits));
}

/* Units whose costs are added up, of units that are not listed. Of more, as many stand for all:
 * only progress depends on the sum. */
enum { MOST_ADDED = 1 << 14 };

static void add_unlisted_costs(const struct partition *partition, uint64_t rounds,
                               struct selection *out) {
    const uint64_t step = out->count / MOST_ADDED + 1, round_step = rounds / MOST_ADDED + 1;
    uint64_t added = 0, all_added = 0;
    for (uint64_t i = 0; i < out->count; i += step, added++)
        out->cost += partition_unit(partition, nqi_selection_unit(out, i)).cost;
    if (added < out->count)
        out->cost = out->cost / added * out->count;
    for (uint64_t place = 0; place < rounds; place += round_step) {
        const uint64_t id = unit_id_at_place(&out->places, place);
        if (id >= partition->unit_count)
            continue;
        out->all_cost += partition_unit(partition, id).cost;
        all_added++;
    }
    if (all_added < out->all_count)
        out->all_cost = out->all_cost / all_added * out->all_count;
    if (out->all_cost < out->cost || out->count == out->all_count)
        out->all_cost = out->cost;
}

static bool select_unlisted(const struct partition *partition, int shard, int shards,
                            const uint64_t *recorded, struct selection *out) {
    struct shard_places *places = &out->places;
    *places = (struct shard_places){.units = partition->unit_count,
                                    .shards = shards > 1 ? (uint64_t)shards : 1};
    places->shard = shards > 1 ? (uint64_t)shard - 1 : 0;
    const uint64_t rounds = (places->units + places->shards - 1) / places->shards,
                   strides = rounds / (64 * SELECT_STRIDE) + 1;
    places->open = calloc(strides * SELECT_STRIDE, sizeof *places->open);
    places->open_before = calloc(strides, sizeof *places->open_before);
    if (places->open == NULL || places->open_before == NULL)
        return false;
    for (uint64_t place = 0; place < rounds; place++) {
        const uint64_t id = unit_id_at_place(places, place);
        if (place % (64 * SELECT_STRIDE) == 0)
            places->open_before[place / (64 * SELECT_STRIDE)] = out->count;
        if (id >= places->units)
            continue;
        out->all_count++;
        if (bit_is_set(recorded, id))
            continue;
        out->count++;
        places->open[place / 64] |= UINT64_C(1) << (place % 64);
    }
    add_unlisted_costs(partition, rounds, out);
    return true;
}

bool nqi_selection_make(const struct partition *partition, int shard, int shards,
                        const uint64_t *recorded, struct selection *out) {
    *out = (struct selection){0};
    const bool made = partition->units != NULL
                          ? select_listed(partition, shard, shards, recorded, out)
                          : select_unlisted(partition, shard, shards, recorded, out);
    if (!made)
        nqi_selection_free(out);
    return made;
}

void nqi_selection_free(struct selection *selection) {
    free(selection->unit);
    free(selection->places.open);
    free(selection->places.open_before);
    *selection = (struct selection){0};
}
