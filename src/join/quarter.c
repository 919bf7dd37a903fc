#include "join/quarter.h"

#include "board/bits.h"

#include <stdlib.h>

/* [n]: placements of any number of non-attacking queens on a quarter, h x h for n = 2h and
 * h x (h + 1) for n = 2h + 1. Tests check the numbers for n <= 18, nqi_quarters_fill checks any
 * number that is used. 0: a board without quarters, or too many for memory. */
static const uint32_t counts[NQ_MAX_N + 1] = {
    [2] = 2,         [3] = 3,          [4] = 5,          [5] = 9,           [6] = 18,
    [7] = 37,        [8] = 87,         [9] = 185,        [10] = 462,        [11] = 1039,
    [12] = 2635,     [13] = 6335,      [14] = 16870,     [15] = 42807,      [16] = 118969,
    [17] = 316395,   [18] = 915442,    [19] = 2524999,   [20] = 7535369,    [21] = 21637115,
    [22] = 66807234, [23] = 198770307, [24] = 633443407, [25] = 1941720813,
};

uint64_t nqi_quarters_count(int n) {
    return counts[n];
}

/* Returns the number of pairs of a set of rows and a set of columns. */
static size_t key_count(int n) {
    return (size_t)1 << (n / 2 + (n + 1) / 2);
}

uint64_t nqi_quarters_bytes(int n) {
    if (counts[n] == 0)
        return UINT64_MAX;
    return 2 * sizeof(uint64_t) * ((uint64_t)counts[n] + HALF_SLACK) +
           (key_count(n) + 1) * sizeof(uint32_t);
}

bool nqi_quarters_allocate(const struct half_board *board, struct quarters *quarters) {
    *quarters = (struct quarters){.board = board,
                                  .rows = board->rows,
                                  .cols = (board->n + 1) / 2,
                                  .count = counts[board->n]};
    size_t entries = quarters->count + HALF_SLACK;
    quarters->first = calloc(key_count(board->n) + 1, sizeof *quarters->first);
    quarters->left = malloc(entries * sizeof *quarters->left);
    quarters->right = malloc(entries * sizeof *quarters->right);
    if (quarters->first != NULL && quarters->left != NULL && quarters->right != NULL)
        return true;
    nqi_quarters_free(quarters);
    return false;
}

void nqi_quarters_free(struct quarters *quarters) {
    free(quarters->first);
    free(quarters->left);
    free(quarters->right);
    *quarters = (struct quarters){0};
}

/* A walk over the placements on one set of columns. */
struct filling {
    struct quarters *quarters;
    uint32_t *first; /* [rows taken] of these columns */
    bool store;      /* store the placements; false: count them only */
};

/* Puts a queen on each of the columns `cols`, lowest first, and files the placements. col: the
 * next column, to be filled or skipped. taken: rows with a queen. up, down: rows that the
 * queens attack in column `col` along diagonals. */
static void fill(const struct filling *filling, uint32_t cols, int col, uint32_t taken,
                 uint32_t up, uint32_t down, uint64_t signature) {
    const struct quarters *quarters = filling->quarters;
    if (cols == 0) {
        uint32_t *at = &filling->first[taken];
        if (filling->store)
            quarters->left[*at] = signature;
        ++*at;
        return;
    }
    int skip = __builtin_ctz(cols >> col);
    col += skip;
    up >>= skip;
    down <<= skip;
    for (uint32_t free = low_bits(quarters->rows) & ~(taken | up | down); free != 0;
         free &= free - 1) {
        int row = __builtin_ctz(free);
        uint32_t queen = UINT32_C(1) << row;
        fill(filling, cols & (cols - 1), col + 1, taken | queen, (up | queen) >> 1,
             (down | queen) << 1, signature | quarters->board->queen[row][col]);
    }
}

/* Fills in the right quarter's signatures for one set of columns. */
static void mirror(struct quarters *quarters, const uint32_t *first) {
    size_t sets = (size_t)1 << quarters->rows;
    for (uint32_t i = first[0]; i < first[sets]; i++)
        quarters->right[i] = nqi_half_mirror(quarters->board, quarters->left[i]);
}

/* Returns whether to take another set of columns; sets `stopped` if not. */
static bool may_go_on(struct quarters *quarters, const struct heartbeat *heartbeat) {
    if (!quarters->stopped && !heartbeat_go_on(heartbeat, 0))
        quarters->stopped = true;
    return !quarters->stopped;
}

/* Walks over all placements twice: the first walk counts the placements of each key, the second
 * stores them. In between, the counts become the indices where the keys begin. The second walk
 * advances each index to the end of its key, where the next key begins; at last every index is
 * moved to the next key. */
