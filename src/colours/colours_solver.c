/* SPDX-License-Identifier: MIT */
/* Solves units: for each X, for each D, black placements times white ones.
 *
 * The colour with fewer queens fills a table: how many of its placements leave each set of even
 * columns to the other colour, whose placements then look it up. Several D are counted
 * together, each with a table of its own, so that completers get full batches even where a D
 * has few first placements.
 */
#include "colours/colours.h"

#include "colours/completer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The completers of this build. */
const struct implementation *const nqi_completer_list[] = {
    &nqi_completer_scalar64.impl,
#ifdef __x86_64__
    &nqi_completer_avx2.impl,
    &nqi_completer_avx512.impl,
#endif
#ifdef __AARCH64EL__
    &nqi_completer_neon.impl,
#endif
    NULL,
};

enum {
    TABLES_BYTES = 32 << 10, /* of all tables, if there are several: a first-level cache */
    MAX_TABLES = 64,
    MAX_SHARED_N = 19,             /* the lists of all rows take 31 MB */
    LISTS_BYTES = 32 << 20,        /* of a thread */
    COMPLETIONS_PER_BEAT = 1 << 21 /* a few milliseconds */
};

/* [colour][set of rows]: first placements, where a unit needed them. Even n: black's alone,
 * since white is black reflected. */
typedef struct first_list *_Atomic first_lists[2][1 << COLOURS_LINES];

struct colours_solver {
    struct solver solver; /* first, so that a pointer to it is one to this */
    const struct colours_partition *partition;
    const struct completer *completer;
    first_lists *shared; /* by all threads; NULL: each has lists of its own */
    size_t lists_bytes;  /* of these, at most, that wait for other X */
};

/* A set of odd columns of black queens. */
struct odd_columns {
    uint32_t set;
    uint32_t weight; /* odd n: of every Y that has them; 0: Y are not counted */
    bool twice;      /* even n: Y with them count twice if their key exceeds that of X */
};

struct colours_worker {
    const struct colours_solver *colours;
    const struct colours_board *board;
    void *scratch;
    first_lists *lists; /* the thread's, or the shared ones */
    size_t bytes;       /* of the thread's lists */
    uint32_t *table;
    size_t entries, tables; /* of a table; that are counted together */
    struct batch batch;
    struct odd_columns odd_columns[1 << (NQ_MAX_N / 2)]; /* for the key and size, by weight */
    size_t odd_columns_count;
    uint32_t key_of_rows;
    int size; /* number of odd columns; -1: none are listed yet */
    uint32_t keys[1 << (COLOURS_LINES - 1)]; /* even n: [entry]: of black's even columns */
    int keys_size;                           /* number of these columns; -1: no keys yet */
    /* Of a unit: */
    const struct heartbeat *heartbeat;
    uint64_t next_beat; /* in completions */
    bool overflow;      /* of a sum */
    struct unit_result result;
};

/* Frees all lists but that one; NULL: none stays. lists: NULL allowed. */
static void first_lists_free(first_lists *lists, const struct colours_board *board,
                             const struct first_list *but) {
    for (int colour = 0; lists != NULL && colour < 2; colour++)
        for (uint32_t rows = 0; rows <= low_bits(board->evens); rows++) {
            struct first_list *list = (*lists)[colour][rows];
            if (list == NULL || list == but)
                continue;
            nqi_first_list_free(list);
            (*lists)[colour][rows] = NULL;
        }
}

static void colours_worker_free(void *data) {
    struct colours_worker *worker = data;
    if (worker == NULL)
        return;
    if (worker->colours->shared == NULL) {
        first_lists_free(worker->lists, worker->board, NULL);
        free(worker->lists);
    }
    free(worker->table);
    free(worker->scratch);
    free(worker);
}

static void *colours_worker_new(const struct solver *solver) {
    const struct colours_solver *colours = (const struct colours_solver *)solver;
    const struct colours_board *board = &colours->partition->board;
    struct colours_worker *worker =
        aligned_alloc(alignof(struct colours_worker), sizeof *worker);
    if (worker == NULL)
        return NULL;
    memset(worker, 0, sizeof *worker);
    worker->colours = colours;
    worker->board = board;
    worker->size = worker->keys_size = -1;
    worker->entries = (((size_t)1 << board->evens) + 1) / 2;
    /* Words of completers have room for set and table together. */
    const size_t fit = TABLES_BYTES / (worker->entries * sizeof *worker->table);
    worker->tables = fit < 1 ? 1 : fit < MAX_TABLES ? fit : MAX_TABLES;
    worker->table = calloc(worker->tables * worker->entries, sizeof *worker->table);
    worker->scratch = aligned_alloc(64, colours->completer->scratch_bytes / 64 * 64 + 64);
    worker->lists = colours->shared;
    if (worker->lists == NULL)
        worker->lists = calloc(1, sizeof *worker->lists);
    if (worker->table != NULL && worker->scratch != NULL && worker->lists != NULL)
        return worker;
    colours_worker_free(worker);
    return NULL;
}

