/* SPDX-License-Identifier: MIT */
/* Shards and the order of units: every unit goes to one shard, and no shard gets much more work
 * than another. */
#include "run/run.h"

#include "core/arrays.h"
#include "made_up.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* Expects bands of similar cost, the costliest first, and the units of a band by id. Costs are
 * in one band if they differ only in bits below the five highest bits of the greatest cost. The
 * selection's cost must be the sum of its units' costs. */
static void expect_order(const struct partition *partition, const struct selection *s) {
    uint64_t sum = 0, greatest = 0, width = 1, before = UINT64_MAX, id_before = 0;
    for (uint64_t id = 0; id < partition->job.units; id++) {
        const uint64_t cost = partition->units[id].cost;
        greatest = cost > greatest ? cost : greatest;
    }
    while (width <= greatest / 32)
        width *= 2;
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t id = s->unit[i];
        cr_assert_lt(id, partition->job.units);
        const uint64_t cost = partition->units[id].cost, band = cost / width;
        cr_assert(cost > 0 && (before > band || (before == band && (i == 0 || id_before < id))),
                  "place %" PRIu64, i);
        sum += cost;
        before = band;
        id_before = id;
    }
    cr_assert_eq(s->cost, sum);
}

/* Expects that each unit is in one shard, unless it is recorded. The numbers of units of two
 * shards may differ by one, and their costs by at most the cost of the costliest unit. */
static void expect_partition(const struct partition *partition, int shards,
                             const uint64_t *recorded) {
    bool *taken = calloc(partition->job.units + 1, sizeof *taken);
    cr_assert_not_null(taken);
    uint64_t units = 0, least_units = UINT64_MAX, most_units = 0, least = UINT64_MAX, most = 0,
             costliest = 0;
    for (int shard = 1; shard <= shards; shard++) {
        struct selection s;
        cr_assert(nqi_selection_make(partition, shard, shards, recorded, &s));
        expect_order(partition, &s);
        for (uint64_t i = 0; i < s.count; i++) {
            const uint64_t id = s.unit[i];
            cr_assert(!taken[id] && !bit_is_set(recorded, id), "%d shards: unit %" PRIu64,
                      shards, id);
            taken[id] = true;
        }
        units += s.all_count;
        least = s.all_cost < least ? s.all_cost : least;
        most = s.all_cost > most ? s.all_cost : most;
        least_units = s.all_count < least_units ? s.all_count : least_units;
        most_units = s.all_count > most_units ? s.all_count : most_units;
        nqi_selection_free(&s);
    }
    for (uint64_t id = 0; id < partition->job.units; id++) {
        const uint64_t cost = partition->units[id].cost;
        cr_assert_eq(taken[id], !bit_is_set(recorded, id), "unit %" PRIu64, id);
        costliest = cost > costliest ? cost : costliest;
    }
    cr_expect(units == partition->job.units && most - least <= costliest &&
                  most_units - least_units <= 1,
              "%d shards", shards);
    free(taken);
}

/* The costs of made-up units, which differ by more than those of any method. */
enum made_up_costs { POWERS_OF_TWO, UP_TO_1000, ONE_LARGE, MADE_UP_COSTS };

static uint64_t made_up_cost(enum made_up_costs kind, uint64_t id) {
    switch (kind) {
    case POWERS_OF_TWO:
        return UINT64_C(1) << id % 50;
    case UP_TO_1000:
        return 1 + id * 7919 % 1000;
    default:
        return id == 50 ? 1000000 : 1;
    }
}

enum made_up_recorded { NONE, ALL, SOME, MADE_UP_RECORDED };

Test(selection, shards_of_made_up_units_are_even_and_disjoint) {
    enum { MOST = 12345 };
    static struct unit units[MOST];
    const uint64_t counts[] = {0, 1, 2, 64, 65, 513, MOST};
    const int shards[] = {1, 2, 3, 64, 999};
    uint64_t recorded[MOST / 64 + 1], seed = 5;
    for (size_t u = 0; u < LENGTH(counts); u++)
        for (size_t i = 0; i < LENGTH(shards) && (i < 3 || counts[u] < MOST); i++)
            for (enum made_up_costs costs = 0; costs < MADE_UP_COSTS; costs++) {
                const struct partition made_up = {.job.units = counts[u], .units = units};
                for (uint64_t id = 0; id < counts[u]; id++)
                    units[id].cost = made_up_cost(costs, id);
                for (enum made_up_recorded which = 0; which < MADE_UP_RECORDED; which++) {
                    for (size_t word = 0; word < LENGTH(recorded); word++)
                        recorded[word] = which == ALL ? UINT64_MAX : random_bits(&seed) * seed;
                    expect_partition(&made_up, shards[i], which == NONE ? NULL : recorded);
                }
            }
}
