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
static_assert(TABLES_BYTES / sizeof(uint32_t) <= 1 << 15 && COLOURS_LINES <= 15,
              "half a word holds a table's number and a set of columns");
/* docs/algorithm.md, "No entry wraps around"; 5040 = 7!. */
static_assert(NQ_MAX_N <= 28 && UINT64_C(5040) * 5040 * 2 <= UINT32_MAX,
              "entries fit in 32 bits");

struct cpu_backend {
    const struct completer *completer;
    const struct colours_board *board;
    void *scratch; /* of completers */
    uint32_t *table;
    size_t entries;      /* of a table */
    size_t tables;       /* filled together */
    uint64_t unreported; /* completions since the last heartbeat */
};

struct cpu_backend *nqi_cpu_backend_new(const struct colours_board *board,
                                        const struct completer *completer) {
    struct cpu_backend *backend = calloc(1, sizeof *backend);
    if (backend == NULL)
        return NULL;
    const size_t entries = (((size_t)1 << board->evens) + 1) / 2,
                 fit = TABLES_BYTES / (entries * sizeof *backend->table);
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

/* Consecutive sets D, at most `tables`, each with a table of its own. */
struct columns_group {
    const struct x_task *task;
    size_t begin, count;        /* their ranks */
    uint8_t weight[MAX_TABLES]; /* [table]; 0: D does not count */
};

/* Returns where the placements on the D of a table begin in the list of a colour. */
static const uint32_t *group_placements(const struct columns_group *group,
                                        const struct x_side *side, size_t table) {
    const size_t rank = group->begin + table;
    return side->first->begin + (side->white ? group->task->sets - 1 - rank : rank);
}

/* Completes placements of a list from `at` to `end`, which have one weight. */
static nq_status cpu_complete(struct cpu_backend *backend, const struct columns_group *group,
                              const struct x_side *side, size_t at, size_t end, uint64_t weight,
                              enum pass pass, struct unit_result *sum) {
    const struct completer *completer = backend->completer;
    const struct first_list *first = side->first;
    const struct batch batch = {
        .right = first->right + at,
        .left = first->left + at,
        .rank = first->rank + at,
        .flip = side->white ? UINT16_MAX : 0,
        .base = (uint16_t)((side->white ? group->task->sets : 0) - group->begin),
        .count = end - at};
    uint64_t added = 0;
    if (at == end)
        return NQ_OK;
    sum->work +=
        pass == TALLY
            ? completer->tally(&side->second, &batch, backend->scratch, backend->table)
            : completer->sum(&side->second, &batch, backend->scratch, backend->table, &added);
    return added < UINT64_MAX ? solutions_add(&sum->solutions, weight, added) : NQ_OVERFLOW;
}

/* Completes all first placements of one colour. Those that follow each other in its list share
 * batches. */
static nq_status cpu_complete_all(struct cpu_backend *backend,
                                  const struct columns_group *group, const struct x_side *side,
                                  enum pass pass, struct unit_result *sum) {
    nq_status status = NQ_OK;
    size_t at = 0, end = 0;
    unsigned weight = 0;
    for (size_t i = 0; i < group->count && status == NQ_OK; i++) {
        const size_t table = side->white ? group->count - 1 - i : i;
        const uint32_t *begin = group_placements(group, side, table);
        const unsigned of_table = group->weight[table];
        if (of_table == 0)
            continue;
        if (begin[0] != end || (of_table != weight && pass == SUM)) {
            status = cpu_complete(backend, group, side, at, end, weight, pass, sum);
            at = begin[0];
            weight = of_table;
        }
        end = begin[1];
    }
    return status == NQ_OK ? cpu_complete(backend, group, side, at, end, weight, pass, sum)
                           : status;
}

/* Adds what some D contribute. */
static nq_status cpu_add_columns(struct cpu_backend *backend, struct columns_group *group,
                                 struct unit_result *sum) {
    const struct x_task *task = group->task;
    struct unit_result found = {0};
    for (size_t i = 0; i < group->count; i++) {
        const uint32_t *fewer = group_placements(group, &task->fewer, i),
                       *more = group_placements(group, &task->more, i);
        group->weight[i] = fewer[0] != fewer[1] && more[0] != more[1]
                               ? task->columns[group->begin + i].weight
                               : 0;
    }
    nq_status status = cpu_complete_all(backend, group, &task->fewer, TALLY, &found);
    for (size_t i = 0; i < group->count && task->keys != NULL; i++)
        backend->completer->weigh(backend->table + i * backend->entries, backend->entries,
                                  task->keys, task->key, task->columns[group->begin + i].twice);
    if (status == NQ_OK && task->counts)
        status = cpu_complete_all(backend, group, &task->more, SUM, &found);
    memset(backend->table, 0, group->count * backend->entries * sizeof *backend->table);
    sum->work += found.work;
    backend->unreported += found.work;
    return status == NQ_OK ? solutions_add(&sum->solutions, task->weight, found.solutions)
                           : status;
}

nq_status nqi_cpu_backend_add(struct cpu_backend *backend, const struct x_task *task,
                              const struct heartbeat *heartbeat, struct unit_result *sum) {
    struct columns_group group = {.task = task};
    nq_status status = NQ_OK;
    for (size_t at = task->begin; at < task->end && status == NQ_OK; at += group.count) {
        group.begin = at;
        group.count = task->end - at < backend->tables ? task->end - at : backend->tables;
        status = cpu_add_columns(backend, &group, sum);
        if (status == NQ_OK && backend->unreported >= COMPLETIONS_PER_BEAT) {
            backend->unreported = 0;
            status = heartbeat_go_on(heartbeat, sum->work) ? NQ_OK : NQ_CANCELLED;
        }
    }
    return status;
}
