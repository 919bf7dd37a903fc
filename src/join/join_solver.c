/* Method `join`: counts the pairs of half boards that fit (meet in the middle), instead of
 * walking to every solution.
 *
 * For each set of the plan `halves` there are two lists, of upper and of lower halves; a
 * matcher counts the pairs that fit. From n = 24 on the lists are made for one subset of the
 * set's cuts after the other, and lower halves in pieces (docs/algorithm.md, "Cuts"). Sets have
 * the weights of their orbits, so a unit has weight 1.
 */
#include "join/join.h"

#include "join/cut.h"
#include "join/join_partition.h"
#include "join/matcher.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct join_solver {
    struct solver solver; /* first, so that a pointer to it is one to the join_solver */
    const struct halves *halves;
    const struct matcher *matcher;
    struct half_board board;
    struct quarters quarters; /* shared by the workers */
};

struct worker {
    struct own_quarters quarters;
    struct half_list upper, lower, chosen, room;
    size_t start[NQ_MAX_N / 2 + 1]; /* [row]: of `upper`, see nqi_quarters_list_by_row */
    void *scratch;
};

/* Estimates the size of a worker's lists. Up to n = 23: 8 MB at n = 20, 10 MB at 21, 6.8 times
 * as much for each 2 more. Measured, the resident set without the program's own 7 MB: 8 MB at
 * n = 20, 9 MB at 21, 53 MB at 22, 66 MB at 23, when odd n had one list more. Beyond that
 * the most that it took over some 200 units of a process, and a tenth more
 * (results/zen4-2-cores.md). */
static uint64_t join_worker_bytes(int n) {
    static const uint16_t megabytes[NQ_MAX_N + 1] = {[24] = 190, 245, 340, 520, 860};
    return megabytes[n] > 0 ? megabytes[n] * UINT64_C(1000000)
                            : (uint64_t)((n % 2 == 0 ? 8e6 : 10e6) * pow(6.8, n / 2 - 10));
}

/* Workers that need no more than this, up to n = 17, are started in any case: the program
 * itself takes some MB. */
static const uint64_t small_worker = UINT64_C(1) << 20;

struct memory_use nqi_join_memory(int n, const struct memory_limits *limits) {
    struct memory_use use = {.worker = join_worker_bytes(n), .fits = true};
    const uint64_t all = limits->all, tables = nqi_quarters_bytes(n);
    const bool counted = all > 0 && use.worker > small_worker;
    if (limits->tables && tables != UINT64_MAX &&
        (all == 0 || tables <= (counted ? all / 2 : all))) /* half remains for the workers */
        use.tables = tables;
    if (counted) {
        const uint64_t most = (all - use.tables) / use.worker;
        use.fits = most > 0;
        use.most_workers = most == 0 ? 1 : most < NQ_MAX_THREADS ? (int)most : NQ_MAX_THREADS;
    }
    return use;
}

static void join_solver_close(struct solver *solver) {
    struct join_solver *join = (struct join_solver *)solver;
    nqi_quarters_free(&join->quarters);
    free(join);
}

static nq_status join_prepare(struct solver *solver, const struct heartbeat *heartbeat) {
    struct join_solver *join = (struct join_solver *)solver;
    return nqi_quarters_make_all(&join->quarters, &join->matcher->listing, heartbeat);
}

static void join_worker_free(void *data) {
    struct worker *worker = data;
    if (worker == NULL)
        return;
    nqi_own_quarters_free(&worker->quarters);
    nqi_half_list_free(&worker->upper);
    nqi_half_list_free(&worker->lower);
    nqi_half_list_free(&worker->chosen);
    nqi_half_list_free(&worker->room);
    free(worker->scratch);
    free(worker);
}

static void *join_worker_new(const struct solver *solver) {
    const struct join_solver *join = (const struct join_solver *)solver;
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    const bool made = nqi_own_quarters_init(&join->board, &worker->quarters);
    worker->scratch = aligned_alloc(64, join->matcher->scratch_bytes / 64 * 64 + 64);
    if (!made || worker->scratch == NULL) {
        join_worker_free(worker);
        return NULL;
    }
    return worker;
}

