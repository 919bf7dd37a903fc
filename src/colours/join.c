/* SPDX-License-Identifier: MIT */
/* Computes what one X contributes. One D often has too few first placements to fill the
 * vectors, so several D are processed together, each with its own lookup table. */
#include "colours/join.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLES_BYTES = 32 << 10, /* most for several tables together; about a first-level cache */
    MAX_TABLES = 64,
    COMPLETIONS_PER_BEAT = 1 << 21 /* between heartbeats: a few milliseconds */
};
_Static_assert(TABLES_BYTES / sizeof(uint32_t) <= 1 << 15 && COLOURS_LINES <= 15,
               "half a word holds a table's number and a set of columns");
/* docs/algorithm.md, "No entry wraps around", has the proof; 5040 = 7!. */
_Static_assert(NQ_MAX_N <= 28 && UINT64_C(5040) * 5040 * 2 <= UINT32_MAX,
               "entries fit in 32 bits");

struct join {
    const struct completer *completer;
    void *scratch; /* memory for the completer's calls */
    uint32_t *table;
    size_t entries;      /* of one table */
    size_t tables;       /* number of them, which are filled together */
    bool weighs_entries; /* true for even n */
    uint64_t unreported; /* completions since the last heartbeat */
};

struct join *nqi_join_new(const struct colours_board *board,
                          const struct completer *completer) {
    struct join *join = calloc(1, sizeof *join);
    if (join == NULL)
        return NULL;
    const size_t entries = (((size_t)1 << board->evens) + 1) / 2,
                 fit = TABLES_BYTES / (entries * sizeof *join->table);
    join->completer = completer;
    join->entries = entries;
    join->weighs_entries = board->n % 2 == 0;
    join->tables = fit < 1 ? 1 : fit < MAX_TABLES ? fit : MAX_TABLES;
    join->table = calloc(join->tables * entries, sizeof *join->table);
    join->scratch = aligned_alloc(64, completer->scratch_bytes / 64 * 64 + 64);
    if (join->table != NULL && join->scratch != NULL)
        return join;
    nqi_join_free(join);
    return NULL;
}

void nqi_join_free(struct join *join) {
    if (join == NULL)
        return;
    free(join->table);
    free(join->scratch);
    free(join);
}

/* D of consecutive ranks that are counted together, each with its own table. */
struct d_group {
    const struct prepared_x *x;
    size_t begin, count;        /* the first rank, and number of ranks */
    uint8_t weight[MAX_TABLES]; /* [table]: D's factor; 0 if D does not count */
};

/* Returns a pointer to where the colour's list has the first placements for the D of a table.
 * [0] is the first of them, [1] the one after the last. */
static const uint32_t *group_begin(const struct d_group *group, const struct x_side *side,
                                   size_t table) {
    const size_t rank = group->begin + table;
    return side->first->begin + (side->white ? group->x->d->count - 1 - rank : rank);
}

/* Completes the first placements from `begin` to before `end`. For SUM, all must have the same
 * weight. */
static nq_status join_slice(struct join *join, const struct d_group *group,
                            const struct x_side *side, size_t begin, size_t end,
                            uint64_t weight, enum pass pass, struct unit_result *sum) {
    const struct completer *completer = join->completer;
    const struct first_list *first = side->first;
    const struct first_slice slice = {
        .right = first->right + begin,
        .left = first->left + begin,
        .rank = first->rank + begin,
        .flip = side->white ? UINT16_MAX : 0,
        .base = (uint16_t)((side->white ? group->x->d->count : 0) - group->begin),
        .count = end - begin};
    uint64_t added = 0;
    if (begin == end)
        return NQ_OK;
    sum->work += pass == TALLY
                     ? completer->tally(&side->half, &slice, join->scratch, join->table)
                     : completer->sum(&side->half, &slice, join->scratch, join->table, &added);
    return added < UINT64_MAX ? solutions_add(&sum->solutions, weight, added) : NQ_OVERFLOW;
}

/* Completes all first placements of one colour, in slices as long as possible: a slice goes on
 * while the next placements that count are adjacent and, for SUM, have the same weight. */
static nq_status join_side(struct join *join, const struct d_group *group,
                           const struct x_side *side, enum pass pass, struct unit_result *sum) {
    nq_status status = NQ_OK;
    size_t begin = 0, end = 0;
    unsigned weight = 0;
    for (size_t i = 0; i < group->count && status == NQ_OK; i++) {
        const size_t table = side->white ? group->count - 1 - i : i;
        const uint32_t *placements = group_begin(group, side, table);
        const unsigned table_weight = group->weight[table];
        if (table_weight == 0)
            continue;
        if (placements[0] != end || (table_weight != weight && pass == SUM)) {
            status = join_slice(join, group, side, begin, end, weight, pass, sum);
            begin = placements[0];
            weight = table_weight;
        }
        end = placements[1];
    }
    return status == NQ_OK ? join_slice(join, group, side, begin, end, weight, pass, sum)
                           : status;
}

/* Adds what a group of D contributes. A D counts only if both colours have first placements. */
static nq_status join_group(struct join *join, struct d_group *group, struct unit_result *sum) {
    const struct prepared_x *x = group->x;
    const struct d_list *d = x->d;
    struct unit_result added = {0};
    for (size_t i = 0; i < group->count; i++) {
        const uint32_t *minority = group_begin(group, &x->minority, i),
                       *majority = group_begin(group, &x->majority, i);
        const bool both = minority[0] != minority[1] && majority[0] != majority[1];
        group->weight[i] = both ? d->factors[group->begin + i].weight : 0;
    }
    nq_status status = join_side(join, group, &x->minority, TALLY, &added);
    for (size_t i = 0; i < group->count && join->weighs_entries; i++)
        join->completer->weigh(join->table + i * join->entries, join->entries, d->b_keys,
                               d->key, d->factors[group->begin + i].exceeds_key);
    if (status == NQ_OK && x->leaves_room)
        status = join_side(join, group, &x->majority, SUM, &added);
    memset(join->table, 0, group->count * join->entries * sizeof *join->table);
    sum->work += added.work;
    join->unreported += added.work;
    return status == NQ_OK ? solutions_add(&sum->solutions, x->weight, added.solutions)
                           : status;
}

nq_status nqi_join_add(struct join *join, const struct prepared_x *x,
                       const struct heartbeat *heartbeat, struct unit_result *sum) {
    struct d_group group = {.x = x};
    nq_status status = NQ_OK;
    for (size_t rank = x->d->begin; rank < x->d->end && status == NQ_OK; rank += group.count) {
        group.begin = rank;
        group.count = x->d->end - rank < join->tables ? x->d->end - rank : join->tables;
        status = join_group(join, &group, sum);
        if (status == NQ_OK && join->unreported >= COMPLETIONS_PER_BEAT) {
            join->unreported = 0;
            status = heartbeat_go_on(heartbeat, sum->work) ? NQ_OK : NQ_CANCELLED;
        }
    }
    return status;
}
