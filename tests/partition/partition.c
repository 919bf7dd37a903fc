/* SPDX-License-Identifier: MIT */
/* Units, their costs and shards are a contract between machines:
 * this program compares hashes of them with pinned ones, and prints the rows that differ as
 * they are now. It needs nothing but the C library, so that it can be built with any flags and
 * for any machine (meson.build). A change of these raises the method's version. */
#include "colours/colours.h"
#include "run/selection.h"
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pin {
    const char *method;
    int n, version;
    uint64_t units, cost, costs, shards; /* the last two are hashes */
};

static const struct pin pinned[] = {
#include "pinned.h"
};

/* Of more units, as many are looked at, at equal distances, and one shard. */
enum { MAX_UNITS = 20000 };

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a: adds the bytes of a number to a hash, lowest first. */
static uint64_t hash_number(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_costs(const struct partition *partition) {
    uint64_t hash = HASH_START;
    const uint64_t step = partition->job.units / MAX_UNITS + 1;
    for (uint64_t id = 0; id < partition->job.units; id += step) {
        const struct unit unit = partition->units[id];
        hash = hash_number(hash_number(hash, unit.weight), unit.cost);
    }
    return hash;
}

static int by_number(const void *first, const void *second) {
    const uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
    return (a > b) - (a < b);
}

/* The order in which a shard's units are solved is no part of the contract. */
static uint64_t hash_shard(const struct partition *partition, int shard, int shards,
                           uint64_t hash) {
    struct selection selection;
    if (!nqi_selection_make(partition, shard, shards, NULL, &selection))
        exit(3);
    hash = hash_number(hash_number(hash, selection.count), selection.cost);
    uint64_t *unit = malloc((selection.count + 1) * sizeof *unit);
    if (unit == NULL)
        exit(3);
    for (uint64_t i = 0; i < selection.count; i++)
        unit[i] = selection.unit[i];
    qsort(unit, selection.count, sizeof *unit, by_number);
    for (uint64_t i = 0; i < selection.count; i++)
        hash = hash_number(hash, unit[i]);
    free(unit);
    nqi_selection_free(&selection);
    return hash;
}

static uint64_t hash_shards(const struct partition *partition) {
    static const int shards[] = {2, 7, 64};
    uint64_t hash = HASH_START;
    const int first = partition->job.units > MAX_UNITS ? 2 : 0; /* each sorts all units */
    for (int i = first; i < 3; i++)
        hash = hash_shard(partition, 1 + i, shards[i], hash);
    return hash;
}

static struct pin measure(const char *method, int n) {
    struct partition *partition =
        strcmp(method, "search") == 0 ? nqi_search_partition(n) : nqi_colours_partition(n);
    if (partition == NULL)
        exit(3);
    const struct pin pin = {.method = method,
                            .n = n,
                            .version = partition->job.version,
                            .units = partition->job.units,
                            .cost = partition->cost,
                            .costs = hash_costs(partition),
                            .shards = hash_shards(partition)};
    partition_close(partition);
    return pin;
}

/* An argument: the largest n. */
int main(int count, char **argument) {
    const int largest = count > 1 ? atoi(argument[1]) : NQ_MAX_N;
    int wrong = 0;
    enum { PINS = sizeof pinned / sizeof *pinned };
    for (size_t i = 0; i < PINS; i++) {
        const struct pin *pin = &pinned[i];
        if (pin->n > largest)
            continue;
        const struct pin now = measure(pin->method, pin->n);
        if (now.version == pin->version && now.units == pin->units && now.cost == pin->cost &&
            now.costs == pin->costs && now.shards == pin->shards)
            continue;
        wrong = 1;
        printf("{\"%s\", %d, %d, %" PRIu64 ", UINT64_C(%" PRIu64 "), 0x%016" PRIx64
               ", 0x%016" PRIx64 "},\n",
               now.method, now.n, now.version, now.units, now.cost, now.costs, now.shards);
    }
    return wrong;
}