/* A unit under way. */
struct joining {
    const struct join_solver *join;
    struct worker *worker;
    uint64_t weight; /* of the set under way */
    /* The upper halves under way hold, of the set's cuts, exactly the `held` ones. Lower halves
     * that hold any of these fit none of them. */
    uint64_t cuts, held;
    struct heartbeat heartbeat;      /* hears of the work of a list or a match */
    const struct heartbeat *of_unit; /* hears of the unit's work */
    struct unit_result *result;      /* of the unit, without the match under way */
};

static bool joining_may_go_on(void *context, uint64_t work) {
    const struct joining *joining = context;
    return heartbeat_go_on(joining->of_unit, work_sum(joining->result->work, work));
}

/* Halves that are listed in pieces, one after the other in the same list. */
struct pieces {
    struct half_choice choice; /* of those not listed yet */
    struct half_list *list;    /* the piece */
};

/* Starts a list, of upper or of lower halves on these columns, that hold no excluded diagonal.
 */
static struct pieces join_upper_halves(const struct joining *joining, uint32_t columns,
                                       uint64_t excluded, bool upside_down,
                                       struct half_list *list) {
    return (struct pieces){.choice = {.columns = columns,
                                      .diagonals = joining->cuts | excluded,
                                      .held = joining->held,
                                      .end = UINT32_MAX,
                                      .upside_down = upside_down},
                           .list = list};
}
static struct pieces join_lower_halves(const struct joining *joining, uint32_t columns,
                                       uint64_t excluded, bool upside_down,
                                       struct half_list *list) {
    return (struct pieces){.choice = {.columns = columns,
                                      .diagonals = joining->held | excluded,
                                      .end = UINT32_MAX,
                                      .upside_down = upside_down},
                           .list = list};
}

/* Lists the next halves, until there are `enough`. starts: as of nqi_quarters_list. */
static nq_status join_list_next(const struct joining *joining, size_t enough,
                                struct pieces *pieces, const struct key_starts *starts) {
    const struct join_solver *join = joining->join;
    uint32_t next;
    pieces->list->count = 0;
    nq_status status = nqi_quarters_list(&join->quarters, &joining->worker->quarters,
                                         &join->matcher->listing, &pieces->choice, enough,
                                         &joining->heartbeat, pieces->list, starts, &next);
    pieces->choice.least = next;
    return status;
}

/* Lists all of them. */
static nq_status join_list_all(const struct joining *joining, struct pieces pieces) {
    return join_list_next(joining, SIZE_MAX, &pieces, NULL);
}

/* Lists the next piece. *more: false, there is none. */
static nq_status join_list_piece(const struct joining *joining, struct pieces *pieces,
                                 bool *more) {
    *more = pieces->choice.least < pieces->choice.end;
    return *more ? join_list_next(joining, joining->join->halves->division.piece, pieces, NULL)
                 : NQ_OK;
}

/* Matches two lists, and adds the pairs, so many times each, to the unit's result. */
static nq_status join_match(const struct joining *joining, struct half_span a,
                            struct half_span b, uint64_t times) {
    struct worker *worker = joining->worker;
    struct unit_result *result = joining->result;
    const struct half_span t = a.count >= b.count ? a : b, u = a.count >= b.count ? b : a;
    const size_t room = matcher_room(t.count, u.count);
    nq_status status = nqi_half_list_reserve(&worker->room, room, &joining->heartbeat);
    if (status != NQ_OK)
        return status;
    uint64_t pairs = 0;
    if (u.count > 0 &&
        !joining->join->matcher->match(t, u, worker->room.signature, room, worker->scratch,
                                       &joining->heartbeat, &pairs))
        return NQ_CANCELLED;
    uint64_t work;
    if (__builtin_mul_overflow((uint64_t)t.count, u.count, &work) ||
        __builtin_add_overflow(result->work, work, &result->work) ||
        __builtin_mul_overflow(joining->weight * times, pairs, &pairs) ||
        __builtin_add_overflow(result->solutions, pairs, &result->solutions))
        return NQ_OVERFLOW;
    return heartbeat_go_on(joining->of_unit, result->work) ? NQ_OK : NQ_CANCELLED;
}

