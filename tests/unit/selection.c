/* Shards and the order of units: every unit goes to one shard, and no shard gets much more work
 * than another. */
#include "run/selection.h"

#include "jobs.h"
#include "made_up.h"
#include "search/plan.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The costliest unit must come first, and units of equal cost by id. The cost must be the sum
 * of the units listed. */
static void expect_order(const struct partition *partition, const struct selection *s) {
    uint64_t cost = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        uint64_t id = nqi_selection_unit(s, i);
        cr_assert_lt(id, partition->unit_count);
        cost += partition->units[id].cost;
        if (i == 0)
            continue;
        const uint64_t before = partition->units[nqi_selection_unit(s, i - 1)].cost;
        cr_assert(before > partition->units[id].cost || (before == partition->units[id].cost &&
                                                         nqi_selection_unit(s, i - 1) < id),
                  "n = %d, plan %s: place %" PRIu64, partition->n, partition->plan, i);
    }
    cr_assert_eq(s->cost, cost);
}

static uint64_t costliest(const struct partition *partition) {
    uint64_t most = 0;
    for (uint64_t id = 0; id < partition->unit_count; id++)
        most = partition->units[id].cost > most ? partition->units[id].cost : most;
    return most;
}

static void expect_partition(const struct partition *partition, int shards) {
    unsigned char *taken = calloc(partition->unit_count + 1, 1);
    cr_assert_not_null(taken);
    uint64_t units = 0, least_units = UINT64_MAX, most_units = 0, least = UINT64_MAX, most = 0;
    for (int shard = 1; shard <= shards; shard++) {
        struct selection s;
        cr_assert(nqi_selection_make(partition, shard, shards, NULL, &s));
        cr_assert(s.all_count == s.count && s.all_cost == s.cost);
        expect_order(partition, &s);
        for (uint64_t i = 0; i < s.count; i++)
            cr_assert_eq(taken[nqi_selection_unit(&s, i)]++, 0,
                         "n = %d, plan %s, %d shards: unit %" PRIu64, partition->n,
                         partition->plan, shards, nqi_selection_unit(&s, i));
        units += s.count;
        least = s.cost < least ? s.cost : least;
        most = s.cost > most ? s.cost : most;
        least_units = s.count < least_units ? s.count : least_units;
        most_units = s.count > most_units ? s.count : most_units;
        nqi_selection_free(&s);
    }
    cr_expect_eq(units, partition->unit_count, "n = %d, plan %s, %d shards: %" PRIu64 " units",
                 partition->n, partition->plan, shards, units);
    cr_expect_leq(most - least, costliest(partition), "n = %d, plan %s, %d shards: %" PRIu64,
                  partition->n, partition->plan, shards, most - least);
    cr_expect_leq(most_units - least_units, 1, "n = %d, plan %s, %d shards", partition->n,
                  partition->plan, shards);
    free(taken);
}

static void check_shards(int n, const char *plan, int depth, int most_shards) {
    const int shards[] = {1, 2, 3, 7, 64, 4096};
    struct partition *partition = open_partition(n, plan, depth);
    for (size_t i = 0; i < sizeof shards / sizeof *shards && shards[i] <= most_shards; i++)
        expect_partition(partition, shards[i]);
    if (partition->unit_count < (uint64_t)most_shards)
        expect_partition(partition, (int)partition->unit_count + 1);
    partition_close(partition);
}

Test(selection, shards_of_every_plan_are_even_and_disjoint) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 12; n++)
                check_shards(n, plan->name, depth, 4096);
    }
}

Test(selection, shards_of_plan_cross_are_even_and_disjoint) {
    for (int n = 13; n <= 14; n++)
        check_shards(n, "cross", 0, 4096);
    check_shards(17, "cross", 0, 64);
    check_shards(20, "cross", 0, 64);
    check_shards(21, "cross", 0, 7);
}

Test(selection, shards_of_plan_rows_are_even_and_disjoint) {
    for (int n = 13; n <= NQ_MAX_N; n++)
        check_shards(n, "rows", n % 2 == 0 ? 2 : 3, 64);
}

/* With a unit or two for each shard. */
Test(selection, many_shards_are_even_and_disjoint) {
    struct partition *partition = open_partition(18, "cross", 0);
    cr_assert_geq(partition->unit_count, UINT64_C(1024));
    expect_partition(partition, 1024);
    partition_close(partition);
}

