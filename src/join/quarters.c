/* The quarters that halves need: found, kept for all threads, turned, filtered. */
#include "join/quarter_maker.h"

#include <stdlib.h>
#include <string.h>

/* [n]: placements of any number of non-attacking queens on a left quarter, h x h for n = 2h and
 * h x (h + 1) for n = 2h + 1. 0: too many to keep. */
static const uint32_t counts[NQ_MAX_N + 1] = {
    1,    1,    2,    3,     5,     9,      18,     37,     87,      185,     462,
    1039, 2635, 6335, 16870, 42807, 118969, 316395, 915442, 2524999, 7535369, 21637115,
};

/* The columns of no quarter. */
static const uint32_t NO_COLUMNS = UINT32_MAX;

static uint64_t binomial(int n, int k) {
    uint64_t choices = 1;
    for (int i = 1; i <= k; i++)
        choices = choices * (uint64_t)(n + 1 - i) / (uint64_t)i;
    return choices;
}

uint64_t nqi_quarters_bytes(int n) {
    const int h = n / 2;
    const uint64_t sets =
        (UINT64_C(1) << side_width(n, LEFT)) + (UINT64_C(1) << side_width(n, RIGHT));
    if (counts[n] == 0)
        return UINT64_MAX;
    /* k of h columns and k of h rows, summed over k, can be chosen in binomial(2h, h) ways
     * (Vandermonde); h rows for the middle column's queen, and k + 1 rows. */
    uint64_t stretches = 2 * binomial(2 * h, h);
    if (n % 2 == 1)
        stretches += (uint64_t)h * (h == 0 ? 0 : binomial(2 * h, h - 1));
    return sets * (sizeof(struct quarter) + (8 + HALF_SLACK) * sizeof(uint64_t)) +
           (stretches + sets) * sizeof(uint32_t) +
           ((uint64_t)counts[n] + counts[n - n % 2]) * sizeof(uint64_t);
}

bool nqi_quarters_init(const struct half_board *board, bool keep, struct quarters *quarters) {
    *quarters = (struct quarters){.board = board};
    for (enum side side = LEFT; side < SIDES && keep; side++) {
        quarters->kept[side] =
            calloc((size_t)1 << side_width(board->n, side), sizeof *quarters->kept[side]);
        if (quarters->kept[side] == NULL) {
            nqi_quarters_free(quarters);
            return false;
        }
    }
    return true;
}

void nqi_quarters_free(struct quarters *quarters) {
    for (enum side side = LEFT; side < SIDES; side++) {
        const size_t sets = quarters->kept[side] == NULL
                                ? 0
                                : (size_t)1 << side_width(quarters->board->n, side);
        for (size_t set = 0; set < sets; set++) {
            struct quarter *quarter = atomic_load(&quarters->kept[side][set]);
            if (quarter != NULL)
                nqi_quarter_clear(quarter);
            free(quarter);
        }
        free(quarters->kept[side]);
    }
    *quarters = (struct quarters){0};
}

bool nqi_own_quarters_init(const struct half_board *board, struct own_quarters *own) {
    *own = (struct own_quarters){0};
    bool done = nqi_quarter_init(board, &own->made) && nqi_quarter_init(board, &own->smaller);
    for (enum side side = LEFT; side < SIDES; side++)
        for (int turned = 0; turned < 2; turned++)
            done = done && nqi_quarter_init(board, &own->latest[side][turned]);
    for (enum side side = LEFT; side < SIDES; side++)
        done = done && nqi_quarter_init(board, &own->filtered[side].remaining);
    return done;
}

void nqi_own_quarters_free(struct own_quarters *own) {
    for (enum side side = LEFT; side < SIDES; side++)
        for (int turned = 0; turned < 2; turned++)
            nqi_quarter_clear(&own->latest[side][turned]);
    for (enum side side = LEFT; side < SIDES; side++)
        nqi_quarter_clear(&own->filtered[side].remaining);
    nqi_quarter_clear(&own->made);
    nqi_quarter_clear(&own->smaller);
    nqi_half_list_free(&own->chosen);
}

/* Shares a copy of a quarter, unless another thread was first. Returns the one that is shared;
 * NULL: out of memory. */
static const struct quarter *quarters_keep(const struct half_board *board,
                                           _Atomic(struct quarter *) *kept,
                                           const struct quarter *made) {
    struct quarter *own = calloc(1, sizeof *own), *other = NULL;
    const bool copied = own != NULL && nqi_quarter_copy(board, made, own);
    if (copied && atomic_compare_exchange_strong(kept, &other, own))
        return own;
    if (own != NULL)
        nqi_quarter_clear(own);
    free(own);
    return other;
}

/* Returns where a quarter is kept; NULL: nowhere. */
static _Atomic(struct quarter *) *quarters_kept_at(const struct quarters *quarters,
                                                   enum side side, uint32_t columns) {
    const int first = side == LEFT ? 0 : side_width(quarters->board->n, LEFT);
    return quarters->kept[side] == NULL ? NULL : &quarters->kept[side][columns >> first];
}