/* Joins all halves on these columns that hold no excluded diagonal. */
static nq_status join_all(const struct joining *joining, uint32_t upper, uint32_t lower,
                          uint64_t excluded) {
    struct worker *worker = joining->worker;
    struct pieces lowers = join_lower_halves(joining, lower, excluded, true, &worker->lower);
    nq_status status = join_list_all(
        joining, join_upper_halves(joining, upper, excluded, false, &worker->upper));
    for (bool more = true; more && status == NQ_OK;) {
        status = join_list_piece(joining, &lowers, &more);
        if (more && status == NQ_OK)
            status =
                join_match(joining, half_span_of(&worker->upper), half_span_of(lowers.list), 1);
    }
    return status;
}

/* Halves in four ranges, one after the other in a list: with the lesser key of the set, with a
 * key between its two keys, with the greater key, and beyond it. If both keys are equal, all
 * halves with that key are in the first range. */
enum range { LESSER, BETWEEN, GREATER, BEYOND, RANGES };
struct by_key {
    const struct half_list *list;
    size_t start[RANGES + 1];
};

/* Lists the next halves, those with the least keys first, until there are `enough`, in ranges.
 */
static nq_status join_list_by_key(const struct joining *joining, struct halves_keys keys,
                                  size_t enough, struct pieces *pieces, struct by_key *halves) {
    const uint32_t key[] = {keys.lesser + 1, keys.greater,
                            keys.greater + (keys.lesser < keys.greater)};
    const struct key_starts starts = {.count = BEYOND, .key = key, .start = halves->start + 1};
    nq_status status = join_list_next(joining, enough, pieces, &starts);
    *halves->start = 0;
    halves->start[RANGES] = pieces->list->count;
    halves->list = pieces->list;
    return status;
}

/* Returns the ranges from `first` to end - 1. */
static struct half_span by_key_ranges(const struct by_key *halves, enum range first,
                                      enum range end) {
    return (struct half_span){halves->list->signature + halves->start[first],
                              halves->start[end] - halves->start[first]};
}

/* Which ranges of upper and of lower halves are matched, and how many times a pair counts:
 * twice if its keys, the lesser one first, are greater than those of the set, once if they are
 * the same, else not at all (docs/algorithm.md, "The quarter turn"). */
static const struct meeting {
    enum range upper, upper_end, lower, lower_end;
    bool if_differ, if_equal; /* for sets whose keys differ, or are equal */
    int times;
} meetings[] = {
    {LESSER, BETWEEN, BEYOND, RANGES, true, true, 2},
    {BEYOND, RANGES, LESSER, BETWEEN, true, true, 2},
    {LESSER, BETWEEN, GREATER, BEYOND, true, false, 1},
    {GREATER, BEYOND, LESSER, BETWEEN, true, false, 1},
    {LESSER, BETWEEN, LESSER, BETWEEN, false, true, 1},
    {BETWEEN, RANGES, BETWEEN, RANGES, true, true, 2}, /* most pairs */
};

/* Even n: joins the halves of a set. */
static nq_status join_by_key(const struct joining *joining, uint32_t set) {
    const struct half_board *board = &joining->join->board;
    struct worker *worker = joining->worker;
    const struct halves_keys keys = nqi_halves_keys(&board->rows_on_left, board->n, set);
    const bool differ = keys.lesser < keys.greater;
    struct pieces uppers = join_upper_halves(joining, set, 0, false, &worker->upper),
                  lowers = join_lower_halves(joining, nqi_halves_others(board->n, set), 0, true,
                                             &worker->lower);
    struct by_key upper, lower;
    uppers.choice.least = lowers.choice.least = keys.lesser;
    nq_status status = join_list_by_key(joining, keys, SIZE_MAX, &uppers, &upper);
    for (bool more = true; more && status == NQ_OK; more = lowers.choice.least < UINT32_MAX) {
        status = join_list_by_key(joining, keys, joining->join->halves->division.piece, &lowers,
                                  &lower);
        for (size_t i = 0; i < sizeof meetings / sizeof *meetings && status == NQ_OK; i++) {
            const struct meeting *m = &meetings[i];
            if (differ ? m->if_differ : m->if_equal)
                status = join_match(joining, by_key_ranges(&upper, m->upper, m->upper_end),
                                    by_key_ranges(&lower, m->lower, m->lower_end),
                                    (uint64_t)m->times);
        }
    }
    return status;
}

