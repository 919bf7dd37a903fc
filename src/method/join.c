/* Method `join`: counts the pairs of half boards that fit (meet in the middle), instead of
 * walking to every solution.
 *
 * For each set of the plan `halves` there are two lists, of upper and of lower halves; a
 * matcher counts the pairs that fit. Sets have the weights of their orbits, so a unit has
 * weight 1.
 */
#include "method/method.h"

#include "join/matcher.h"
#include "plan/halves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct join_job {
    struct job job; /* first, so that a pointer to it is a pointer to the join_job */
    const struct matcher *matcher;
    struct half_board board;
    struct halves halves;
    bool use_tables;
    struct quarters quarters;
    nq_status prepared; /* of allocating the tables */
    bool ready;         /* the tables are made, for all runs of the job */
};

struct worker {
    struct half_list upper, lower, room;
    void *scratch;
};

uint64_t nqi_join_table_bytes(int n) {
    return nqi_quarters_count(n) > 0 ? nqi_quarters_bytes(n) : 0;
}

bool nqi_join_has_tables(int n, uint64_t table_memory) {
    return nqi_quarters_count(n) > 0 && nqi_quarters_bytes(n) <= table_memory;
}

/* Estimates the size of a worker's lists: 5 MB at n = 20, 6.8 times as much for each 2 more.
 * Measured: 5 MB at n = 20, 30 MB at 22, 0.2 GB at 24, 1.7 GB at 26 (80 bytes for each half of
 * the longest list). */
static uint64_t worker_bytes(int n) {
    return (uint64_t)(5e6 * pow(6.8, (n - 20) / 2.0));
}

static void join_close(struct job *job) {
    if (job == NULL)
        return;
    struct join_job *join = (struct join_job *)job;
    nqi_quarters_free(&join->quarters);
    nqi_halves_free(&join->halves);
    free(join->job.units);
    free(join);
}

/* Fills in the job's units. False: out of memory. */
static bool list_units(struct join_job *join) {
    struct job *job = &join->job;
    if (!nqi_halves_build(job->n, &join->halves))
        return false;
    job->units = malloc((join->halves.unit_count + 1) * sizeof *job->units);
    if (job->units == NULL)
        return false;
    job->unit_count = join->halves.unit_count;
    for (uint64_t id = 0; id < job->unit_count; id++)
        job->units[id] = (struct unit){.weight = 1, .cost = join->halves.cost[id]};
    free(join->halves.cost); /* large boards have millions of units */
    join->halves.cost = NULL;
    return true;
}

static bool join_plan_at(size_t index, nq_plan_info *info) {
    *info = (nq_plan_info){.name = nqi_halves_name};
    return index == 0;
}

static nq_status join_open(const struct job_request *request,
                           const struct implementation *kernel, struct job **job, char *detail,
                           size_t size) {
    const int n = request->n;
    if (request->plan != NULL && strcmp(request->plan, nqi_halves_name) != 0) {
        snprintf(detail, size, "plan '%.60s': expected auto or %s for method 'join'",
                 request->plan, nqi_halves_name);
        return NQ_BAD_OPTION;
    }
    if (request->depth != 0) {
        snprintf(detail, size, "depth %d: method 'join' has no depth", request->depth);
        return NQ_BAD_OPTION;
    }
    struct join_job *join = calloc(1, sizeof *join);
    if (join == NULL)
        return NQ_NO_MEMORY;
    join->matcher = (const struct matcher *)kernel;
    nqi_half_board_init(&join->board, n);
    join->use_tables = nqi_join_has_tables(n, request->table_memory);
    join->job = (struct job){.method = &nqi_method_join,
                             .n = n,
                             .plan = nqi_halves_name,
                             .kernel = kernel->name,
                             .plan_version = HALVES_VERSION,
                             .memory = join->use_tables ? nqi_quarters_bytes(n) : 0,
                             .worker_memory = worker_bytes(n)};
    if (!list_units(join)) {
        join_close(&join->job);
        return NQ_NO_MEMORY;
    }
    *job = &join->job;
    return NQ_OK;
}

