/* Single units of method join, also of boards too large to count here: every matcher finds the
 * same, heartbeats are heeded, and units change only with the plan's version. */
#include "join/halves.h"

#include "answers.h"
#include "hash.h"
#include "implementations.h"
#include "jobs.h"
#include "length.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MOST = 48 };

static void expect_same(const struct solver *reference, const struct solver *job,
                        const uint64_t *id, size_t count, const struct unit_result *expected) {
    struct unit_result result[MOST];
    cr_assert_eq(job->partition->unit_count, reference->partition->unit_count);
    solve_units(job, id, count, result);
    for (size_t i = 0; i < count; i++)
        cr_expect(result[i].solutions == expected[i].solutions &&
                      result[i].work == expected[i].work &&
                      job->partition->units[id[i]].cost ==
                          reference->partition->units[id[i]].cost &&
                      job->partition->units[id[i]].weight ==
                          reference->partition->units[id[i]].weight,
                  "kernel %s, n = %d, %s, unit %" PRIu64 ": %" PRIu64 " solutions, %" PRIu64
                  " pairs; not %" PRIu64 ", %" PRIu64,
                  job->kernel, job->partition->n,
                  job->memory.tables > 0 ? "tables" : "no tables", id[i], result[i].solutions,
                  result[i].work, expected[i].solutions, expected[i].work);
}

/* The reference: the portable matcher, without tables. */
static void compare_units(int n, size_t count, double share, bool with_tables) {
    uint64_t id[MOST];
    struct unit_result expected[MOST];
    struct solver *reference = open_join(n, "scalar64", WITHOUT_TABLES, 1);
    cr_assert(count <= MOST && reference->memory.tables == 0);
    pick_units(reference, share, count, id);
    solve_units(reference, id, count, expected);
    uint64_t solutions = 0;
    for (size_t i = 0; i < count; i++)
        solutions += expected[i].solutions;
    cr_expect_gt(solutions, 0, "n = %d", n);
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;) {
        struct solver *job = open_join(n, matcher->impl.name, WITHOUT_TABLES, 1);
        cr_expect_eq(job->memory.tables, 0);
        expect_same(reference, job, id, count, expected);
        close_solver(job);
        if (!with_tables)
            continue;
        job = open_join(n, matcher->impl.name, WITH_TABLES, 2);
        cr_expect_neq(job->memory.tables, 0);
        expect_same(reference, job, id, count, expected);
        close_solver(job);
    }
    close_solver(reference);
}

/* Of larger boards fewer and cheaper units: the costliest take up to 100 times as long. */
Test(join, every_matcher_solves_the_same_units) {
    static const struct {
        size_t count;
        double share; /* of units, the cheapest, of which they are */
    } chosen[] = {{5, 1},    {12, 1},   {24, 1},  {24, 1},   {24, 0.8}, {24, 0.5},
                  {24, 0.5}, {12, 0.2}, {8, 0.1}, {6, 0.02}, {6, 0.01}}; /* n = 12, 13, ... */
    for (int i = 0; i < (int)LENGTH(chosen); i++)
        compare_units(12 + i, chosen[i].count, chosen[i].share, 12 + i <= 20);
}

Test(join, results_depend_on_the_units_id_alone) {
    struct solver *job = open_join(13, NULL, WITH_TABLES, 1);
    expect_results_by_id_alone(job);
    close_solver(job);
}

/* The costliest unit of n = 20 has several sets, each with so many pairs that the heartbeat is
 * called within it. */
Test(join, a_heartbeat_that_says_no_cancels_the_unit) {
    for (const struct matcher *matcher = NULL; (matcher = matcher_after(matcher)) != NULL;)
        for (int n = 14; n <= 20; n += n < 15 ? 1 : 5) {
            struct solver *job = open_join(n, matcher->impl.name, n == 15, 1);
            const struct partition *partition = job->partition;
            void *worker = job->call->worker_new(job);
            uint64_t costliest = 0;
            for (uint64_t id = 0; id < partition->unit_count; id++)
                if (partition->units[id].cost > partition->units[costliest].cost)
                    costliest = id;
            expect_stops(job, worker, costliest);
            for (uint64_t id = 0; id < partition->unit_count && n < 20; id += 9)
                expect_stops(job, worker, id);
            job->call->worker_free(worker);
            close_solver(job);
        }
}