/* Chooses the upper halves that have a queen of the middle column in rows 0 to end - 1 and hold
 * no excluded diagonal. */
static nq_status join_choose_rows(const struct joining *joining, int end, uint64_t excluded) {
    struct worker *worker = joining->worker;
    const size_t count = worker->start[end];
    struct half_list *chosen = &worker->chosen;
    chosen->count = 0;
    nq_status status = nqi_half_list_reserve(chosen, count, &joining->heartbeat);
    for (size_t begin = 0; begin < count && status == NQ_OK; begin += STEPS_PER_BEAT) {
        const size_t steps = count - begin < STEPS_PER_BEAT ? count - begin : STEPS_PER_BEAT;
        chosen->count += joining->join->matcher->listing.holding(
            worker->upper.signature + begin, steps, excluded, 0,
            chosen->signature + chosen->count);
        if (begin > 0 && !heartbeat_go_on(&joining->heartbeat, 0))
            status = NQ_CANCELLED;
    }
    return status;
}

/* Joins the halves for one middle queen outside the centre. Upper halves count twice if their
 * queen of the middle column is farther from the centre than the middle queen, else not at all
 * (docs/algorithm.md, "The quarter turn"): as far, the two queens attack each other. The upper
 * halves have been listed. */
static nq_status join_by_distance(const struct joining *joining, uint32_t lower, int middle) {
    const struct half_board *board = &joining->join->board;
    const int as_far = middle < board->rows ? middle : board->n - 1 - middle;
    const uint64_t excluded = nqi_half_through(board, middle);
    struct half_list *chosen = &joining->worker->chosen;
    struct pieces lowers =
        join_lower_halves(joining, lower, excluded, false, &joining->worker->lower);
    nq_status status = NQ_OK;
    for (bool more = true; more && status == NQ_OK;) {
        status = join_list_piece(joining, &lowers, &more);
        if (!more || status != NQ_OK)
            return status;
        status = join_choose_rows(joining, as_far, excluded);
        if (status == NQ_OK)
            status = join_match(joining, half_span_of(chosen), half_span_of(lowers.list), 2);
    }
    return status;
}

/* Odd n: joins the halves of a set that has the middle column for all its middle queens. */
static nq_status join_by_distances(const struct joining *joining, uint32_t set) {
    const struct half_board *board = &joining->join->board;
    struct worker *worker = joining->worker;
    const uint32_t others = nqi_halves_others(board->n, set);
    const struct pieces uppers = join_upper_halves(joining, set, 0, true, &worker->upper);
    worker->upper.count = 0;
    nq_status status = nqi_quarters_list_by_row(
        &joining->join->quarters, &worker->quarters, &joining->join->matcher->listing,
        &uppers.choice, &joining->heartbeat, &worker->upper, worker->start);
    for (uint32_t middles = nqi_halves_middles(board->n, set); middles != 0 && status == NQ_OK;
         middles &= middles - 1)
        status =
            join_by_distance(joining, others ^ (middles & -middles), __builtin_ctz(middles));
    return status;
}

/* Joins the halves of one set and of one part of it: one subset of its other cuts after the
 * other. */
