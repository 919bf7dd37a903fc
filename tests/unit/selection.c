/* Shards and the order of units: every unit goes to one shard, and no shard gets much more work
 * than another. */
#include "run/selection.h"

#include "jobs.h"
#include "made_up.h"
#include "plan/plan.h"

#include <criterion/criterion.h>
#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The costliest unit must come first, and units of equal cost by id. The cost must be the sum
 * of the units listed. */
static void expect_order(const struct job *job, const struct selection *s) {
    double cost = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        uint64_t id = nqi_selection_unit(s, i);
        cr_assert_lt(id, job->unit_count);
        cost += job->units[id].cost;
        if (i == 0)
            continue;
        double before = job->units[nqi_selection_unit(s, i - 1)].cost;
        cr_assert(before > job->units[id].cost ||
                      (before == job->units[id].cost && nqi_selection_unit(s, i - 1) < id),
                  "n = %d, plan %s: place %" PRIu64, job->n, job->plan, i);
    }
    cr_assert_float_eq(s->cost, cost, 1e-9 * cost);
}

static double costliest(const struct job *job) {
    double most = 0;
    for (uint64_t id = 0; id < job->unit_count; id++)
        most = fmax(most, job->units[id].cost);
    return most;
}

static void expect_partition(const struct job *job, int shards) {
    unsigned char *taken = calloc(job->unit_count + 1, 1);
    cr_assert_not_null(taken);
    uint64_t units = 0, least_units = UINT64_MAX, most_units = 0;
    double least = INFINITY, most = 0;
    for (int shard = 1; shard <= shards; shard++) {
        struct selection s;
        cr_assert(nqi_selection_make(job, shard, shards, NULL, &s));
        cr_assert(s.all_count == s.count && s.all_cost == s.cost);
        expect_order(job, &s);
        for (uint64_t i = 0; i < s.count; i++)
            cr_assert_eq(taken[nqi_selection_unit(&s, i)]++, 0,
                         "n = %d, plan %s, %d shards: unit %" PRIu64, job->n, job->plan, shards,
                         nqi_selection_unit(&s, i));
        units += s.count;
        least = fmin(least, s.cost);
        most = fmax(most, s.cost);
        least_units = s.count < least_units ? s.count : least_units;
        most_units = s.count > most_units ? s.count : most_units;
        nqi_selection_free(&s);
    }
    cr_expect_eq(units, job->unit_count, "n = %d, plan %s, %d shards: %" PRIu64 " units",
                 job->n, job->plan, shards, units);
    cr_expect_leq(most - least, costliest(job) * (1 + 1e-9), "n = %d, plan %s, %d shards: %g",
                  job->n, job->plan, shards, most - least);
    cr_expect_leq(most_units - least_units, 1, "n = %d, plan %s, %d shards", job->n, job->plan,
                  shards);
    free(taken);
}

static void partition(int n, const char *plan, int depth, int most_shards) {
    const int shards[] = {1, 2, 3, 7, 64, 4096};
    struct job *job = open_search(n, plan, depth, "scalar64");
    for (size_t i = 0; i < sizeof shards / sizeof *shards && shards[i] <= most_shards; i++)
        expect_partition(job, shards[i]);
    if (job->unit_count < (uint64_t)most_shards)
        expect_partition(job, (int)job->unit_count + 1);
    nqi_method_search.close(job);
}

Test(selection, shards_of_every_plan_are_even_and_disjoint) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 12; n++)
                partition(n, plan->name, depth, 4096);
    }
}

Test(selection, shards_of_plan_cross_are_even_and_disjoint) {
    for (int n = 13; n <= 16; n++)
        partition(n, "cross", 0, 4096);
    partition(17, "cross", 0, 64);
    partition(18, "cross", 0, 64);
    partition(19, "cross", 0, 64);
    partition(20, "cross", 0, 64);
    partition(21, "cross", 0, 7);
    partition(22, "cross", 0, 7);
    partition(24, "cross", 0, 3);
}

Test(selection, shards_of_plan_rows_are_even_and_disjoint) {
    for (int n = 13; n <= NQ_MAX_N; n++)
        partition(n, "rows", n % 2 == 0 ? 2 : 3, 64);
}

/* With a unit or two for each shard. */
Test(selection, many_shards_are_even_and_disjoint) {
    struct job *job = open_search(20, "cross", 0, "scalar64");
    cr_assert_geq(job->unit_count, UINT64_C(4096));
    expect_partition(job, 4096);
    nqi_method_search.close(job);
}