/* A hash of the weights and costs of all units in order. A cost depends on the unit's sets. */
static uint64_t hash_units(const struct solver *job) {
    uint64_t sum = HASH_START;
    for (uint64_t id = 0; id < job->partition->unit_count; id++) {
        const struct unit unit = partition_unit(job->partition, id);
        cr_assert_gt(unit.cost, 0u, "n = %d, unit %" PRIu64, job->partition->n, id);
        sum = hash_number(hash_number(sum, unit.weight), unit.cost);
    }
    return sum;
}

/* A hash of the results of all units in order. */
static uint64_t hash_results(const struct solver *job) {
    uint64_t sum = HASH_START;
    struct unit_result *results = solve_all(job);
    for (uint64_t id = 0; id < job->partition->unit_count; id++)
        sum = hash_number(hash_number(sum, results[id].solutions), results[id].work);
    free(results);
    return sum;
}

/* Ledgers keep results under (plan, version, unit id), and costs decide which shard a unit
 * belongs to. A change of the units or of their costs must raise the version for that n:
 * these constants change only together with it. */
enum { SOLVED = 14 };
static const struct {
    uint64_t units, hash_units, hash_results; /* up to n = SOLVED */
} pinned[] = {
    /* n = 0, 1, ... */
    {1, UINT64_C(0x52ad3ff979cb8d3d), UINT64_C(0x581cd0fa58d99645)},
    {1, UINT64_C(0x83d59b99acb42f05), UINT64_C(0x581cd0fa58d99645)},
    {1, UINT64_C(0x52ad3ff979cb8d3d), UINT64_C(0x692558b056101a44)},
    {2, UINT64_C(0x311980049c910165), UINT64_C(0x0c8210784d8af5a5)},
    {3, UINT64_C(0xbeb48d1f85fbb532), UINT64_C(0x10b055386d1dae63)},
    {5, UINT64_C(0x0ed7aa4e4ee2261e), UINT64_C(0x7cfb6088059aa1ef)},
    {7, UINT64_C(0xeb56a76aa79d3b74), UINT64_C(0xdd05b8edf34326c4)},
    {16, UINT64_C(0xe9892dd013e16b41), UINT64_C(0x58d8480a39a97f21)},
    {23, UINT64_C(0x2180a82f27d169b1), UINT64_C(0xde6cb28c7154867e)},
    {51, UINT64_C(0xc13c1fe8ea7de572), UINT64_C(0xc1762f3c3eeab0fe)},
    {71, UINT64_C(0xafa6f0e6ceb03e6c), UINT64_C(0x4f41af348db3d098)},
    {181, UINT64_C(0xa466463c97ff96d2), UINT64_C(0xb6b3113ebf923683)},
    {8, UINT64_C(0x45f24bd3e9a37b20), UINT64_C(0x56e2ca964fd85bc7)},
    {81, UINT64_C(0x3eb1436b1264a51d), UINT64_C(0x4e690ca218f77fb7)},
    {28, UINT64_C(0x489ab330c6cfb027), UINT64_C(0x1f74683efdb22d42)},
    {302, UINT64_C(0xa14f05848d288efe), 0},
    {104, UINT64_C(0xd1fd9a1e2090d750), 0},
    {1128, UINT64_C(0x2092df814918d9f7), 0},
    {1536, UINT64_C(0x683d1c3fceb997ef), 0},
    {17113, UINT64_C(0xe3f24bc0cff8eaee), 0},
    {23254, UINT64_C(0x664cdc888ca230a9), 0},
    {65244, UINT64_C(0x6f361258bfe5978f), 0},
    {176870, UINT64_C(0x5f89d57a574d75b0), 0},
    {250212, UINT64_C(0x558b09318a6cfe13), 0},
    {677294, UINT64_C(0xa1e219f407c0c837), 0},
};

Test(join, units_change_only_with_the_version) {
    for (int n = 0; n < (int)LENGTH(pinned); n++) {
        struct solver *job = open_join(n, NULL, WITHOUT_TABLES, 1);
        cr_expect(job->partition->plan_version == nqi_halves_version(n) &&
                  job->partition->depth == 0 && job->partition->n == n);
        cr_expect_str_eq(job->partition->plan, "halves");
        uint64_t units = hash_units(job), results = n <= SOLVED ? hash_results(job) : 0;
        cr_expect(job->partition->unit_count == pinned[n].units &&
                      units == pinned[n].hash_units && results == pinned[n].hash_results,
                  "n = %d: {%" PRIu64 ", UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64
                  ")},",
                  n, job->partition->unit_count, units, results);
        close_solver(job);
    }
}
