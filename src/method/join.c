/* Method `join`: the number of pairs of half boards that fit, instead of a walk to every
 * solution.
 *
 * Even n: the upper half takes some set of columns, the lower half the others; each set gives a
 * product of two lists of halves, of which the matcher counts the pairs that fit. Odd n: the
 * middle row's queen comes first, and the halves share the other columns. Sets that are mirror
 * images or complements of each other have equally many pairs: one of each orbit is joined, and
 * counts as often as the orbit has sets. docs/algorithm.md has the proof.
 *
 * A unit is one or several sets that follow each other in rising order; its solutions are
 * weighted by orbits already.
 */
#include "method/method.h"

#include "board/cost.h"
#include "board/name.h"
#include "join/matcher.h"
#include "threads/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A unit's first set. Sets are of places: the columns without the middle queen's. */
struct start {
    uint32_t set;
    uint8_t middle; /* column of the middle queen; NO_MIDDLE: even n */
};
enum { NO_MIDDLE = 255 };

struct join {
    struct job job; /* first: a job of this method is a join */
    const struct matcher *matcher;
    struct half_board board;
    int places; /* columns without the middle queen's */
    uint32_t together;
    struct start *start; /* [unit] */
    bool use_tables;
    struct quarters quarters;
    nq_status prepared;
    bool ready; /* the tables are made: several runs of a job share them */
};

struct worker {
    struct half_list upper, lower, room;
    void *scratch;
};

/* Orbits that make a unit, by n: so many that a unit takes hundreds of times as long as to
 * record it, and that there are a few million units at most. Changing this needs another
 * version. */
static const uint8_t together[NQ_MAX_N + 1] = {
    [12] = 32, [13] = 64, [14] = 32, [15] = 64, [16] = 32, [17] = 64, [18] = 8, [19] = 16,
    [20] = 2,  [21] = 16, [23] = 16, [25] = 16, [26] = 2,  [27] = 32, [28] = 8,
};
enum { VERSION = 1 };

/* What results are kept under, in the place of a plan. */
static const char PLAN[] = "halves";

static uint32_t all_places(const struct join *join) {
    return (UINT32_C(1) << join->places) - 1;
}

static uint32_t mirrored(uint32_t set, int places) {
    uint32_t result = 0;
    for (int i = 0; i < places; i++)
        result |= (set >> i & 1) << (places - 1 - i);
    return result;
}

/* How many boards' sets this one stands for; 0: another set stands for it. Complements always
 * do, mirror images where the middle queen does not tell left from right; where it does, this
 * half of its columns stands for the other. */
static uint64_t orbit_size(const struct join *join, uint32_t set, uint8_t middle) {
    uint32_t others = all_places(join) & ~set;
    if (others < set)
        return 0;
    uint64_t size = others == set ? 1 : 2;
    if (middle != NO_MIDDLE && 2 * middle != join->job.n - 1)
        return 2 * size;
    uint32_t mirror = mirrored(set, join->places);
    uint32_t mirror_others = all_places(join) & ~mirror;
    if (mirror < set || mirror_others < set)
        return 0;
    return mirror == set || mirror_others == set ? size : 2 * size;
}

/* The next set of as many places, in rising order; 0: that was the last. */
static uint32_t next_set(const struct join *join, uint32_t set) {
    if (set == 0)
        return 0;
    uint32_t lowest = set & -set, next = set + lowest;
    next |= ((set ^ next) >> 2) / lowest;
    return next > all_places(join) ? 0 : next;
}

static uint32_t first_set(const struct join *join) {
    return (UINT32_C(1) << join->board.rows) - 1;
}

/* The columns of a set of places. */
static uint32_t columns_of(uint32_t set, uint8_t middle) {
    if (middle == NO_MIDDLE)
        return set;
    uint32_t below = (UINT32_C(1) << middle) - 1;
    return (set & below) | (set & ~below) << 1;
}

/* Expected cost of a set: the more columns lie close to each other, in it and in the others,
 * the fewer halves there are. With d columns between them, each pair takes away a factor of
 * 2^(7.4 / n (1 - 2 d / n)): fitted to times of n = 16 to 20 (docs/performance.md). */