static nq_status join_prepare(struct job *job, const struct heartbeat *heartbeat) {
    struct join_job *join = (struct join_job *)job;
    if (!join->use_tables || join->ready)
        return NQ_OK;
#pragma omp single
    join->prepared =
        nqi_quarters_allocate(&join->board, &join->quarters) ? NQ_OK : NQ_NO_MEMORY;
    if (join->prepared != NQ_OK)
        return join->prepared;
    nqi_quarters_fill(&join->quarters, heartbeat);
    if (join->quarters.stopped)
        return NQ_CANCELLED;
    if (join->quarters.wrong)
        return NQ_INTERNAL;
#pragma omp single /* all threads read `ready` before the first of these constructs */
    join->ready = true;
    return NQ_OK;
}

static void worker_free(void *data) {
    struct worker *worker = data;
    if (worker == NULL)
        return;
    nqi_half_list_free(&worker->upper);
    nqi_half_list_free(&worker->lower);
    nqi_half_list_free(&worker->room);
    free(worker->scratch);
    free(worker);
}

static void *worker_new(const struct job *job) {
    const struct join_job *join = (const struct join_job *)job;
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

/* Lists the halves on these columns without the excluded diagonals. False: out of memory. */
static bool list_halves(const struct join_job *join, uint32_t columns, uint64_t excluded,
                        struct half_list *list) {
    if (join->use_tables)
        return nqi_quarters_list(&join->quarters, join->matcher->combine_disjoint, columns,
                                 excluded, list);
    return nqi_half_list_search(&join->board, columns, excluded, list);
}

/* The heartbeat of a unit, for one of its sets. */
struct unit_heartbeat {
    const struct heartbeat *heartbeat;
    uint64_t work_before; /* of the unit's earlier sets */
};

static bool go_on(void *context, uint64_t work) {
    const struct unit_heartbeat *unit = context;
    return heartbeat_go_on(unit->heartbeat, unit->work_before + work);
}

/* Joins the halves of one set, and adds to the unit's result. */
static nq_status join_set(const struct join_job *join, struct worker *worker,
                          struct half_set set, const struct heartbeat *heartbeat,
                          struct unit_result *result) {
    uint64_t weight = nqi_halves_orbit(&join->halves, set), pairs = 0;
    uint64_t excluded =
        set.middle == NO_MIDDLE ? 0 : nqi_half_through(&join->board, set.middle);
    struct half_list *upper = &worker->upper, *lower = &worker->lower;
    if (!list_halves(join, nqi_halves_upper(set), excluded, upper) ||
        !list_halves(join, nqi_halves_lower(&join->halves, set), excluded, lower))
        return NQ_NO_MEMORY;
    for (size_t i = 0; i < lower->count; i++)
        lower->signature[i] = half_flip(&join->board, lower->signature[i]);
    size_t room = 4 * (upper->count + lower->count) + 4 * HALF_SLACK;
    if (!nqi_half_list_reserve(&worker->room, room))
        return NQ_NO_MEMORY;
    struct unit_heartbeat unit = {.heartbeat = heartbeat, .work_before = result->work};
    const struct heartbeat own = {.go_on = go_on, .context = &unit};
    result->work += (uint64_t)upper->count * lower->count;
    if (!join->matcher->match(upper, lower, worker->room.signature, room, worker->scratch, &own,
                              &pairs))
        return NQ_CANCELLED;
    if (__builtin_mul_overflow(weight, pairs, &pairs) ||
        __builtin_add_overflow(result->solutions, pairs, &result->solutions))
        return NQ_OVERFLOW;
    return heartbeat_go_on(heartbeat, result->work) ? NQ_OK : NQ_CANCELLED;
}

static nq_status solve(const struct job *job, void *worker, uint64_t id,
                       const struct heartbeat *heartbeat, struct unit_result *result) {
    const struct join_job *join = (const struct join_job *)job;
    struct half_set set = join->halves.first[id];
    nq_status status = NQ_OK;
    uint32_t joined = 0;
    *result = (struct unit_result){0};
    do {
        if (nqi_halves_orbit(&join->halves, set) == 0)
            continue;
        status = join_set(join, worker, set, heartbeat, result);
        joined++;
    } while (status == NQ_OK && joined < join->halves.sets_per_unit &&
             nqi_halves_next(&join->halves, &set));
    return status;
}

const struct method nqi_method_join = {.name = "join",
                                       .work = "pairs",
                                       .kernels = nqi_matcher_list,
                                       .plan_at = join_plan_at,
                                       .open = join_open,
                                       .close = join_close,
                                       .prepare = join_prepare,
                                       .worker_new = worker_new,
                                       .worker_free = worker_free,
                                       .solve = solve};
