/* Method join: its units compared with brute force, its totals with the published ones, and its
 * options. Single units, also of boards too large to count here: every matcher finds the same,
 * heartbeats are heeded, and units change only with the plan's version. */
#include "join/join.h"
#include "join/halves.h"
#include "library/choose.h"
#include "library/setup.h"

#include "counts.h"
#include "halves.h"
#include "hash.h"
#include "implementations.h"
#include "jobs.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVES = 5000 };

static bool attacked_by_middle(const struct half *half, int n, int middle) {
    for (int row = 0; row < n / 2 && middle != NONE; row++)
        if (attack(row, half->column[row], n / 2, middle))
            return true;
    return false;
}

/* The halves on exactly these columns that the middle queen does not attack. */
static size_t find_halves(const struct all_halves *all, uint32_t columns, int middle,
                          const struct half **found) {
    size_t halves, count = 0;
    const struct half *half = halves_on(all, columns, &halves);
    for (size_t i = 0; i < halves; i++)
        if (!attacked_by_middle(&half[i], all->n, middle)) {
            cr_assert_lt(count, MOST_HALVES);
            found[count++] = &half[i];
        }
    return count;
}

/* Solutions and pairs for one set of the upper half's columns, by brute force. */
static struct unit_result join_naively(const struct all_halves *all, int n, uint32_t columns,
                                       uint32_t others, int middle) {
    static const struct half *upper[MOST_HALVES], *lower[MOST_HALVES];
    size_t a = find_halves(all, columns, middle, upper),
           b = find_halves(all, others, middle, lower);
    struct unit_result result = {0};
    for (size_t i = 0; i < a; i++)
        for (size_t j = 0; j < b; j++) {
            const int counts = times_counted(n, upper[i], lower[j], middle);
            result.work += counts > 0;
            if (counts > 0 && halves_fit(n, upper[i], lower[j]))
                result.solutions += (uint64_t)counts;
        }
    return result;
}

static uint32_t mirrored(uint32_t columns, int n) {
    uint32_t result = 0;
    for (int column = 0; column < n; column++)
        if ((columns >> column & 1) != 0)
            result |= UINT32_C(1) << (n - 1 - column);
    return result;
}

/* The size of the orbit of this choice of columns, if it is the first of its orbit; else 0. The
 * images are the choice mirrored, upside down (the halves' columns exchanged), and both. If the
 * middle queen is outside the middle column, only those count whose upper half has it. */
static uint64_t orbit_of_first(int n, uint32_t columns, uint32_t others, int middle) {
    int other_middle = middle == NONE ? NONE : n - 1 - middle;
    const uint64_t own = (uint64_t)(middle + 1), mirror = (uint64_t)(other_middle + 1);
    const uint32_t upper[4] = {columns, others, mirrored(columns, n), mirrored(others, n)};
    const bool outside = middle != NONE && middle != n / 2;
    uint64_t image[4], size = 0;
    for (int i = 0; i < 4; i++)
        image[i] = (uint64_t)upper[i] << 32 | (i < 2 ? own : mirror);
    for (int i = 0; i < 4; i++) {
        bool known = false;
        for (int j = 0; j < i; j++)
            known = known || image[j] == image[i];
        size += !known;
        if (image[i] < image[0] && (!outside || (upper[i] >> n / 2 & 1) != 0))
            return 0;
    }
    return !outside || (columns >> n / 2 & 1) != 0 ? size : 0;
}

/* The job's units in order. Each is made of one or more sets of columns. */
struct queue {
    const struct solver *job;
    struct unit_result *results;
    uint64_t id;
    struct unit_result missing; /* of unit id - 1, after the sets so far */
};

/* The next set must belong to the same unit as the set before or, once nothing is missing of
 * that unit, to the next one. A set without pairs may belong to any unit. */