static double cost_of(const struct join *join, uint32_t set, uint8_t middle) {
    const int n = join->job.n;
    uint32_t columns = columns_of(set, middle),
             others = columns_of(all_places(join) & ~set, middle);
    int32_t log_cost = 40 << 16;
    for (int distance = 1; 2 * distance < n; distance++) {
        int pairs = __builtin_popcount(columns & columns >> distance) +
                    __builtin_popcount(others & others >> distance);
        log_cost -= pairs * (484966 * (n - 2 * distance) / (n * n));
    }
    return cost_power_of_2(log_cost);
}

static void join_close(struct job *job) {
    if (job == NULL)
        return;
    struct join *join = (struct join *)job;
    quarters_free(&join->quarters);
    free(join->start);
    free(join->job.units);
    free(join);
}

/* Adds a unit that starts with this set. False: out of memory. Doubles at powers of two. */
static bool add_unit(struct join *join, uint32_t set, uint8_t middle) {
    uint64_t count = join->job.unit_count;
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;
        struct unit *units = realloc(join->job.units, room * sizeof *units);
        join->job.units = units != NULL ? units : join->job.units;
        struct start *start = realloc(join->start, room * sizeof *start);
        join->start = start != NULL ? start : join->start;
        if (units == NULL || start == NULL)
            return false;
    }
    join->job.units[count] = (struct unit){.weight = 1};
    join->start[count] = (struct start){.set = set, .middle = middle};
    join->job.unit_count++;
    return true;
}

/* Cuts the sets with that middle queen into units. */
static bool list_sets(struct join *join, uint8_t middle) {
    uint32_t in_unit = join->together; /* the last one is full */
    uint32_t set = first_set(join);
    do {
        if (orbit_size(join, set, middle) == 0)
            continue;
        if (in_unit == join->together) {
            if (!add_unit(join, set, middle))
                return false;
            in_unit = 0;
        }
        in_unit++;
        join->job.units[join->job.unit_count - 1].cost += cost_of(join, set, middle);
    } while ((set = next_set(join, set)) != 0);
    return true;
}

static bool list_units(struct join *join) {
    if (join->job.n % 2 == 0)
        return list_sets(join, NO_MIDDLE);
    for (uint8_t middle = 0; 2 * middle < join->job.n; middle++)
        if (!list_sets(join, middle))
            return false;
    return true;
}

bool join_has_tables(int n, const nq_options *options) {
    uint64_t limit = options->memory != 0 ? options->memory : memory_allowed("") / 2;
    return quarters_count(n) > 0 && quarters_bytes(n) <= limit;
}

/* Of a worker's lists, about: measured 5 MB at n = 20, 30 MB at 22, 0.2 GB at 24, 1.7 GB at 26
 * (80 bytes for each half of the longest one). */
static uint64_t worker_bytes(int n) {
    return (uint64_t)(5e6 * pow(6.8, (n - 20) / 2.0));
}

static nq_status join_open(int n, const nq_options *options, struct job **job, char *detail,
                           size_t size) {
    if (!name_is_open(options->plan) && strcmp(options->plan, PLAN) != 0) {
        snprintf(detail, size, "plan '%.60s': method 'join' takes none", options->plan);
        return NQ_BAD_OPTION;
    }
    if (options->depth != 0) {
        snprintf(detail, size, "depth %d: method 'join' takes none", options->depth);
        return NQ_BAD_OPTION;
    }
    const struct matcher *matcher;
    nq_status status = matcher_choose(options->kernel, &matcher, detail, size);
    if (status != NQ_OK)
        return status;
    struct join *join = calloc(1, sizeof *join);
    if (join == NULL)
        return NQ_NO_MEMORY;
    join->job = (struct job){.method = &method_join,
                             .n = n,
                             .plan = PLAN,
                             .kernel = matcher->name,
                             .plan_version = VERSION};
    join->matcher = matcher;
    half_board_init(&join->board, n);
    join->places = n - n % 2;
    join->together = together[n] != 0 ? together[n] : 1;
    join->use_tables = join_has_tables(n, options);
    join->job.memory = join->use_tables ? quarters_bytes(n) : 0;
    join->job.worker_memory = worker_bytes(n);
    if (!list_units(join)) {
        join_close(&join->job);
        return NQ_NO_MEMORY;
    }
    *job = &join->job;
    return NQ_OK;
}

