/* SPDX-License-Identifier: MIT */
/* The solver on a CPU. For each X of a unit, it prepares what the join needs: lists of first
 * placements, the D that may count, and the order of rows. Lists are cached, because many X
 * have the same rows on an odd half. */
#include "colours/colours.h"

#include "colours/join.h"
#include "core/arrays.h"
#include "core/sets.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    MAX_SHARED_N = 19,     /* for this n, the lists of all sets of rows take 20 MB together */
    CACHE_LIMIT = 32 << 20 /* bytes of a thread's own cache */
};

/* [colour][set of rows]: the list of first placements, or NULL if it is not cached. For even n
 * both colours use black's lists, because white is black reflected. */
typedef struct first_list *_Atomic first_cache[2][1 << COLOURS_LINES];

struct colours_solver {
    struct solver solver; /* first, so that a pointer to it can be cast to the whole */
    const struct colours_partition *partition;
    const struct completer *completer;
    first_cache *shared_cache; /* shared by all threads; NULL if each has its own */
    size_t cache_limit;        /* a thread's own cache evicts lists beyond this many bytes */
    struct column_ranks ranks;
};

struct colours_workspace {
    const struct colours_solver *colours;
    const struct colours_board *board;
    struct join *join;
    first_cache *cache; /* the thread's own, or the shared one */
    size_t cache_bytes; /* of the thread's own cache */
    struct d_list d;
};

/* Frees all lists of the cache except `spared`. Both `cache` and `spared` may be NULL. */
static void first_cache_evict(first_cache *cache, const struct colours_board *board,
                              const struct first_list *spared) {
    for (int colour = 0; cache != NULL && colour < 2; colour++)
        for (uint32_t rows = 0; rows <= low_bits(board->evens); rows++) {
            struct first_list *list = (*cache)[colour][rows];
            if (list == NULL || list == spared)
                continue;
            nqi_first_list_free(list);
            (*cache)[colour][rows] = NULL;
        }
}

static void workspace_free(void *opaque) {
    struct colours_workspace *workspace = opaque;
    if (workspace == NULL)
        return;
    if (workspace->colours->shared_cache == NULL) {
        first_cache_evict(workspace->cache, workspace->board, NULL);
        free(workspace->cache);
    }
    nqi_join_free(workspace->join);
    free(workspace);
}

static void *workspace_new(const struct solver *solver) {
    const struct colours_solver *colours = (const struct colours_solver *)solver;
    const struct colours_board *board = &colours->partition->board;
    struct colours_workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace == NULL)
        return NULL;
    workspace->colours = colours;
    workspace->board = board;
    workspace->d.size = -1;
    workspace->join = nqi_join_new(board, colours->completer);
    workspace->cache = colours->shared_cache;
    if (workspace->cache == NULL)
        workspace->cache = calloc(1, sizeof *workspace->cache);
    if (workspace->join != NULL && workspace->cache != NULL)
        return workspace;
    workspace_free(workspace);
    return NULL;
}

/* Returns where the cache has the list for these rows. */
static struct first_list *_Atomic *workspace_cached(struct colours_workspace *workspace,
                                                    bool white, uint32_t rows) {
    return &(*workspace->cache)[white && workspace->board->n % 2 == 1][rows];
}

/* Returns the list of first placements on these rows, or NULL if memory runs out. */
static const struct first_list *workspace_list(struct colours_workspace *workspace, bool white,
                                               uint32_t rows) {
    struct first_list *_Atomic *list = workspace_cached(workspace, white, rows);
    struct first_list *found = atomic_load(list);
    if (found != NULL)
        return found;
    struct first_list *made =
        nqi_first_list_new(workspace->board, white, rows, &workspace->colours->ranks);
    if (made == NULL)
        return NULL;
    if (atomic_compare_exchange_strong(list, &found, made)) {
        workspace->cache_bytes += workspace->colours->shared_cache == NULL ? made->bytes : 0;
        return made;
    }
    nqi_first_list_free(made); /* another thread was faster */
    return found;
}

/* Once the thread's own cache exceeds its limit, evicts all lists except the one that X shares
 * with the other X of its unit. */
