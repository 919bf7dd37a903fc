/* SPDX-License-Identifier: MIT */
/* Adds up an X on this CPU.
 *
 * The colour with fewer queens fills a table: how many of its placements leave each set of even
 * columns to the other colour, whose placements then look it up. Several D are counted
 * together, each with a table of its own, so that completers get full batches even where a D
 * has few first placements.
 */
#include "colours/task.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLES_BYTES = 32 << 10, /* of all tables, if there are several: a first-level cache */
    MAX_TABLES = 64,
    COMPLETIONS_PER_BEAT = 1 << 21 /* a few milliseconds */
};
static_assert(TABLES_BYTES / sizeof(uint32_t) <= 1 << 15 && COLOURS_LINES <= 16,
              "a word of 16 bits holds a table's number and a set of columns");
/* docs/algorithm.md, "No entry wraps around", and of sums; 1307674368000 = 15!, 5040 = 7!. */
static_assert(COLOURS_MAX_N <= 30 && UINT64_C(5040) * 5040 * 2 <= UINT32_MAX &&
                  2 * MAX_BATCH * UINT64_C(1307674368000) <= UINT64_MAX / 5040,
              "entries fit in 32 bits, sums of a batch in 64");

struct cpu_backend {
    struct batch batch; /* first, since it is aligned */
    const struct completer *completer;
    const struct colours_board *board;
    void *scratch; /* the completer's */
    uint32_t *table;
    size_t entries, tables; /* of a table; that are filled together */
    uint64_t unreported;    /* completions since the last heartbeat */
};

struct cpu_backend *nqi_cpu_backend_new(const struct colours_board *board,
                                        const struct completer *completer) {
    struct cpu_backend *backend = aligned_alloc(alignof(struct cpu_backend), sizeof *backend);
    if (backend == NULL)
        return NULL;
    const size_t entries = (((size_t)1 << board->evens) + 1) / 2,
                 fit = TABLES_BYTES / (entries * sizeof *backend->table);
    memset(backend, 0, sizeof *backend);
    backend->completer = completer;
    backend->board = board;
    backend->entries = entries;
    backend->tables = fit < 1 ? 1 : fit < MAX_TABLES ? fit : MAX_TABLES;
    backend->table = calloc(backend->tables * entries, sizeof *backend->table);
    backend->scratch = aligned_alloc(64, completer->scratch_bytes / 64 * 64 + 64);
    if (backend->table != NULL && backend->scratch != NULL)
        return backend;
    nqi_cpu_backend_free(backend);
    return NULL;
}

void nqi_cpu_backend_free(struct cpu_backend *backend) {
    if (backend == NULL)
        return;
    free(backend->table);
    free(backend->scratch);
    free(backend);
}

/* Completes the batch, and empties it. Adds the completions to work. */
static nq_status cpu_complete(struct cpu_backend *backend, const struct x_side *side,
                              enum pass pass, struct unit_result *sum) {
    const struct completer *completer = backend->completer;
    uint64_t of_batch = 0; /* which cannot wrap around (docs/algorithm.md) */
    sum->work += pass == TALLY ? completer->tally(&side->second, &backend->batch,
                                                  backend->scratch, backend->table)
                               : completer->sum(&side->second, &backend->batch,
                                                backend->scratch, backend->table, &of_batch);
    backend->batch.count = 0;
    return __builtin_add_overflow(sum->solutions, of_batch, &sum->solutions) ? NQ_OVERFLOW
                                                                             : NQ_OK;
}

/* Completes all first placements on some sets of odd columns, each with a table of its own. */
static nq_status cpu_complete_all(struct cpu_backend *backend, const struct x_side *side,
                                  const struct odd_columns *const *columns, size_t count,
                                  enum pass pass, struct unit_result *sum) {
    struct batch *batch = &backend->batch;
    const struct first_list *first = side->first;
    const size_t most = backend->completer->most(side->second.columns);
    nq_status status = NQ_OK;
    for (size_t table = 0; table < count; table++) {
        const uint32_t set = columns[table]->set ^ side->flip;
        size_t at = first->begin[set];
        const size_t end = first->begin[set + 1];
        while (at < end && status == NQ_OK) {
            const size_t room = most - batch->count, more = end - at < room ? end - at : room;
            for (size_t i = 0; i < more; i += FIRST_MARGIN) {
                memcpy(batch->right + batch->count + i, first->right + at + i,
                       FIRST_MARGIN * sizeof *batch->right);
                memcpy(batch->left + batch->count + i, first->left + at + i,
                       FIRST_MARGIN * sizeof *batch->left);
                for (size_t j = 0; j < FIRST_MARGIN; j++)
                    batch->table[batch->count + i + j] = (uint16_t)table;
            }
            batch->count += more;
            at += more;
            if (batch->count == most)
                status = cpu_complete(backend, side, pass, sum);
        }
    }
    return batch->count > 0 ? cpu_complete(backend, side, pass, sum) : status;
}

/* Adds what some D of one weight contribute. There is a table for each. */
static nq_status cpu_add_columns(struct cpu_backend *backend, const struct x_task *task,
                                 const struct odd_columns *const *columns, size_t count,
                                 struct unit_result *sum) {
    struct unit_result found = {0};
    nq_status status = cpu_complete_all(backend, &task->fewer, columns, count, TALLY, &found);
    for (size_t i = 0; i < count && task->keys != NULL; i++)
        backend->completer->weigh(backend->table + i * backend->entries, backend->entries,
                                  task->keys, task->key, columns[i]->twice);
    if (status == NQ_OK)
        status = cpu_complete_all(backend, &task->more, columns, count, SUM, &found);
    memset(backend->table, 0, count * backend->entries * sizeof *backend->table);
    sum->work += found.work;
    backend->unreported += found.work;
    if (status == NQ_OK &&
        (__builtin_mul_overflow(found.solutions, task->weight * columns[0]->weight,
                                &found.solutions) ||
         __builtin_add_overflow(sum->solutions, found.solutions, &sum->solutions)))
        status = NQ_OVERFLOW;
    return status;
}

nq_status nqi_cpu_backend_add(struct cpu_backend *backend, const struct x_task *task,
                              const struct heartbeat *heartbeat, struct unit_result *sum) {
    const struct first_list *fewer = task->fewer.first, *more = task->more.first;
    const struct odd_columns *chosen[MAX_TABLES] = {NULL};
    size_t count = 0;
    nq_status status = NQ_OK;
    for (size_t i = 0; i <= task->columns_count && status == NQ_OK; i++) {
        const bool end = i == task->columns_count;
        const struct odd_columns *columns = task->columns + i;
        if (count > 0 &&
            (end || count == backend->tables || chosen[0]->weight != columns->weight)) {
            status = cpu_add_columns(backend, task, chosen, count, sum);
            count = 0;
            if (status == NQ_OK && backend->unreported >= COMPLETIONS_PER_BEAT) {
                backend->unreported = 0;
                status = heartbeat_go_on(heartbeat, sum->work) ? NQ_OK : NQ_CANCELLED;
            }
        }
        if (end)
            break;
        const uint32_t of_fewer = columns->set ^ task->fewer.flip,
                       of_more = columns->set ^ task->more.flip;
        if (fewer->begin[of_fewer] != fewer->begin[of_fewer + 1] &&
            more->begin[of_more] != more->begin[of_more + 1])
            chosen[count++] = columns;
    }
    return status;
}
