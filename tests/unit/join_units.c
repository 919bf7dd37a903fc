/* Single units of method join, also of boards too large to count here: every matcher finds the
 * same, heartbeats are heeded, and units change only with the plan's version. */
#include "plan/halves.h"

#include "hash.h"
#include "jobs.h"
#include "matchers.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 48 };

static void expect_same(const struct job *reference, const struct job *job, const uint64_t *id,
                        size_t count, const struct unit_result *expected) {
    struct unit_result result[MOST];
    cr_assert_eq(job->unit_count, reference->unit_count);
    solve_units(job, id, count, result);
    for (size_t i = 0; i < count; i++)
        cr_expect(result[i].solutions == expected[i].solutions &&
                      result[i].work == expected[i].work &&
                      job->units[id[i]].cost == reference->units[id[i]].cost &&
                      job->units[id[i]].weight == reference->units[id[i]].weight,
                  "kernel %s, n = %d, %s, unit %" PRIu64 ": %" PRIu64 " solutions, %" PRIu64
                  " pairs; not %" PRIu64 ", %" PRIu64,
                  job->kernel, job->n, job->memory.tables > 0 ? "tables" : "no tables", id[i],
                  result[i].solutions, result[i].work, expected[i].solutions, expected[i].work);
}

/* The reference: the portable matcher, without tables. */
static void compare_units(int n, size_t count, double share, bool with_tables) {
    uint64_t id[MOST];
    struct unit_result expected[MOST];
    struct job *reference = open_join(n, "scalar64", WITHOUT_TABLES, 1);
    cr_assert(count <= MOST && reference->memory.tables == 0);
    pick_units(reference, share, count, id);
    solve_units(reference, id, count, expected);
    uint64_t solutions = 0;
    for (size_t i = 0; i < count; i++)
        solutions += expected[i].solutions;
    cr_expect_gt(solutions, 0, "n = %d", n);
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        struct job *job = open_join(n, matcher->impl.name, WITHOUT_TABLES, 1);
        cr_expect_eq(job->memory.tables, 0);
        expect_same(reference, job, id, count, expected);
        nqi_method_join.close(job);
        if (!with_tables)
            continue;
        job = open_join(n, matcher->impl.name, WITH_TABLES, 2);
        cr_expect_neq(job->memory.tables, 0);
        expect_same(reference, job, id, count, expected);
        nqi_method_join.close(job);
    }
    nqi_method_join.close(reference);
}

/* Of larger boards fewer and cheaper units: the costliest take up to 100 times as long. */
#define UNITS(n, count, percent, with_tables)                                                  \
    Test(join, every_matcher_solves_units_of_n_##n) {                                          \
        compare_units(n, count, percent / 100.0, with_tables);                                 \
    }
UNITS(12, 5, 100, true)
UNITS(13, 12, 100, true)
UNITS(14, 24, 100, true)
UNITS(15, 24, 100, true)
UNITS(16, 24, 80, true)
UNITS(17, 24, 50, true)
UNITS(18, 24, 50, true)
UNITS(19, 12, 20, true)
UNITS(20, 8, 10, true)
UNITS(21, 6, 2, false)
UNITS(22, 6, 1, false)

Test(join, results_depend_on_the_units_id_alone) {
    struct job *job = open_join(13, NULL, WITH_TABLES, 1);
    expect_results_by_id_alone(job);
    nqi_method_join.close(job);
}

/* A cancelled unit has no result, and leaves the worker fit for other units. */
static void stop_units(int n, const char *kernel, bool tables) {
    struct job *job = open_join(n, kernel, tables, 1);
    void *worker = nqi_method_join.worker_new(job);
    cr_assert_not_null(worker);
    for (uint64_t id = 0; id < job->unit_count; id += 5) {
        struct unit_result expected = solve_unit(job, worker, id), result;
        struct answers all = {.most = UINT64_MAX};
        struct heartbeat heartbeat = {.go_on = answer, .context = &all};
        cr_assert_eq(nqi_method_join.solve(job, worker, id, &heartbeat, &result), NQ_OK);
        cr_expect(result.solutions == expected.solutions && result.work == expected.work);
        cr_expect_eq(all.work, result.work, "unit %" PRIu64 ": reported %" PRIu64, id,
                     all.work);
        cr_assert_gt(all.calls, 0, "unit %" PRIu64 " does not ask", id);
        for (uint64_t at = 1; at <= all.calls; at += 1 + all.calls / 3) {
            struct answers no = {.no_at = at, .most = UINT64_MAX};
            heartbeat.context = &no;
            cr_expect_eq(nqi_method_join.solve(job, worker, id, &heartbeat, &result),
                         NQ_CANCELLED);
            cr_expect_eq(no.calls, at, "kernel %s, unit %" PRIu64 ": asked again", kernel, id);
        }
        result = solve_unit(job, worker, id);
        cr_expect(result.solutions == expected.solutions && result.work == expected.work);
    }
    nqi_method_join.worker_free(worker);
    nqi_method_join.close(job);
}

Test(join, a_heartbeat_that_says_no_cancels_the_unit) {
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        stop_units(14, matcher->impl.name, WITH_TABLES);
        stop_units(14, matcher->impl.name, WITHOUT_TABLES);
        stop_units(15, matcher->impl.name, WITH_TABLES);
    }
}