static void workspace_evict(struct colours_workspace *workspace, struct x x) {
    const struct colours_board *board = workspace->board;
    if (workspace->cache_bytes <= workspace->colours->cache_limit)
        return;
    const bool even_shared = colours_even_shared(board, x);
    const struct first_list *shared = *workspace_cached(
        workspace, even_shared, even_shared ? colours_rows(board, x, true).even : x.odd);
    first_cache_evict(workspace->cache, board, shared);
    workspace->cache_bytes = shared != NULL ? shared->bytes : 0;
}

/* Returns how often the solutions of a Y with D, the odd columns `columns`, count, as far as D
 * decides. `key` is key(X). They do not count, and the function returns 0, if the key of D is
 * less than key(X). Otherwise it returns 1 for even n, where B decides the rest. For odd n, D
 * and its mirror image contribute the same, so the lesser of the two counts twice and the other
 * one is left out; if the key of D exceeds key(X), the number is doubled. */
static uint8_t d_weight(const struct colours_board *board, uint32_t columns, int size,
                        uint32_t key) {
    const uint32_t least = colours_least_image(board, columns, size);
    if (board->n % 2 == 0)
        return least >= key;
    if (least != columns || columns < key)
        return 0;
    const bool symmetric = mirrored_bits(columns, board->odds) == columns;
    return (uint8_t)((symmetric ? 1 : 2) * (columns > key ? 2 : 1));
}

/* For even n: fills in b_keys for sets B of `size` even columns. The number of an entry is a
 * set of white's columns without bit 0. Since all these sets have one size, the other bits tell
 * `bit_0`. If bit 0 would have to be less than 0 or more than 1, no set has this entry. */
static void workspace_find_b_keys(struct colours_workspace *workspace, int size) {
    const struct colours_board *board = workspace->board;
    for (uint32_t entry = 0; entry <= low_bits(board->evens) >> 1; entry++) {
        const uint32_t white = entry << 1,
                       bit_0 = (uint32_t)(board->odds - size - __builtin_popcount(entry));
        workspace->d.b_keys[entry] =
            bit_0 > 1
                ? 0
                : colours_least_image(board, low_bits(board->evens) & ~(white | bit_0), size);
    }
}

/* Lists the D of this size, with their factors for X with this key, unless they are listed
 * already. */
static void workspace_list_d(struct colours_workspace *workspace, uint32_t key, int size) {
    const struct colours_board *board = workspace->board;
    const struct column_ranks *ranks = &workspace->colours->ranks;
    struct d_list *d = &workspace->d;
    if (d->key == key && d->size == size)
        return;
    if (board->n % 2 == 0 && d->size != size)
        workspace_find_b_keys(workspace, size);
    d->key = key;
    d->size = size;
    d->count = d->begin = ranks->set_counts[size];
    d->end = 0;
    uint32_t set = low_bits(size);
    do {
        const size_t rank = ranks->rank[set];
        const uint8_t weight = d_weight(board, set, size, key);
        d->factors[rank].weight = weight;
        d->factors[rank].exceeds_key = colours_least_image(board, set, size) > key;
        if (weight > 0 && rank < d->begin)
            d->begin = rank;
        if (weight > 0 && rank >= d->end)
            d->end = rank + 1;
    } while (next_subset(&set, board->odds));
}

/* Returns one colour's part in an X. Its member `first` is NULL if memory runs out. */
static struct x_side workspace_side(struct colours_workspace *workspace, struct x x,
                                    bool white) {
    const struct colours_board *board = workspace->board;
    const struct x rows = colours_rows(board, x, white);
    const uint32_t first = white ? rows.even : rows.odd, second = white ? rows.odd : rows.even;
    struct x_side side = {
        .first = workspace_list(workspace, white, first),
        .white = white,
        .half = {.columns = board->evens, .last = (white ? board->odds : board->evens) - 1}};
    side.half.row_count = nqi_order_lines(board, second, white, first, side.half.row);
    return side;
}