/* Gives back a large list, and says that it holds no quarter. */
static void quarter_forget(struct quarter *quarter) {
    nqi_half_list_free_large(&quarter->list);
    if (quarter->list.room == 0)
        quarter->columns = NO_COLUMNS;
}

/* Gives back the memory of a quarter that will be replaced, and of the filtered ones, before
 * its successor takes as much. */
static void own_quarters_forget(struct own_quarters *own, struct quarter *latest) {
    quarter_forget(latest);
    for (enum side side = LEFT; side < SIDES; side++)
        quarter_forget(&own->filtered[side].remaining);
}

/* Finds a quarter, or makes it. */
static nq_status quarters_find_side(struct maker *maker, const struct quarters *quarters,
                                    struct own_quarters *own, enum side side, uint32_t columns,
                                    bool upside_down, const struct quarter **found) {
    struct quarter *latest = &own->latest[side][upside_down];
    *found = latest;
    if (latest->columns == columns)
        return NQ_OK;
    _Atomic(struct quarter *) *at = quarters_kept_at(quarters, side, columns);
    const struct quarter *kept = at == NULL ? NULL : atomic_load(at);
    own_quarters_forget(own, latest);
    if (kept == NULL) {
        nq_status status = nqi_quarter_make(maker, own, side, columns);
        if (status != NQ_OK)
            return status;
        if (at != NULL && (kept = quarters_keep(maker->board, at, &own->made)) == NULL)
            return NQ_NO_MEMORY;
    }
    if (kept == NULL)
        nqi_quarter_swap(&own->made, latest);
    if (upside_down)
        return nqi_quarter_turn(maker, kept != NULL ? kept : latest, latest);
    if (kept != NULL)
        *found = kept;
    return NQ_OK;
}

nq_status nqi_quarters_make_all(const struct quarters *quarters,
                                const struct listing *functions,
                                const struct heartbeat *heartbeat) {
    const struct half_board *board = quarters->board;
    const int left = side_width(board->n, LEFT), right = side_width(board->n, RIGHT);
    struct own_quarters own;
    struct maker maker = {.board = board, .functions = functions, .heartbeat = heartbeat};
    if (quarters->kept[LEFT] == NULL)
        return NQ_OK;
    nq_status status = nqi_own_quarters_init(board, &own) ? NQ_OK : NQ_NO_MEMORY;
#pragma omp for schedule(dynamic, 1)
    for (uint32_t set = 0; set < (UINT32_C(1) << left) + (UINT32_C(1) << right); set++) {
        const enum side side = set >> left == 0 ? LEFT : RIGHT;
        const uint32_t columns = side == LEFT ? set : (set ^ UINT32_C(1) << left) << left;
        const struct quarter *ignored;
        if (status == NQ_OK && !heartbeat_go_on(heartbeat, 0))
            status = NQ_CANCELLED;
        if (status == NQ_OK)
            status = quarters_find_side(&maker, quarters, &own, side, columns, false, &ignored);
    }
    nqi_own_quarters_free(&own);
    return status;
}

/* Filters a quarter, unless that was the last one to be filtered so. */
static nq_status filter_quarter(struct maker *maker, struct filtered *filtered,
                                uint64_t diagonals, const struct quarter **quarter) {
    const struct quarter *all = *quarter;
    struct quarter *remaining = &filtered->remaining;
    *quarter = remaining;
    if (filtered->of == all && remaining->columns == all->columns &&
        filtered->diagonals == diagonals)
        return NQ_OK;
    filtered->of = NULL;
    nq_status status =
        nqi_half_list_reserve(&remaining->list, all->list.count, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    if (!maker_goes_on(maker, all->list.count))
        return NQ_CANCELLED;
    const size_t stretches = nqi_quarter_stretches(maker->board, all->columns);
    maker->functions->remaining((struct stretches){all->list.signature, all->start}, stretches,
                                diagonals, remaining->list.signature, remaining->start);
    remaining->list.count = remaining->start[stretches];
    remaining->columns = all->columns;
    filtered->of = all;
    filtered->diagonals = diagonals;
    return NQ_OK;
}

nq_status nqi_quarters_find(struct maker *maker, const struct quarters *quarters,
                            struct own_quarters *own, const struct half_choice *choice,
                            struct sides *sides) {
    const uint32_t left = choice->columns & low_bits(side_width(maker->board->n, LEFT));
    nq_status status =
        quarters_find_side(maker, quarters, own, LEFT, left, choice->upside_down, &sides->left);
    if (status == NQ_OK)
        status = quarters_find_side(maker, quarters, own, RIGHT, choice->columns ^ left,
                                    choice->upside_down, &sides->right);
    nqi_half_list_free_large(&own->made.list); /* until the next set */
    nqi_half_list_free_large(&own->smaller.list);
    if (choice->diagonals == 0 || choice->held != 0)
        return status;
    if (status == NQ_OK)
        status = filter_quarter(maker, &own->filtered[LEFT], choice->diagonals, &sides->left);
    if (status == NQ_OK)
        status = filter_quarter(maker, &own->filtered[RIGHT], choice->diagonals, &sides->right);
    return status;
}