static nq_status join_prepare(struct job *job, const struct pulse *pulse) {
    struct join *join = (struct join *)job;
    if (!join->use_tables || join->ready)
        return NQ_OK;
#pragma omp single
    join->prepared = quarters_allocate(&join->board, &join->quarters) ? NQ_OK : NQ_NO_MEMORY;
    if (join->prepared != NQ_OK)
        return join->prepared;
    quarters_fill(&join->quarters, pulse);
    if (join->quarters.stopped)
        return NQ_CANCELLED;
    if (join->quarters.wrong)
        return NQ_LOST_UNIT;
#pragma omp single /* since the first of these, all have seen that it was not */
    join->ready = true;
    return NQ_OK;
}

static void worker_free(void *data) {
    struct worker *worker = data;
    if (worker == NULL)
        return;
    half_list_free(&worker->upper);
    half_list_free(&worker->lower);
    half_list_free(&worker->room);
    free(worker->scratch);
    free(worker);
}

static void *worker_new(const struct job *job) {
    const struct join *join = (const struct join *)job;
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->scratch = aligned_alloc(64, join->matcher->scratch_bytes / 64 * 64 + 64);
    if (worker->scratch == NULL) {
        worker_free(worker);
        return NULL;
    }
    return worker;
}

static bool list_halves(const struct join *join, uint32_t columns, uint64_t excluded,
                        struct half_list *list) {
    if (join->use_tables)
        return quarters_list(&join->quarters, join->matcher->fit, columns, excluded, list);
    return half_list_search(&join->board, columns, excluded, list);
}

/* A set's matching is a part of the unit's work. */
struct progress {
    const struct pulse *pulse;
    uint64_t before;
};

static bool go_on(void *context, uint64_t work) {
    const struct progress *progress = context;
    return pulse_go_on(progress->pulse, progress->before + work);
}

/* Joins the halves of one set; adds to the result. */
static nq_status join_set(const struct join *join, struct worker *worker, uint32_t set,
                          uint8_t middle, const struct pulse *pulse,
                          struct unit_result *result) {
    uint64_t weight = orbit_size(join, set, middle), pairs = 0;
    uint64_t excluded = middle == NO_MIDDLE ? 0 : half_through(&join->board, middle);
    struct half_list *upper = &worker->upper, *lower = &worker->lower;
    uint32_t others = all_places(join) & ~set;
    if (!list_halves(join, columns_of(set, middle), excluded, upper) ||
        !list_halves(join, columns_of(others, middle), excluded, lower))
        return NQ_NO_MEMORY;
    for (size_t i = 0; i < lower->count; i++)
        lower->signature[i] = half_flip(&join->board, lower->signature[i]);
    size_t room = 4 * (upper->count + lower->count) + 4 * HALF_SLACK;
    if (!half_list_reserve(&worker->room, room))
        return NQ_NO_MEMORY;
    struct progress progress = {.pulse = pulse, .before = result->work};
    const struct pulse own = {.go_on = go_on, .context = &progress};
    result->work += (uint64_t)upper->count * lower->count;
    if (!join->matcher->match(upper, lower, worker->room.signature, room, worker->scratch, &own,
                              &pairs))
        return NQ_CANCELLED;
    if (__builtin_mul_overflow(weight, pairs, &pairs) ||
        __builtin_add_overflow(result->solutions, pairs, &result->solutions))
        return NQ_OVERFLOW;
    return pulse_go_on(pulse, result->work) ? NQ_OK : NQ_CANCELLED;
}

static nq_status solve(const struct job *job, void *data, uint64_t id,
                       const struct pulse *pulse, struct unit_result *result) {
    const struct join *join = (const struct join *)job;
    const struct start *start = &join->start[id];
    *result = (struct unit_result){0};
    nq_status status = NQ_OK;
    uint32_t set = start->set, orbits = 0;
    do {
        if (orbit_size(join, set, start->middle) == 0)
            continue;
        status = join_set(join, data, set, start->middle, pulse, result);
        orbits++;
    } while (status == NQ_OK && orbits < join->together && (set = next_set(join, set)) != 0);
    return status;
}

const struct method method_join = {.name = "join",
                                   .work = "pairs",
                                   .kernel_at = matcher_info,
                                   .open = join_open,
                                   .close = join_close,
                                   .prepare = join_prepare,
                                   .worker_new = worker_new,
                                   .worker_free = worker_free,
                                   .solve = solve};
