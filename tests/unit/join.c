/* Method join: its units compared with brute force, its totals with the published ones, and its
 * options. */
#include "join/join.h"
#include "library/choose.h"
#include "library/setup.h"

#include "counts.h"
#include "halves.h"
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