/* Each unit is a shard of its own, the costliest first, and the other shards are empty. */
Test(selection, the_most_shards_have_a_unit_or_none) {
    struct partition *partition = open_partition(13, "cross", 0);
    struct selection all, s;
    cr_assert(nqi_selection_make(partition, 0, 0, NULL, &all));
    cr_assert_lt(partition->unit_count, (uint64_t)NQ_MAX_SHARDS);
    for (uint64_t shard = 1; shard <= NQ_MAX_SHARDS;
         shard += shard <= partition->unit_count + 2 ? 1 : 99991) {
        cr_assert(nqi_selection_make(partition, (int)shard, NQ_MAX_SHARDS, NULL, &s));
        cr_expect_eq(s.count, shard <= partition->unit_count, "shard %" PRIu64, shard);
        if (s.count > 0)
            cr_expect_eq(nqi_selection_unit(&s, 0), nqi_selection_unit(&all, shard - 1),
                         "shard %" PRIu64, shard);
        nqi_selection_free(&s);
    }
    cr_assert(nqi_selection_make(partition, NQ_MAX_SHARDS, NQ_MAX_SHARDS, NULL, &s));
    cr_expect(s.count == 0 && s.all_count == 0 && s.cost == 0);
    nqi_selection_free(&s);
    nqi_selection_free(&all);
    partition_close(partition);
}

/* The costs differ by more than those of any plan. */
Test(selection, shards_of_very_unequal_units_are_even_and_disjoint) {
    enum { UNITS = 1000 };
    static struct unit units[UNITS];
    for (int kind = 0; kind < 3; kind++) {
        for (int id = 0; id < UNITS; id++)
            units[id].cost = kind == 0   ? UINT64_C(1) << id % 50
                             : kind == 1 ? (uint64_t)(1 + id * 7919 % UNITS)
                                         : (id == 700 ? 1000000 : 1);
        const struct partition made_up = {
            .plan = "made up", .unit_count = UNITS, .units = units};
        const int shards[] = {1, 2, 3, 5, 64, 999, 1001};
        for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
            expect_partition(&made_up, shards[i]);
    }
}

/* A shard that gets more in one deal gets less in the next, so if costs fall evenly, all shards
 * get the same. */
Test(selection, units_are_dealt_back_and_forth) {
    struct unit units[12];
    for (int id = 0; id < 12; id++)
        units[id] = (struct unit){.weight = 1, .cost = (uint64_t)(12 - id)};
    const struct partition made_up = {.plan = "made up", .unit_count = 12, .units = units};
    for (int shards = 1; shards <= 6; shards++)
        for (int shard = 1; shard <= shards && shards != 4 && shards != 5; shard++) {
            struct selection s;
            cr_assert(nqi_selection_make(&made_up, shard, shards, NULL, &s));
            cr_expect_eq(s.count, 12u / (unsigned)shards);
            cr_expect_eq(nqi_selection_unit(&s, 0), (uint64_t)shard - 1);
            cr_expect(s.cost == 78 / (uint64_t)shards, "shard %d of %d: %" PRIu64, shard,
                      shards, s.cost);
            nqi_selection_free(&s);
        }
}

Test(selection, shards_0_of_0_and_1_of_1_are_all_units) {
    for (int n = 0; n <= 20; n++) {
        struct partition *partition = open_partition(n, "cross", 0);
        for (int shards = 0; shards <= 1; shards++) {
            struct selection s;
            cr_assert(nqi_selection_make(partition, shards, shards, NULL, &s));
            cr_expect(s.count == partition->unit_count && s.all_count == partition->unit_count,
                      "n = %d", n);
            expect_order(partition, &s);
            nqi_selection_free(&s);
        }
        partition_close(partition);
    }
}

/* all_count and all_cost include them, and units do not change shards because of them. */
Test(selection, recorded_units_are_left_out) {
    struct partition *partition = open_partition(18, "cross", 0);
    uint64_t *recorded = calloc(partition->unit_count / 64 + 1, sizeof *recorded);
    cr_assert_not_null(recorded);
    for (uint64_t id = 0; id < partition->unit_count; id++)
        if (id * id % 7 < 3)
            recorded[id / 64] |= UINT64_C(1) << (id % 64);
    for (int shards = 0; shards <= 5; shards++)
        for (int shard = shards > 0; shard <= shards; shard++) {
            struct selection all, left;
            cr_assert(nqi_selection_make(partition, shard, shards, NULL, &all));
            cr_assert(nqi_selection_make(partition, shard, shards, recorded, &left));
            expect_order(partition, &left);
            uint64_t next = 0;
            for (uint64_t i = 0; i < all.count; i++) {
                bool done = nqi_selection_unit(&all, i) * nqi_selection_unit(&all, i) % 7 < 3;
                cr_assert_eq(bit_is_set(recorded, nqi_selection_unit(&all, i)), done);
                if (!done)
                    cr_assert_eq(left.unit[next++], nqi_selection_unit(&all, i),
                                 "shard %d of %d", shard, shards);
            }
            cr_expect(left.count == next && next < all.count);
            cr_expect(left.all_count == all.count && left.all_cost == all.cost);
            cr_expect_lt(left.cost, all.cost);
            nqi_selection_free(&all);
            nqi_selection_free(&left);
        }
    free(recorded);
    partition_close(partition);
}