/* Returns where the first placements on these rows are kept. */
static struct first_list *_Atomic *colours_worker_list_of(struct colours_worker *worker,
                                                          bool white, uint32_t rows) {
    return &(*worker->lists)[white && worker->board->n % 2 == 1][rows];
}

/* Returns the first placements on these rows, or NULL: out of memory. */
static const struct first_list *colours_worker_list(struct colours_worker *worker, bool white,
                                                    uint32_t rows) {
    const struct colours_board *board = worker->board;
    struct first_list *_Atomic *list = colours_worker_list_of(worker, white, rows);
    struct first_list *found = atomic_load(list);
    if (found != NULL)
        return found;
    struct first_list *made = nqi_first_list_new(white ? &board->white : &board->black, rows);
    if (made == NULL)
        return NULL;
    if (atomic_compare_exchange_strong(list, &found, made)) {
        worker->bytes += worker->colours->shared == NULL ? made->bytes : 0;
        return made;
    }
    nqi_first_list_free(made); /* another thread was faster */
    return found;
}

/* Frees the thread's own lists if they are many, but that of the shared rows. */
static void colours_worker_shed_lists(struct colours_worker *worker, struct x x) {
    const struct colours_board *board = worker->board;
    if (worker->bytes <= worker->colours->lists_bytes)
        return;
    const bool even_shared = colours_even_shared(board, x);
    const struct first_list *shared = *colours_worker_list_of(
        worker, even_shared, even_shared ? low_bits(board->evens) & ~x.even : x.odd);
    first_lists_free(worker->lists, board, shared);
    worker->bytes = shared != NULL ? shared->bytes : 0;
}

/* Odd n: returns how often Y with these odd columns count beside X with this key: of the set
 * and its mirror image the lesser one stands for both, and a Y with a greater key than X also
 * for the reflection at the diagonal. */
static uint32_t odd_columns_weight(const struct colours_board *board, uint32_t columns,
                                   uint32_t key_of_rows) {
    const uint32_t image = mirrored_bits(columns, board->odds);
    if (image < columns || columns < key_of_rows)
        return 0;
    return (image > columns ? 2U : 1U) * (columns > key_of_rows ? 2U : 1U);
}

/* Lists the odd columns of the Y that may count beside X with this key, of `size` lines. */
static void colours_worker_choose_columns(struct colours_worker *worker, uint32_t key_of_rows,
                                          int size) {
    const struct colours_board *board = worker->board;
    size_t count = 0;
    if (worker->key_of_rows == key_of_rows && worker->size == size)
        return;
    worker->key_of_rows = key_of_rows;
    worker->size = size;
    for (uint32_t weight = board->n % 2 == 1 ? 4 : 1; weight > 0; weight /= 2) {
        uint32_t set = low_bits(size);
        do {
            const uint32_t key = colours_least_image(board, set, size);
            if (board->n % 2 == 1 ? odd_columns_weight(board, set, key_of_rows) == weight
                                  : key >= key_of_rows)
                worker->odd_columns[count++] = (struct odd_columns){
                    .set = set, .weight = weight, .twice = key > key_of_rows};
        } while (set != 0 && (set = next_subset(set)) <= low_bits(board->odds));
    }
    worker->odd_columns_count = count;
}

/* Even n: fills in the keys of the even columns that black takes, `size` of them. An entry is
 * that of white's set. */
static void colours_worker_make_keys(struct colours_worker *worker, int size) {
    const struct colours_board *board = worker->board;
    if (worker->keys_size == size)
        return;
    worker->keys_size = size;
    for (size_t entry = 0; entry < worker->entries; entry++) {
        const uint32_t white = (uint32_t)entry << 1,
                       odd_one =
                           (uint32_t)(board->odds - size - __builtin_popcount((unsigned)entry));
        worker->keys[entry] =
            odd_one > 1
                ? 0
                : colours_least_image(board, low_bits(board->evens) & ~(white | odd_one), size);
    }
}

