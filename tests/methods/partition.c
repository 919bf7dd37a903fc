/* SPDX-License-Identifier: MIT */
/* Units, their costs and shards must be the same on all machines. This program compares a hash
 * of them with a pinned one. It prints a line for each n with the hash of all n so far. The
 * first line in which two builds differ shows where they begin to differ. The program needs
 * only the C library, so that it can be built with any flags and for any machine (meson.build).
 * Whoever changes units or costs must raise the method's version. */
#include "colours/colours.h"
#include "methods/methods.h"
#include "run/selection.h"
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALLEST = 8 };

/* For each method, the hash of its partitions for all n from SMALLEST to `largest`. */
static const struct pin {
    int largest;
    uint64_t search, colours;
} pinned[] = {{26, .search = 0xebd05e2a714df5f3, .colours = 0x3921a7b383b9ca00},
              {NQ_MAX_N, .search = 0xfbd45659d87dcafe, .colours = 0x1a89fc13f55da607}};

/* If a board has more units than this, at most this many of them are hashed, at equal
 * distances, and only one shard is hashed. */
enum { MAX_UNITS = 20000 };

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a: adds the bytes of a number to a hash, lowest first. */
static uint64_t hash_number(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_costs(const struct partition *partition, uint64_t hash) {
    const uint64_t step = partition->job.units / MAX_UNITS + 1;
    for (uint64_t id = 0; id < partition->job.units; id += step) {
        const struct unit unit = partition->units[id];
        hash = hash_number(hash_number(hash, unit.weight), unit.cost);
    }
    return hash;
}

/* Returns whether the units' costs add up to that of the partition, without an overflow. */
static bool costs_add_up(const struct partition *partition) {
    uint64_t sum = 0;
    for (uint64_t id = 0; id < partition->job.units; id++)
        if (__builtin_add_overflow(sum, partition->units[id].cost, &sum))
            return false;
    return sum == partition->cost;
}

static int by_number(const void *first, const void *second) {
    const uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
    return (a > b) - (a < b);
}

/* Adds a shard to a hash. The order of its units does not matter, because machines may solve
 * them in any order. */
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

static uint64_t hash_shards(const struct partition *partition, uint64_t hash) {
    static const int shards[] = {2, 7, 64};
    const int first = partition->job.units > MAX_UNITS
                          ? 2
                          : 0; /* each call sorts all units, which takes long */
    for (int i = first; i < 3; i++)
        hash = hash_shard(partition, 1 + i, shards[i], hash);
    return hash;
}

static bool is_pinned(struct partition *(*make)(int n), int largest, uint64_t pin) {
    uint64_t hash = HASH_START;
    bool all_add_up = true;
    for (int n = SMALLEST; n <= largest; n++) {
        struct partition *partition = make(n);
        if (partition == NULL)
            exit(3);
        const nq_job job = partition->job;
        hash = hash_number(hash_number(hash, job.units), partition->cost);
        all_add_up &= costs_add_up(partition);
        hash = hash_shards(partition,
                           hash_costs(partition, hash_number(hash, (uint64_t)job.version)));
        printf("%s, n = %d, version %d: %" PRIu64 " units, hash 0x%016" PRIx64 "\n", job.method,
               n, job.version, job.units, hash);
        partition_close(partition);
    }
    return all_add_up && hash == pin;
}

/* With an argument, n = 27 and 28 are left out, because they take longest. */
int main(int count, char **argument) {
    (void)argument;
    const struct pin *pin = &pinned[count > 1 ? 0 : 1];
    bool all = true;
#define COMPARE(name) all &= is_pinned(nqi_##name##_partition, pin->largest, pin->name);
    METHODS_HERE(COMPARE)
    return all ? 0 : 1;
}