static void take_set(struct queue *queue, const struct unit_result *set) {
    if (set->work == 0)
        return;
    while (queue->missing.work == 0) {
        cr_assert_eq(queue->missing.solutions, 0, "n = %d, unit %" PRIu64,
                     queue->job->partition->n, queue->id - 1);
        cr_assert_lt(queue->id, queue->job->partition->unit_count,
                     "n = %d: no unit has the set", queue->job->partition->n);
        queue->missing = queue->results[queue->id];
        cr_assert_eq(queue->job->partition->units[queue->id++].weight, 1);
    }
    cr_assert(set->work <= queue->missing.work && set->solutions <= queue->missing.solutions,
              "n = %d, unit %" PRIu64, queue->job->partition->n, queue->id - 1);
    queue->missing.work -= set->work;
    queue->missing.solutions -= set->solutions;
}

static uint64_t binomial(int n, int k) {
    return k == 0 ? 1 : binomial(n - 1, k - 1) * (uint64_t)n / (uint64_t)k;
}

/* Takes all sets of columns in order, each with all its middle queens. Returns how many choices
 * of columns they stand for. */
static uint64_t take_sets(struct queue *queue, const struct all_halves *all) {
    const int n = queue->job->partition->n;
    const uint32_t board = (UINT32_C(1) << n) - 1;
    uint64_t choices = 0;
    for (uint32_t columns = 0; columns <= board; columns++) {
        if (__builtin_popcount(columns) != n / 2)
            continue;
        struct unit_result set = {0};
        for (int middle = n % 2 == 0 ? NONE : 0; middle < (n % 2 == 0 ? 0 : n); middle++) {
            uint32_t taken = middle == NONE ? 0 : UINT32_C(1) << middle;
            uint32_t others = board & ~columns & ~taken;
            uint64_t orbit =
                (columns & taken) != 0 ? 0 : orbit_of_first(n, columns, others, middle);
            choices += orbit;
            if (orbit == 0)
                continue;
            struct unit_result joined = join_naively(all, n, columns, others, middle);
            set.work += joined.work;
            set.solutions += orbit * joined.solutions;
        }
        take_set(queue, &set);
    }
    return choices;
}

/* Each unit must be the sum of its sets in order; no set may be missing or occur twice. */
static void check_units(int n, bool tables) {
    struct all_halves all = all_halves(n);
    struct solver *job = open_join(n, NULL, tables, 1);
    struct queue queue = {.job = job, .results = solve_all(job)};
    cr_expect_eq(take_sets(&queue, &all),
                 n % 2 == 0 ? binomial(n, n / 2) : (uint64_t)n * binomial(n - 1, (n - 1) / 2));
    cr_expect(queue.missing.work == 0 && queue.missing.solutions == 0, "n = %d", n);
    for (; queue.id < job->partition->unit_count; queue.id++)
        cr_expect_eq(queue.results[queue.id].work, 0,
                     "n = %d: unit %" PRIu64 " has sets beyond the last", n, queue.id);
    free(queue.results);
    close_solver(job);
    free(all.half);
}

Test(join, units_are_the_orbits_in_order) {
    for (int n = 0; n <= 11; n++) {
        check_units(n, WITH_TABLES);
        check_units(n, WITHOUT_TABLES);
    }
}

static void expect_total(int n, const char *kernel, bool tables, int threads) {
    struct solver *job = open_join(n, kernel, tables, threads);
    cr_expect_str_eq(job->kernel, kernel);
    struct unit_result *results = solve_all(job);
    uint64_t sum = 0;
    for (uint64_t id = 0; id < job->partition->unit_count; id++)
        sum += partition_unit(job->partition, id).weight * results[id].solutions;
    free(results);
    cr_expect_eq(sum, published[n], "n = %d, kernel %s, tables %d: %" PRIu64, n, kernel, tables,
                 sum);
    close_solver(job);
}

Test(join, every_matcher_finds_the_totals) {
    for (const struct matcher *m = NULL; (m = matcher_after(m)) != NULL;)
        for (int n = 0; n < PUBLISHED; n++) {
            expect_total(n, m->impl.name, WITH_TABLES, 1 + n % 4);
            expect_total(n, m->impl.name, WITHOUT_TABLES, 1 + n % 3);
        }
}