nq_status nqi_colours_add_x(void *opaque, struct x x, const struct heartbeat *heartbeat,
                            struct unit_result *sum) {
    struct colours_workspace *workspace = opaque;
    const struct colours_board *board = workspace->board;
    const bool black_is_minority = colours_black_is_minority(board, x);
    workspace_evict(workspace, x);
    workspace_list_d(workspace, colours_key(board, x), __builtin_popcount(x.odd));
    const struct prepared_x prepared = {
        .minority = workspace_side(workspace, x, !black_is_minority),
        .majority = workspace_side(workspace, x, black_is_minority),
        .d = &workspace->d,
        .leaves_room = nqi_colours_x_leaves_room(board, x),
        .weight = (uint64_t)nqi_colours_x_weight(board, x)};
    return prepared.minority.first != NULL && prepared.majority.first != NULL
               ? nqi_join_add(workspace->join, &prepared, heartbeat, sum)
               : NQ_NO_MEMORY;
}

static nq_status colours_solve(const struct solver *solver, void *workspace,
                               struct bundle *bundle, const struct heartbeat *heartbeat) {
    const struct colours_partition *partition =
        ((const struct colours_solver *)solver)->partition;
    const struct x_range *range = &partition->ranges[bundle->ids[0]];
    struct x x = range->first;
    nq_status status = NQ_OK;
    bundle->results[0] = (struct unit_result){0};
    for (uint32_t i = 0; i < range->count && status == NQ_OK; i++) {
        status = nqi_colours_add_x(workspace, x, heartbeat, bundle->results);
        colours_next_x(&partition->board, &x);
    }
    return status;
}

static void colours_solver_close(struct solver *solver) {
    struct colours_solver *colours = (struct colours_solver *)solver;
    first_cache_evict(colours->shared_cache, &colours->partition->board, NULL);
    free(colours->shared_cache);
    free(colours);
}

static const struct solver_calls colours_calls = {.close = colours_solver_close,
                                                  .workspace_new = workspace_new,
                                                  .workspace_free = workspace_free,
                                                  .solve = colours_solve};

struct solver *nqi_colours_solver(const struct partition *partition,
                                  const struct kernel *kernel, int max_shared_n,
                                  size_t cache_limit) {
    struct colours_solver *colours = malloc(sizeof *colours);
    if (colours == NULL)
        return NULL;
    *colours = (struct colours_solver){
        .solver = {.call = &colours_calls, .partition = partition, .kernel = kernel->name},
        .partition = (const struct colours_partition *)partition,
        .completer = (const struct completer *)kernel,
        .cache_limit = cache_limit};
    nqi_column_ranks_init(&colours->partition->board, &colours->ranks);
    if (partition->job.n <= max_shared_n) {
        colours->shared_cache = calloc(1, sizeof *colours->shared_cache);
        if (colours->shared_cache == NULL) {
            free(colours);
            return NULL;
        }
    }
    return &colours->solver;
}

/* [n - MAX_SHARED_N - 1]: the length of the longest list of first placements, found by counting
 * the placements on each set of rows. */
static const uint32_t most_first[] = {26548,   37108,   143140,  208654,  788698,
                                      1187854, 4684690, 7329112, 29555392};
_Static_assert(LENGTH(most_first) == NQ_MAX_N - MAX_SHARED_N, "one each");

/* The fixed part has tables, stacks and lists of D. Where a thread caches lists of its own, it
 * also needs room for the cache, and for making the longest list. */
uint64_t nqi_colours_workspace_bytes(int n) {
    const uint64_t fixed = 4 << 20;
    return n <= MAX_SHARED_N
               ? fixed
               : fixed + CACHE_LIMIT + most_first[n - MAX_SHARED_N - 1] * (uint64_t)FIRST_BYTES;
}

nq_status nqi_colours_solver_new(const struct partition *partition, const struct kernel *kernel,
                                 const char *devices, const struct observer *observer,
                                 struct solver **solver, struct failure *failure) {
    (void)devices, (void)observer, (void)failure;
    *solver = nqi_colours_solver(partition, kernel, MAX_SHARED_N, CACHE_LIMIT);
    return *solver != NULL ? NQ_OK : NQ_NO_MEMORY;
}