static nq_status join_part(struct joining *joining, uint32_t set, uint32_t part) {
    const struct half_board *board = &joining->join->board;
    const struct halves_division *division = &joining->join->halves->division;
    const uint32_t centre = nqi_halves_centre(board->n);
    const bool has_centre = (set & centre) != 0;
    const uint64_t through_centre =
        centre == 0 || has_centre ? 0 : nqi_half_through(board, board->rows);
    uint64_t cuts[MAX_CUTS] = {0};
    nq_status status = NQ_OK;
    if (division->cuts > 0)
        nqi_half_cuts(board, set, through_centre, has_centre, division->cuts, cuts);
    for (uint32_t held = part; held < UINT32_C(1) << division->cuts && status == NQ_OK;
         held += UINT32_C(1) << division->cuts_of_part) {
        joining->cuts = joining->held = 0;
        for (int i = 0; i < division->cuts; i++) {
            joining->cuts |= cuts[i];
            joining->held |= (held >> i & 1) != 0 ? cuts[i] : 0;
        }
        if (centre == 0)
            status = join_by_key(joining, set);
        else if (has_centre)
            status = join_by_distances(joining, set);
        else
            status = join_all(joining, set, nqi_halves_others(board->n, set) ^ centre,
                              through_centre);
    }
    return status;
}

/* Each list keeps the room of the largest unit so far, which need not be the same unit. Gives
 * it back if all of them take more than the worker is reckoned with. */
static void join_worker_shrink(int n, struct worker *worker) {
    struct half_list *lists[] = {&worker->upper, &worker->lower, &worker->chosen,
                                 &worker->room};
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        bytes += lists[i]->room * sizeof *lists[i]->signature;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && bytes > join_worker_bytes(n); i++)
        nqi_half_list_free(lists[i]);
}

static nq_status join_solve(const struct solver *solver, void *worker, uint64_t id,
                            const struct heartbeat *heartbeat, struct unit_result *result) {
    const struct join_solver *join = (const struct join_solver *)solver;
    struct joining joining = {
        .join = join, .worker = worker, .of_unit = heartbeat, .result = result};
    struct halves_unit unit = nqi_halves_unit(join->halves, id);
    uint32_t joined = 0;
    nq_status status = NQ_OK;
    joining.heartbeat = (struct heartbeat){.go_on = joining_may_go_on, .context = &joining};
    *result = (struct unit_result){0};
    do {
        joining.weight = nqi_halves_weight(solver->partition->n, unit.set);
        if (joining.weight == 0)
            continue;
        status = join_part(&joining, unit.set, unit.part);
        joined++;
    } while (status == NQ_OK && joined < unit.sets &&
             nqi_halves_next(solver->partition->n, &unit.set));
    join_worker_shrink(solver->partition->n, worker);
    return status;
}

static const struct solver_calls join_calls = {.close = join_solver_close,
                                               .prepare = join_prepare,
                                               .worker_new = join_worker_new,
                                               .worker_free = join_worker_free,
                                               .solve = join_solve};

static struct solver *join_solver_new(const struct partition *partition,
                                      const struct implementation *kernel,
                                      const struct memory_limits *memory) {
    struct join_solver *join = calloc(1, sizeof *join);
    if (join == NULL)
        return NULL;
    join->solver = (struct solver){.call = &join_calls,
                                   .partition = partition,
                                   .kernel = kernel->name,
                                   .memory = nqi_join_memory(partition->n, memory)};
    join->halves = &((const struct join_partition *)partition)->halves;
    join->matcher = (const struct matcher *)kernel;
    nqi_half_board_init(&join->board, partition->n);
    if (nqi_quarters_init(&join->board, join->solver.memory.tables > 0, &join->quarters))
        return &join->solver;
    join_solver_close(&join->solver);
    return NULL;
}

static bool join_plan_at(size_t index, struct plan_info *info) {
    *info = (struct plan_info){.name = nqi_halves_name};
    return index == 0;
}

const struct method nqi_method_join = {.name = "join",
                                       .work = "pairs",
                                       .kernels = nqi_matcher_list,
                                       .plan_at = join_plan_at,
                                       .partition = nqi_join_partition,
                                       .solver = join_solver_new};