void nqi_quarters_fill(struct quarters *quarters, const struct heartbeat *heartbeat) {
    uint32_t sets = UINT32_C(1) << quarters->cols;
    size_t rows = (size_t)1 << quarters->rows;
    uint32_t *first = quarters->first;
#pragma omp for schedule(dynamic, 1)
    for (uint32_t cols = 0; cols < sets; cols++) {
        if (!may_go_on(quarters, heartbeat))
            continue;
        const struct filling count = {.quarters = quarters, .first = first + cols * rows};
        fill(&count, cols, 0, 0, 0, 0, 0);
    }
#pragma omp single
    {
        uint32_t begin = 0;
        for (size_t key = 0; key <= sets * rows; key++) {
            uint32_t here = first[key];
            first[key] = begin;
            begin += here;
        }
        quarters->counted = !quarters->stopped;
        quarters->wrong = quarters->counted && begin != quarters->count;
    }
    /* Set by one thread: either all threads leave here, or none. */
    if (quarters->wrong || !quarters->counted)
        return;
#pragma omp for schedule(dynamic, 1)
    for (uint32_t cols = 0; cols < sets; cols++) {
        if (!may_go_on(quarters, heartbeat))
            continue;
        const struct filling store = {
            .quarters = quarters, .first = first + cols * rows, .store = true};
        fill(&store, cols, 0, 0, 0, 0, 0);
    }
#pragma omp single
    {
        for (size_t key = sets * rows; key > 0; key--)
            first[key] = first[key - 1];
        first[0] = 0;
    }
#pragma omp for schedule(dynamic, 1)
    for (uint32_t cols = 0; cols < sets; cols++)
        if (may_go_on(quarters, heartbeat))
            mirror(quarters, first + cols * rows);
}

/* Returns the columns of the right quarter, mirrored: counted from the board's right edge. */
static uint32_t right_columns(const struct quarters *quarters, uint32_t columns) {
    return mirrored_bits(columns >> quarters->cols, quarters->board->n - quarters->cols);
}

/* Signatures of one key of a quarter table, or a copy of some of them. */
struct stretch {
    const uint64_t *signature;
    size_t count;
};

/* Copies to `out` what of a stretch is chosen, if not all as it stands. `out` has room for the
 * stretch and HALF_SLACK signatures. */
static struct stretch choose(const struct quarters *quarters, const struct listing *functions,
                             const struct half_choice *choice, struct stretch all,
                             uint64_t *out) {
    if (choice->excluded != 0)
        all = (struct stretch){
            out, functions->without(all.signature, all.count, choice->excluded, out)};
    if (!choice->upside_down)
        return all;
    for (size_t i = 0; i < all.count; i++)
        out[i] = half_flip(quarters->board, all.signature[i]);
    return (struct stretch){out, all.count};
}

nq_status nqi_quarters_list(const struct quarters *quarters, const struct listing *functions,
                            const struct half_choice *choice, const struct heartbeat *heartbeat,
                            struct half_list *list, struct half_list *room) {
    const struct subsets *subsets = &quarters->board->rows_on_left;
    const uint32_t left = choice->columns & low_bits(quarters->cols);
    const uint32_t all_rows = low_bits(quarters->rows);
    const int taken = __builtin_popcount(left);
    const uint32_t *from_left = quarters->first + ((size_t)left << quarters->rows);
    const uint32_t *from_right =
        quarters->first + ((size_t)right_columns(quarters, choice->columns) << quarters->rows);
    nq_status status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    if (taken > quarters->rows || status != NQ_OK)
        return status;
    size_t steps = 0;
    /* For each set of as many rows as the left quarter has queens. */
    for (size_t i = nqi_subsets_from(subsets, taken, choice->least);
         i < subsets->first[taken + 1] && subsets->key[subsets->by_key[i]] <= choice->most;
         i++) {
        const uint32_t rows = subsets->by_key[i], others = all_rows & ~rows;
        struct stretch a = {quarters->left + from_left[rows],
                            from_left[rows + 1] - from_left[rows]};
        struct stretch b = {quarters->right + from_right[others],
                            from_right[others + 1] - from_right[others]};
        if (a.count == 0 || b.count == 0)
            continue;
        status = nqi_half_list_reserve(list, list->count + a.count * b.count, heartbeat);
        if (status == NQ_OK)
            status = nqi_half_list_reserve(room, a.count + b.count + HALF_SLACK, heartbeat);
        if (status != NQ_OK)
            return status;
        if ((steps += a.count * b.count) >= STEPS_PER_BEAT) {
            steps = 0;
            if (!heartbeat_go_on(heartbeat, 0))
                return NQ_CANCELLED;
        }
        uint64_t *beyond_a = room->signature + a.count + HALF_SLACK;
        a = choose(quarters, functions, choice, a, room->signature);
        b = choose(quarters, functions, choice, b, beyond_a);
        uint64_t *out = list->signature + list->count;
        const struct stretch *shorter = a.count <= b.count ? &a : &b,
                             *longer = shorter == &a ? &b : &a;
        list->count += functions->combine_disjoint(shorter->signature, shorter->count,
                                                   longer->signature, longer->count, out);
    }
    return NQ_OK;
}