/* One colour's part in the count of some X. */
struct side {
    const struct first_list *first;
    uint32_t columns; /* white: what to flip in black's odd columns; black: 0 */
    struct second second;
};

static struct side side_of(const struct colour *colour, const struct first_list *first,
                           uint32_t columns, uint32_t second_rows) {
    struct side side = {
        .first = first,
        .columns = columns,
        .second = {.columns = colour->second_columns, .last = colour->second_rows - 1}};
    for (uint32_t rows = second_rows; rows != 0; rows &= rows - 1)
        side.second.row[side.second.row_count++] = (uint8_t)__builtin_ctz(rows);
    return side;
}

/* Completes the batch, and empties it. sum: NULL, fill the tables. */
static void side_complete(const struct side *side, struct colours_worker *worker,
                          uint64_t *sum) {
    const struct completer *completer = worker->colours->completer;
    if (sum == NULL) {
        worker->result.work +=
            completer->tally(&side->second, &worker->batch, worker->scratch, worker->table);
    } else {
        uint64_t of_batch = 0; /* which cannot wrap around (docs/algorithm.md) */
        worker->result.work += completer->sum(&side->second, &worker->batch, worker->scratch,
                                              worker->table, &of_batch);
        worker->overflow |= __builtin_add_overflow(*sum, of_batch, sum);
    }
    worker->batch.count = 0;
}

/* Completes all first placements on some sets of odd columns, each with a table of its own. */
static void side_complete_all(const struct side *side, struct colours_worker *worker,
                              const struct odd_columns *const *columns, size_t count,
                              uint64_t *sum) {
    struct batch *batch = &worker->batch;
    const size_t most = worker->colours->completer->most(side->second.columns);
    for (size_t table = 0; table < count; table++) {
        const uint32_t set = columns[table]->set ^ side->columns;
        size_t at = side->first->begin[set];
        const size_t end = side->first->begin[set + 1];
        while (at < end) {
            const size_t room = most - batch->count, more = end - at < room ? end - at : room;
            for (size_t i = 0; i < more; i += FIRST_MARGIN) {
                memcpy(batch->right + batch->count + i, side->first->right + at + i,
                       FIRST_MARGIN * sizeof *batch->right);
                memcpy(batch->left + batch->count + i, side->first->left + at + i,
                       FIRST_MARGIN * sizeof *batch->left);
                for (size_t j = 0; j < FIRST_MARGIN; j++)
                    batch->table[batch->count + i + j] = (uint16_t)table;
            }
            batch->count += more;
            at += more;
            if (batch->count == most)
                side_complete(side, worker, sum);
        }
    }
    if (batch->count > 0)
        side_complete(side, worker, sum);
}

/* Adds what some D contribute. There is a table for each. */
static nq_status colours_solve_columns(struct colours_worker *worker, const struct side *fewer,
                                       const struct side *more, uint64_t weight,
                                       const struct odd_columns *const *columns, size_t count) {
    uint64_t sum = 0;
    side_complete_all(fewer, worker, columns, count, NULL);
    if (worker->board->n % 2 == 0)
        for (size_t i = 0; i < count; i++)
            worker->colours->completer->weigh(worker->table + i * worker->entries,
                                              worker->entries, worker->keys,
                                              worker->key_of_rows, columns[i]->twice);
    side_complete_all(more, worker, columns, count, &sum);
    memset(worker->table, 0, count * worker->entries * sizeof *worker->table);
    if (worker->overflow || __builtin_mul_overflow(sum, weight * columns[0]->weight, &sum) ||
        __builtin_add_overflow(worker->result.solutions, sum, &worker->result.solutions))
        return NQ_OVERFLOW;
    if (worker->result.work < worker->next_beat)
        return NQ_OK;
    worker->next_beat = worker->result.work + COMPLETIONS_PER_BEAT;
    return heartbeat_go_on(worker->heartbeat, worker->result.work) ? NQ_OK : NQ_CANCELLED;
}