/* Each unit is a shard of its own, the costliest first, and the other shards are empty. */
Test(selection, the_most_shards_have_a_unit_or_none) {
    struct job *job = open_search(13, "cross", 0, "scalar64");
    struct selection all, s;
    cr_assert(nqi_selection_make(job, 0, 0, NULL, &all));
    cr_assert_lt(job->unit_count, (uint64_t)NQ_MAX_SHARDS);
    for (uint64_t shard = 1; shard <= NQ_MAX_SHARDS;
         shard += shard <= job->unit_count + 2 ? 1 : 99991) {
        cr_assert(nqi_selection_make(job, (int)shard, NQ_MAX_SHARDS, NULL, &s));
        cr_expect_eq(s.count, shard <= job->unit_count, "shard %" PRIu64, shard);
        if (s.count > 0)
            cr_expect_eq(nqi_selection_unit(&s, 0), nqi_selection_unit(&all, shard - 1),
                         "shard %" PRIu64, shard);
        nqi_selection_free(&s);
    }
    cr_assert(nqi_selection_make(job, NQ_MAX_SHARDS, NQ_MAX_SHARDS, NULL, &s));
    cr_expect(s.count == 0 && s.all_count == 0 && s.cost == 0);
    nqi_selection_free(&s);
    nqi_selection_free(&all);
    nqi_method_search.close(job);
}

/* The costs differ by more than those of any plan. */
Test(selection, shards_of_very_unequal_units_are_even_and_disjoint) {
    enum { UNITS = 1000 };
    static struct unit units[UNITS];
    for (int kind = 0; kind < 3; kind++) {
        for (int id = 0; id < UNITS; id++)
            units[id].cost = kind == 0   ? ldexp(1, id % 50)
                             : kind == 1 ? 1 + id * 7919 % UNITS
                                         : (id == 700 ? 1e6 : 1);
        const struct job job = {.plan = "made up", .unit_count = UNITS, .units = units};
        const int shards[] = {1, 2, 3, 5, 64, 999, 1001};
        for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
            expect_partition(&job, shards[i]);
    }
}

/* A shard that gets more in one deal gets less in the next, so if costs fall evenly, all shards
 * get the same. */
Test(selection, units_are_dealt_back_and_forth) {
    struct unit units[12];
    for (int id = 0; id < 12; id++)
        units[id] = (struct unit){.weight = 1, .cost = 12 - id};
    const struct job job = {.plan = "made up", .unit_count = 12, .units = units};
    for (int shards = 1; shards <= 6; shards++)
        for (int shard = 1; shard <= shards && shards != 4 && shards != 5; shard++) {
            struct selection s;
            cr_assert(nqi_selection_make(&job, shard, shards, NULL, &s));
            cr_expect_eq(s.count, 12u / (unsigned)shards);
            cr_expect_eq(nqi_selection_unit(&s, 0), (uint64_t)shard - 1);
            cr_expect(s.cost == 78.0 / shards, "shard %d of %d: %g", shard, shards, s.cost);
            nqi_selection_free(&s);
        }
}

Test(selection, shards_0_of_0_and_1_of_1_are_all_units) {
    for (int n = 0; n <= 20; n++) {
        struct job *job = open_search(n, "cross", 0, "scalar64");
        for (int shards = 0; shards <= 1; shards++) {
            struct selection s;
            cr_assert(nqi_selection_make(job, shards, shards, NULL, &s));
            cr_expect(s.count == job->unit_count && s.all_count == job->unit_count, "n = %d",
                      n);
            expect_order(job, &s);
            nqi_selection_free(&s);
        }
        nqi_method_search.close(job);
    }
}