Test(join, counts_have_the_totals_with_any_memory_and_number_of_threads) {
    const uint64_t memory[] = {0, 1, 1000, 1 << 20, UINT64_MAX};
    for (size_t i = 0; i < LENGTH(memory); i++)
        for (int n = 0; n < PUBLISHED - 2; n++) {
            const nq_result result =
                count_ok(n, OPTIONS(.method = "join", .plan = i % 2 == 0 ? "halves" : "auto",
                                    .memory_limit = memory[i], .threads = 1 + n % 5));
            cr_expect(result.solutions == published[n] && result.verdict == NQ_VERIFIED &&
                          result.complete && result.units_done == result.units &&
                          result.depth == 0,
                      "n = %d, memory %#" PRIx64 ": %" PRIu64, n, memory[i], result.solutions);
            cr_expect_str_eq(result.method, "join");
            cr_expect_str_eq(result.plan, "halves");
            cr_expect_str_eq(result.work_name, "pairs");
        }
    cr_expect_str_eq(count_ok(8, OPTIONS(.plan = "halves")).method, "join");
}

/* For large boards half the memory is for the workers, which share it. */
Test(join, memory_decides_on_tables_and_workers) {
    for (int n = 0; n <= NQ_MAX_N; n++) {
        const bool large = n > 17; /* workers of smaller boards are started in any case */
        const uint64_t bytes = nqi_quarters_bytes(n), half = large ? 2 : 1,
                       memory[] = {1, bytes - 1, bytes, 2 * bytes - 1, 2 * bytes, UINT64_MAX};
        cr_expect_eq(nqi_join_memory(n, &(struct memory_limits){.tables = true}).tables,
                     n <= 21 ? bytes : 0);
        for (size_t i = 0; i < LENGTH(memory); i++) {
            struct memory_limits limits = {.all = memory[i], .tables = true};
            const bool kept = n <= 21 && memory[i] / half >= bytes;
            cr_expect_eq(nqi_join_memory(n, &limits).tables, kept ? bytes : 0,
                         "n = %d, memory %" PRIu64, n, memory[i]);
            limits.tables = false;
            cr_expect_eq(nqi_join_memory(n, &limits).tables, 0);
        }
        const uint64_t worker = nqi_join_memory(n, &(struct memory_limits){0}).worker,
                       all[] = {0, worker - 1, worker, 2 * worker - 1, 4 * worker, UINT64_MAX};
        const int most[] = {0, 1, 1, 1, 4, NQ_MAX_THREADS};
        for (size_t i = 0; i < LENGTH(all); i++) {
            const struct memory_use use =
                nqi_join_memory(n, &(struct memory_limits){.all = all[i]});
            cr_expect(use.most_workers == (large ? most[i] : 0) &&
                          use.fits == (!large || i != 1),
                      "n = %d, case %zu", n, i);
        }
    }
}

static void refuse(struct job_request request, nq_status expected, const char *named) {
    struct solver *job = NULL;
    struct partition *partition;
    struct failure failure = {0};
    request.n = 14;
    request.method = "join";
    cr_expect_eq(nqi_solver_open(&request, &partition, &job, &failure), expected, "%s", named);
    cr_expect_null(job);
    cr_expect_not_null(strstr(failure.text, named), "'%s' lacks '%s'", failure.text, named);
}

Test(join, what_it_does_not_have_is_refused) {
    refuse((struct job_request){.plan = "cross"}, NQ_BAD_OPTION, "join");
    refuse((struct job_request){.plan = "halvess"}, NQ_BAD_OPTION, "halvess");
    refuse((struct job_request){.depth = 2}, NQ_BAD_OPTION, "2");
    refuse((struct job_request){.kernel = "mmx"}, NQ_NO_KERNEL, "mmx");
    for (size_t m = 0; nqi_matcher_list[m] != NULL; m++)
        if (!nqi_implementation_runs_here(nqi_matcher_list[m]))
            refuse((struct job_request){.kernel = nqi_matcher_list[m]->name}, NQ_NO_KERNEL,
                   nqi_matcher_list[m]->name);
}