/* The unit has several sets, each with so many pairs that the heartbeat is called within it. */
Test(join, reported_work_adds_up_over_sets) {
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++) {
        struct job *job = open_join(20, matcher->impl.name, WITHOUT_TABLES, 1);
        void *worker = nqi_method_join.worker_new(job);
        cr_assert_not_null(worker);
        uint64_t costliest = 0;
        for (uint64_t id = 0; id < job->unit_count; id++)
            if (job->units[id].cost > job->units[costliest].cost)
                costliest = id;
        struct answers all = {.most = UINT64_MAX};
        const struct heartbeat heartbeat = {.go_on = answer, .context = &all};
        struct unit_result result;
        cr_assert_eq(nqi_method_join.solve(job, worker, costliest, &heartbeat, &result), NQ_OK);
        cr_expect_eq(all.work, result.work);
        cr_expect_gt(all.calls, 8, "%" PRIu64 " calls", all.calls);
        nqi_method_join.worker_free(worker);
        nqi_method_join.close(job);
    }
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* A hash of the weights and costs of all units in order. A cost depends on the unit's sets. */
static uint64_t hash_units(const struct job *job) {
    uint64_t sum = HASH_START;
    for (uint64_t id = 0; id < job->unit_count; id++) {
        double cost = job->units[id].cost;
        cr_assert(isfinite(cost) && cost > 0, "n = %d, unit %" PRIu64 ": %g", job->n, id, cost);
        sum = hash_number(hash_number(sum, job->units[id].weight), bits_of(cost));
    }
    return sum;
}

/* A hash of the results of all units in order. */
static uint64_t hash_results(const struct job *job) {
    uint64_t sum = HASH_START;
    void *worker = nqi_method_join.worker_new(job);
    cr_assert_not_null(worker);
    for (uint64_t id = 0; id < job->unit_count; id++) {
        struct unit_result result = solve_unit(job, worker, id);
        sum = hash_number(hash_number(sum, result.solutions), result.work);
    }
    nqi_method_join.worker_free(worker);
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
    {1, UINT64_C(0xcef4d16d0b0b5245), UINT64_C(0x581cd0fa58d99645)},
    {1, UINT64_C(0x3a9eebf14f2e1e3a), UINT64_C(0x581cd0fa58d99645)},
    {1, UINT64_C(0xcef4d16d0b0b5245), UINT64_C(0x692558b056101a44)},
    {2, UINT64_C(0xaaad49d04aa52d91), UINT64_C(0x0c8210784d8af5a5)},
    {3, UINT64_C(0xb7d6eace6707adf7), UINT64_C(0x10b055386d1dae63)},
    {5, UINT64_C(0xa4bb1cb71e4d0fcf), UINT64_C(0x7cfb6088059aa1ef)},
    {7, UINT64_C(0x32d0be6ed5b767c0), UINT64_C(0xdd05b8edf34326c4)},
    {16, UINT64_C(0x50fc597319c46b0f), UINT64_C(0x58d8480a39a97f21)},
    {23, UINT64_C(0x67c61f8548e0f25d), UINT64_C(0xde6cb28c7154867e)},
    {51, UINT64_C(0x8daf1eea17317e53), UINT64_C(0xc1762f3c3eeab0fe)},
    {71, UINT64_C(0x4ae7a77a55cb51cb), UINT64_C(0x4f41af348db3d098)},
    {181, UINT64_C(0x98e02cd383777716), UINT64_C(0xb6b3113ebf923683)},
    {8, UINT64_C(0x90c6a991a8d30a34), UINT64_C(0x56e2ca964fd85bc7)},
    {81, UINT64_C(0x9ad424ae21929d22), UINT64_C(0x4e690ca218f77fb7)},
    {28, UINT64_C(0x81871de8338b2c89), UINT64_C(0x1f74683efdb22d42)},
    {302, UINT64_C(0x2d35c6e0cfa58e3f), 0},
    {104, UINT64_C(0x799ca31835e63e9b), 0},
    {1128, UINT64_C(0xf91d7db1bfc66e6c), 0},
    {1536, UINT64_C(0x0c77c7c86d41475d), 0},
    {17113, UINT64_C(0xbec22e69a5a71e25), 0},
    {23254, UINT64_C(0xc50ea12383faa6c8), 0},
    {65244, UINT64_C(0x721b6a3e359fcab7), 0},
    {176870, UINT64_C(0x24184709bff4607d), 0},
    {250212, UINT64_C(0xabe9e82694c78f25), 0},
    {677294, UINT64_C(0x9231fcccce68ed60), 0},
};

Test(join, units_change_only_with_the_version) {
    for (int n = 0; n < (int)(sizeof pinned / sizeof *pinned); n++) {
        struct job *job = open_join(n, NULL, WITHOUT_TABLES, 1);
        cr_expect(job->plan_version == nqi_halves_version(n) && job->depth == 0 && job->n == n);
        cr_expect_str_eq(job->plan, "halves");
        uint64_t units = hash_units(job), results = n <= SOLVED ? hash_results(job) : 0;
        cr_expect(job->unit_count == pinned[n].units && units == pinned[n].hash_units &&
                      results == pinned[n].hash_results,
                  "n = %d: {%" PRIu64 ", UINT64_C(0x%016" PRIx64 "), UINT64_C(0x%016" PRIx64
                  ")},",
                  n, job->unit_count, units, results);
        nqi_method_join.close(job);
    }
}
