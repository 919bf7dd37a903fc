/* SPDX-License-Identifier: MIT */
/* What is missing in a ledger, in the words of --shard. No ledger knows which shards it was to
 * hold; but units of one shard are missing together. */
#include "run/run.h"

#include <stdlib.h>

/* Units by their places in the order in which they are dealt. */
struct places {
    uint64_t count;
    bool *recorded; /* [place] */
    uint32_t *gone; /* places that are not recorded, in order */
    uint64_t gone_count;
};

/* Returns the number of a shard's units if none of them is recorded, else 0. */
static uint64_t missing_units(const struct places *places, uint64_t shard, uint64_t shards) {
    uint64_t units = 0, step = 2 * (shards - shard) + 1;
    for (uint64_t place = shard - 1; place < places->count; units++) {
        if (places->recorded[place])
            return 0;
        place += step; /* the next round goes the other way */
        step = 2 * shards - step;
    }
    return units;
}

/* Returns how many names there are with so many shards. The first unit of a missing shard is
 * gone. */
static uint64_t missing_count(const struct places *places, uint64_t shards) {
    uint64_t names = places->gone_count;
    for (uint64_t i = 0; i < places->gone_count && places->gone[i] < shards; i++) {
        const uint64_t units = missing_units(places, places->gone[i] + 1, shards);
        names -= units > 0 ? units - 1 : 0;
    }
    return names;
}

static void missing_add(struct missing *missing, uint64_t shard, uint64_t shards) {
    missing->count++;
    if (missing->named == MAX_MISSING || shards > NQ_MAX_SHARDS)
        return;
    missing->shard[missing->named].number = (int)shard;
    missing->shard[missing->named++].of = (int)shards;
}

static void missing_name(const struct places *places, uint64_t shards,
                         struct missing *missing) {
    for (uint64_t i = 0; i < places->gone_count && places->gone[i] < shards; i++)
        if (missing_units(places, places->gone[i] + 1, shards) > 0)
            missing_add(missing, places->gone[i] + 1, shards);
    for (uint64_t i = 0; i < places->gone_count; i++)
        if (missing_units(places, shard_of_place(places->gone[i], shards), shards) == 0)
            missing_add(missing, places->gone[i] + 1, places->count);
}

/* Returns the number of shards with the fewest names: `count`, whose shards are units, if none
 * has half as many names as units are gone. Units that are not of one shard look like one by
 * chance. A shard has count / shards units, so where gone_count * shards / count is more than
 * are named, it is of no use to look. */
static uint64_t missing_best(const struct places *places) {
    uint64_t best = places->count, least = places->gone_count / 2 + 1;
    for (uint64_t shards = 1; shards <= places->count / 2 && shards <= NQ_MAX_SHARDS &&
                              shards * places->gone_count <= MAX_MISSING * places->count;
         shards++) {
        const uint64_t names = missing_count(places, shards);
        if (names < least) {
            best = shards;
            least = names;
        }
    }
    return best;
}

bool nqi_missing_find(const struct partition *partition, const uint64_t *recorded,
                      struct missing *missing) {
    uint32_t *order = nqi_selection_order(partition);
    struct places places = {.count = partition->job.units};
    places.recorded = malloc(places.count + 1);
    places.gone = malloc((places.count + 1) * sizeof *places.gone);
    const bool done = order != NULL && places.recorded != NULL && places.gone != NULL;
    *missing = (struct missing){0};
    for (uint64_t place = 0; done && place < places.count; place++) {
        places.recorded[place] = bit_is_set(recorded, order[place]);
        if (!places.recorded[place])
            places.gone[places.gone_count++] = (uint32_t)place;
    }
    if (done && places.gone_count > 0)
        missing_name(&places, missing_best(&places), missing);
    free(order);
    free(places.recorded);
    free(places.gone);
    return done;
}