/* all_count and all_cost include them, and units do not change shards because of them. */
Test(selection, recorded_units_are_left_out) {
    struct job *job = open_search(18, "cross", 0, "scalar64");
    uint64_t *recorded = calloc(job->unit_count / 64 + 1, sizeof *recorded);
    cr_assert_not_null(recorded);
    for (uint64_t id = 0; id < job->unit_count; id++)
        if (id * id % 7 < 3)
            recorded[id / 64] |= UINT64_C(1) << (id % 64);
    for (int shards = 0; shards <= 5; shards++)
        for (int shard = shards > 0; shard <= shards; shard++) {
            struct selection all, left;
            cr_assert(nqi_selection_make(job, shard, shards, NULL, &all));
            cr_assert(nqi_selection_make(job, shard, shards, recorded, &left));
            expect_order(job, &left);
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
    nqi_method_search.close(job);
}

Test(selection, nothing_is_selected_once_all_is_recorded) {
    struct job *job = open_search(12, "cross", 0, "scalar64");
    const uint64_t all[] = {UINT64_MAX};
    cr_assert_leq(job->unit_count, 64u);
    struct selection s;
    cr_assert(nqi_selection_make(job, 0, 0, all, &s));
    cr_expect(s.count == 0 && s.cost == 0 && s.all_count == job->unit_count && s.all_cost > 0);
    nqi_selection_free(&s);
    nqi_method_search.close(job);
}

Test(selection, costs_are_positive_numbers) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const struct plan *plan = nqi_plan_at(p);
        for (int depth = plan->min_depth; depth <= plan->max_depth; depth++)
            for (int n = 0; n <= 22; n++) {
                struct job *job = open_search(n, plan->name, depth, "scalar64");
                for (uint64_t id = 0; id < job->unit_count; id++)
                    cr_assert(isfinite(job->units[id].cost) && job->units[id].cost > 0,
                              "n = %d, plan %s, unit %" PRIu64 ": %g", n, job->plan, id,
                              job->units[id].cost);
                nqi_method_search.close(job);
            }
    }
}

/* Costs decide which shard a unit belongs to, so machines that share a count must agree on them
 * to the last bit. A change of costs raises the plan's version and comes with new hashes. */
Test(selection, costs_are_the_same_on_every_machine) {
    static const struct {
        int n;
        uint64_t hash; /* XXH64 of the units' costs, as a little-endian machine stores them */
    } pinned[] = {
        {8, UINT64_C(0xf2389bbb7d6ea323)},  {9, UINT64_C(0xc298a8be38c5e328)},
        {10, UINT64_C(0xd0f1f85d46b396fe)}, {12, UINT64_C(0x91d4944fe1a43b5a)},
        {13, UINT64_C(0x914ee6cc7683cf65)}, {15, UINT64_C(0xb25ce92ca4ac68fa)},
        {16, UINT64_C(0x9394eb809cec5229)}, {18, UINT64_C(0xb43f8b3c5660798d)},
        {19, UINT64_C(0xb8391b1c9483e464)}, {20, UINT64_C(0x5f6a5919d8358f61)},
        {21, UINT64_C(0x5d322f93bf11f14c)}, {22, UINT64_C(0xa51d1bec0501bef0)},
        {24, UINT64_C(0x7924c971043f202d)}, {25, UINT64_C(0xe485caaaa760781e)},
        {28, UINT64_C(0xe69ecd66ce16ec3a)},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        struct job *job = open_search(pinned[i].n, "cross", 0, "scalar64");
        uint64_t *cost = malloc((job->unit_count + 1) * sizeof *cost);
        cr_assert_not_null(cost);
        for (uint64_t id = 0; id < job->unit_count; id++) {
            memcpy(&cost[id], &job->units[id].cost, sizeof *cost);
            cost[id] = htole64(cost[id]);
        }
        uint64_t hash = XXH64(cost, job->unit_count * sizeof *cost, 0);
        cr_expect_eq(hash, pinned[i].hash, "n = %d: 0x%016" PRIx64, pinned[i].n, hash);
        free(cost);
        nqi_method_search.close(job);
    }
}

/* A made-up job of units that are not listed. */
static struct job unlisted(uint64_t units) {
    return (struct job){.plan = "made up", .unit_count = units};
}

/* Every unit must be in one shard, unless it is recorded, and all shards alike. */
static void expect_unlisted_partition(uint64_t units, int shards, const uint64_t *recorded) {
    const struct job job = unlisted(units);
    unsigned char *taken = calloc(units + 1, 1);
    cr_assert_not_null(taken);
    uint64_t all = 0, least = UINT64_MAX, most = 0;
    for (int shard = 1; shard <= shards; shard++) {
        struct selection s;
        cr_assert(nqi_selection_make(&job, shard, shards, recorded, &s));
        cr_assert(s.cost == (double)s.count && s.all_cost == (double)s.all_count);
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
    const struct job job = unlisted(UNITS);
    const int shards[] = {2, 16, 1000, 1024, 4096};
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++)
        for (int shard = 1; shard <= shards[i]; shard += 1 + shards[i] / 5) {
            struct selection s;
            double in_stretch[16] = {0}, even = 0;
            cr_assert(nqi_selection_make(&job, shard, shards[i], NULL, &s));
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