Test(selection, nothing_is_selected_once_all_is_recorded) {
    struct partition *partition = open_partition(12, "cross", 0);
    const uint64_t all[] = {UINT64_MAX};
    cr_assert_leq(partition->unit_count, 64u);
    struct selection s;
    cr_assert(nqi_selection_make(partition, 0, 0, all, &s));
    cr_expect(s.count == 0 && s.cost == 0 && s.all_count == partition->unit_count &&
              s.all_cost > 0);
    nqi_selection_free(&s);
    partition_close(partition);
}

Test(selection, costs_are_positive_numbers) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 22; n++) {
                struct partition *partition = open_partition(n, plan->name, depth);
                for (uint64_t id = 0; id < partition->unit_count; id++)
                    cr_assert(partition->units[id].cost > 0, "n = %d, plan %s, unit %" PRIu64,
                              n, partition->plan, id);
                partition_close(partition);
            }
    }
}

static struct unit made_up_unit(const struct partition *partition, uint64_t id) {
    (void)partition, (void)id;
    return (struct unit){.weight = 1, .cost = 1};
}

/* A made-up partition of units that are not listed. */
static struct partition unlisted(uint64_t units) {
    return (struct partition){.plan = "made up", .unit_count = units, .unit = made_up_unit};
}

/* Every unit must be in one shard, unless it is recorded, and all shards alike. */
static void expect_unlisted_partition(uint64_t units, int shards, const uint64_t *recorded) {
    const struct partition made_up = unlisted(units);
    unsigned char *taken = calloc(units + 1, 1);
    cr_assert_not_null(taken);
    uint64_t all = 0, least = UINT64_MAX, most = 0;
    for (int shard = 1; shard <= shards; shard++) {
        struct selection s;
        cr_assert(nqi_selection_make(&made_up, shard, shards, recorded, &s));
        cr_assert(s.cost == s.count && s.all_cost == s.all_count);
        for (uint64_t i = 0; i < s.count; i++) {
            const uint64_t id = nqi_selection_unit(&s, i);
            cr_assert(id < units && taken[id]++ == 0 && !bit_is_set(recorded, id),
                      "%" PRIu64 " units, shard %d of %d: unit %" PRIu64, units, shard, shards,
                      id);
            cr_assert(i == 0 || nqi_selection_unit(&s, i - 1) < id);
        }
        all += s.all_count;
        least = s.all_count < least ? s.all_count : least;
        most = s.all_count > most ? s.all_count : most;
        nqi_selection_free(&s);
    }
    for (uint64_t id = 0; id < units; id++)
        cr_assert_eq(taken[id], !bit_is_set(recorded, id),
                     "%" PRIu64 " units, %d shards: %" PRIu64, units, shards, id);
    cr_expect(all == units && most - least <= 1, "%" PRIu64 " units, %d shards", units, shards);
    free(taken);
}

Test(selection, shards_of_unlisted_units_are_even_and_disjoint) {
    const uint64_t units[] = {1, 2, 63, 64, 65, 511, 512, 513, 12345, 100000};
    const int shards[] = {1, 2, 3, 64, 99, 1000, 13000};
    uint64_t recorded[100000 / 64 + 1], seed = 5;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
            for (int kind = 0; kind < 4; kind++) {
                for (size_t word = 0; word < sizeof recorded / sizeof *recorded; word++)
                    recorded[word] = kind == 1   ? UINT64_MAX
                                     : kind == 2 ? random_bits(&seed)
                                                 : random_bits(&seed) | random_bits(&seed) |
                                                       random_bits(&seed);
                expect_unlisted_partition(units[u], shards[i], kind > 0 ? recorded : NULL);
            }
}

/* Neighbouring units are alike, and so may be units at equal distances. So no shard has more
 * than its share of any stretch, nor of the units with one remainder. */
Test(selection, shards_of_unlisted_units_are_spread) {
    enum { UNITS = 1 << 20, STRETCH = UNITS / 16 };
    const struct partition made_up = unlisted(UNITS);
    const int shards[] = {2, 16, 1000, 1024, 4096};
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
        for (int shard = 1; shard <= shards[i]; shard += 1 + shards[i] / 5) {
            struct selection s;
            double in_stretch[16] = {0}, even = 0;
            cr_assert(nqi_selection_make(&made_up, shard, shards[i], NULL, &s));
            for (uint64_t k = 0; k < s.count; k++) {
                const uint64_t id = nqi_selection_unit(&s, k);
                in_stretch[id / STRETCH]++;
                even += id % 2 == 0;
            }
            const double each = (double)STRETCH / shards[i];
            for (int k = 0; k < 16; k++)
                cr_expect_leq(fabs(in_stretch[k] - each), 2, "shard %d of %d", shard,
                              shards[i]);
            cr_expect_leq(fabs(even / (double)s.count - 0.5), 0.05, "shard %d of %d: %g", shard,
                          shards[i], even / (double)s.count);
            nqi_selection_free(&s);
        }
}