/* Adds what one X contributes. */
static nq_status colours_solve_rows(struct colours_worker *worker, struct x x,
                                    uint64_t weight) {
    const struct colours_board *board = worker->board;
    const uint32_t odds = low_bits(board->odds), other_odd = odds & ~x.odd,
                   other_even = low_bits(board->evens) & ~x.even;
    colours_worker_shed_lists(worker, x);
    const struct first_list *of_black = colours_worker_list(worker, false, x.odd),
                            *of_white = colours_worker_list(worker, true, other_even);
    if (of_black == NULL || of_white == NULL)
        return NQ_NO_MEMORY;
    const struct side black = side_of(&board->black, of_black, 0, x.even),
                      white = side_of(&board->white, of_white, odds, other_odd);
    colours_worker_choose_columns(worker, colours_key(board, x), __builtin_popcount(x.odd));
    const bool black_fewer =
        __builtin_popcount(x.odd) + __builtin_popcount(x.even) <= board->n / 2;
    const struct side *fewer = black_fewer ? &black : &white,
                      *more = black_fewer ? &white : &black;
    const struct odd_columns *chosen[MAX_TABLES];
    size_t count = 0;
    nq_status status = NQ_OK;
    for (size_t i = 0; i < worker->odd_columns_count && status == NQ_OK; i++) {
        const struct odd_columns *columns = &worker->odd_columns[i];
        const uint32_t others = columns->set ^ odds;
        if (count == worker->tables || (count > 0 && chosen[0]->weight != columns->weight)) {
            status = colours_solve_columns(worker, fewer, more, weight, chosen, count);
            count = 0;
        }
        if (of_black->begin[columns->set] != of_black->begin[columns->set + 1] &&
            of_white->begin[others] != of_white->begin[others + 1])
            chosen[count++] = columns;
    }
    if (count > 0 && status == NQ_OK)
        status = colours_solve_columns(worker, fewer, more, weight, chosen, count);
    return status;
}

nq_status nqi_colours_solve(void *data, const struct colours_unit *unit,
                            const struct heartbeat *heartbeat, struct unit_result *result) {
    struct colours_worker *worker = data;
    const struct colours_board *board = worker->board;
    struct x x = unit->first;
    nq_status status = NQ_OK;
    worker->heartbeat = heartbeat;
    worker->next_beat = COMPLETIONS_PER_BEAT;
    worker->overflow = false;
    worker->result = (struct unit_result){0};
    if (board->n % 2 == 0)
        colours_worker_make_keys(worker, __builtin_popcount(x.even));
    for (uint32_t i = 0; i < unit->sets && status == NQ_OK; i++) {
        const int weight = nqi_colours_x_weight(board, x);
        if (weight > 0)
            status = colours_solve_rows(worker, x, (uint64_t)weight);
        colours_next_x(board, &x);
    }
    *result = worker->result;
    return status;
}

static nq_status colours_solve(const struct solver *solver, void *worker, uint64_t id,
                               const struct heartbeat *heartbeat, struct unit_result *result) {
    const struct colours_solver *colours = (const struct colours_solver *)solver;
    return nqi_colours_solve(worker, &colours->partition->unit[id], heartbeat, result);
}

static void colours_solver_close(struct solver *solver) {
    struct colours_solver *colours = (struct colours_solver *)solver;
    first_lists_free(colours->shared, &colours->partition->board, NULL);
    free(colours->shared);
    free(colours);
}

static const struct solver_calls colours_calls = {.close = colours_solver_close,
                                                  .worker_new = colours_worker_new,
                                                  .worker_free = colours_worker_free,
                                                  .solve = colours_solve};

struct solver *nqi_colours_solver(const struct partition *partition,
                                  const struct implementation *kernel, int max_shared_n,
                                  size_t lists_bytes) {
    struct colours_solver *colours = malloc(sizeof *colours);
    if (colours == NULL)
        return NULL;
    const struct completer *completer = (const struct completer *)kernel;
    if (completer->wider != NULL && nqi_implementation_runs_here(&completer->wider->impl))
        completer = completer->wider;
    *colours = (struct colours_solver){
        .solver = {.call = &colours_calls, .partition = partition, .kernel = kernel->name},
        .partition = (const struct colours_partition *)partition,
        .completer = completer,
        .lists_bytes = lists_bytes};
    if (partition->job.n <= max_shared_n) {
        colours->shared = calloc(1, sizeof *colours->shared);
        if (colours->shared == NULL) {
            free(colours);
            return NULL;
        }
    }
    return &colours->solver;
}

static struct solver *colours_solver_new(const struct partition *partition,
                                         const struct implementation *kernel) {
    return nqi_colours_solver(partition, kernel, MAX_SHARED_N, LISTS_BYTES);
}

const struct method nqi_method_colours = {.name = "colours",
                                          .work = "completions",
                                          .kernels = nqi_completer_list,
                                          .plans = nqi_colours_plans,
                                          .partition = nqi_colours_partition,
                                          .solver = colours_solver_new,
                                          .plain = nqi_colours_plain_solver};