/* nqi_choose_method answers as nqi_choose_settings does, which also divides the board. */
Test(join, the_method_and_its_memory_are_told) {
    const nq_options *const ways[] = {OPTIONS(),
                                      OPTIONS(.memory_limit = 1 << 20),
                                      OPTIONS(.method = "join", .memory_limit = 16 << 20),
                                      OPTIONS(.method = "join", .tables = NQ_TABLES_NONE),
                                      OPTIONS(.plan = "rows"),
                                      OPTIONS(.shard = 1, .shards = 2)};
    struct settings settings;
    struct method_choice choice;
    for (size_t i = 0; i < LENGTH(ways); i++)
        for (int n = 18; n >= 0; n -= 3) {
            expect_status(nqi_choose_method(n, ways[i], &choice), NQ_OK, "");
            expect_status(nqi_choose_settings(n, ways[i], &settings), NQ_OK, "");
            cr_expect_str_eq(choice.method, settings.method, "n = %d, way %zu", n, i);
            cr_expect_str_eq(choice.kernel, settings.kernel, "n = %d, way %zu", n, i);
            cr_expect(settings.table_bytes == choice.table_bytes &&
                          settings.thread_bytes == choice.thread_bytes &&
                          choice.table_bytes <= choice.memory_limit && choice.memory_limit > 0,
                      "n = %d, way %zu", n, i);
            cr_expect(ways[i]->tables != NQ_TABLES_NONE || settings.table_bytes == 0);
        }
    expect_status(nqi_choose_method(8, OPTIONS(.tables = 2), &choice), NQ_BAD_OPTION,
                  "tables 2");
    cr_expect_null(choice.method);
}

/* From n = 18 on the lists of many threads take much memory. Without room for one thread a
 * count is refused before it begins. */
Test(join, threads_share_the_memory) {
    struct method_choice choice;
    nq_options options = *OPTIONS(.method = "join", .threads = 4, .bind = NQ_BIND_NONE);
    expect_status(nqi_choose_method(23, &options, &choice), NQ_OK, "");
    const uint64_t each = choice.thread_bytes;
    for (int threads = 1; threads <= 6; threads++) {
        struct count_request request;
        struct setup setup;
        struct failure failure = {0};
        options.memory_limit = (uint64_t)threads * each + each / 2;
        expect_status(nqi_choose_method(23, &options, &choice), NQ_OK, "");
        cr_expect_eq(choice.most_threads, threads);
        cr_assert_eq(nqi_request_make(23, &options, &request, &failure), NQ_OK);
        cr_assert_eq(nqi_setup_make(&request, &setup, &failure), NQ_OK, "%s", failure.text);
        cr_expect_eq(setup.team.threads, threads < 4 ? threads : 4);
        nqi_setup_free(&setup);
    }
    options.memory_limit = each - 1;
    expect_refusal(23, &options, NQ_NO_MEMORY, "n = 23: method 'join' needs ");
    options.method = NULL; /* several machines must choose alike */
    options.shard = options.shards = 1;
    expect_refusal(23, &options, NQ_NO_MEMORY, "n = 23: method 'join' needs ");
}

enum { MOST = 48 };

static void expect_same_units(const struct solver *reference, const struct solver *job,
                              const uint64_t *id, size_t count,
                              const struct unit_result *expected) {
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
        expect_same_units(reference, job, id, count, expected);
        close_solver(job);
        if (!with_tables)
            continue;
        job = open_join(n, matcher->impl.name, WITH_TABLES, 2);
        cr_expect_neq(job->memory.tables, 0);
        expect_same_units(reference, job, id, count, expected);
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
