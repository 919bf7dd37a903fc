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

/* Returns the size of a quarter with so many placements of queens on `rows` rows. */
static uint64_t quarters_bytes_of(int rows, uint64_t count) {
    return sizeof(struct quarter) + (sizeof(struct stretch) << rows) +
           (count + 8 + HALF_SLACK) * sizeof(uint64_t);
}

uint64_t nqi_quarters_bytes(int n) {
    const uint64_t sets =
        (UINT64_C(1) << side_width(n, LEFT)) + (UINT64_C(1) << side_width(n, RIGHT));
    if (counts[n] == 0)
        return UINT64_MAX;
    return sets * quarters_bytes_of(n / 2, 0) +
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
    own->listed = calloc((size_t)1 << board->rows, sizeof *own->listed);
    bool done = own->listed != NULL && nqi_quarter_init(board, &own->made) &&
                nqi_quarter_init(board, &own->smaller);
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
    free(own->listed);
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
    if (kept == NULL) {
        nq_status status = nqi_quarter_make(maker, own, side, columns);
        if (status != NQ_OK)
            return status;
        if (at != NULL && (kept = quarters_keep(maker->board, at, &own->made)) == NULL)
            return NQ_NO_MEMORY;
    }
    if (upside_down)
        return nqi_quarter_turn(maker, kept != NULL ? kept : &own->made, latest);
    if (kept != NULL)
        *found = kept;
    else
        nqi_quarter_swap(&own->made, latest);
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

/* Returns how many of the placements before placement i hold none of the diagonals. */
static uint32_t filter_kept_before(const struct filtered *filtered, uint32_t i) {
    const uint64_t earlier = (UINT64_C(1) << i % 64) - 1;
    return filtered->before[i / 64] +
           (uint32_t)__builtin_popcountll(filtered->lacks[i / 64] & earlier);
}

/* Finds the stretches of the placements that remain. They follow each other in order of
 * their rows, as those of the quarter do (quarter_make_stretch). */
static void filter_stretches(const struct half_board *board, struct filtered *filtered) {
    const uint32_t all = low_bits(board->rows);
    for (uint32_t word = 0, before = 0; word <= filtered->of->list.count / 64; word++) {
        filtered->before[word] = before;
        before += (uint32_t)__builtin_popcountll(filtered->lacks[word]);
    }
    uint32_t first = 0;
    for (uint32_t rows = low_bits(__builtin_popcount(filtered->columns)); rows <= all;
         rows = rows == 0 ? all + 1 : next_subset(rows)) {
        const struct stretch *taking = &filtered->of->taking[rows];
        const uint32_t end = filter_kept_before(filtered, taking->first + taking->count);
        filtered->remaining.taking[rows] = (struct stretch){first, end - first};
        first = end;
    }
}

/* Filters a quarter, unless that was the last one to be filtered so. */
static nq_status filter_quarter(struct maker *maker, const struct quarter *quarter,
                                uint64_t diagonals, struct filtered *filtered) {
    const size_t count = quarter->list.count;
    struct half_list *list = &filtered->remaining.list;
    if (filtered->of == quarter && filtered->columns == quarter->columns &&
        filtered->diagonals == diagonals)
        return NQ_OK;
    filtered->of = NULL;
    nq_status status = nqi_half_list_reserve(list, count + 1, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    if (!maker_goes_on(maker, count))
        return NQ_CANCELLED;
    maker->functions->lacking(quarter->list.signature, count, diagonals, filtered->lacks);
    list->count = maker->functions->holding(quarter->list.signature, count, diagonals, 0,
                                            list->signature);
    filtered->of = quarter;
    filtered->columns = quarter->columns;
    filtered->diagonals = diagonals;
    filter_stretches(maker->board, filtered);
    return NQ_OK;
}

/* Replaces quarters by what remains of them, see nqi_quarters_find. */
static nq_status filter_sides(struct maker *maker, struct own_quarters *own,
                              struct half_choice *choice, struct sides *sides) {
    if (choice->diagonals == 0 || choice->held != 0 ||
        sides->left->list.count > MOST_FILTERED || sides->right->list.count > MOST_FILTERED)
        return NQ_OK;
    nq_status status =
        filter_quarter(maker, sides->left, choice->diagonals, &own->filtered[LEFT]);
    if (status == NQ_OK)
        status = filter_quarter(maker, sides->right, choice->diagonals, &own->filtered[RIGHT]);
    *sides = (struct sides){&own->filtered[LEFT].remaining, &own->filtered[RIGHT].remaining};
    choice->diagonals = 0;
    return status;
}

nq_status nqi_quarters_find(struct maker *maker, const struct quarters *quarters,
                            struct own_quarters *own, struct half_choice *choice, bool filter,
                            struct sides *sides) {
    const uint32_t left = choice->columns & low_bits(side_width(maker->board->n, LEFT));
    nq_status status =
        quarters_find_side(maker, quarters, own, LEFT, left, choice->upside_down, &sides->left);
    if (status == NQ_OK)
        status = quarters_find_side(maker, quarters, own, RIGHT, choice->columns ^ left,
                                    choice->upside_down, &sides->right);
    return status == NQ_OK && filter ? filter_sides(maker, own, choice, sides) : status;
}
