/* Completer `scalar64`: one first placement after the other, depth first. */
#include "colours/weigh.h"

/* What stays the same for all completions of a batch. */
struct walk {
    const struct second *second;
    uint32_t all;    /* columns */
    uint32_t flip;   /* what to flip in the columns of a completion */
    uint32_t *table; /* of the first placement */
    uint64_t sum, completions;
};

/* Fills the last row, whose free columns are given: adds the entries of all completions to the
 * sum or, to tally, 1 to each. */
static inline __attribute__((always_inline)) void walk_end(struct walk *walk, bool tally,
                                                           uint32_t columns, uint32_t free) {
    walk->completions += (unsigned)__builtin_popcount(free);
    for (; free != 0; free &= free - 1) {
        uint32_t *entry = &walk->table[(columns ^ (free & -free)) >> 1];
        if (tally)
            (*entry)++;
        else
            walk->sum += *entry;
    }
}

/* Fills the rows from number `at` on; there is at least one. */
static inline __attribute__((always_inline)) void
walk_row(struct walk *walk, bool tally, int at, uint32_t columns, uint32_t left, uint32_t right,
         void (*next)(struct walk *, int, uint32_t, uint32_t, uint32_t)) {
    const int row = walk->second->row[at], up = walk->second->last - row;
    uint32_t free = walk->all & ~(columns | left >> up | right >> row);
    if (at + 1 == walk->second->row_count) {
        walk_end(walk, tally, columns ^ walk->flip, free);
        return;
    }
    for (; free != 0; free &= free - 1) {
        const uint32_t queen = free & -free;
        next(walk, at + 1, columns | queen, left | queen << up, right | queen << row);
    }
}

static void walk_tally(struct walk *walk, int at, uint32_t columns, uint32_t left,
                       uint32_t right) {
    walk_row(walk, true, at, columns, left, right, walk_tally);
}

static void walk_sum(struct walk *walk, int at, uint32_t columns, uint32_t left,
                     uint32_t right) {
    walk_row(walk, false, at, columns, left, right, walk_sum);
}

static uint64_t scalar64_complete(const struct second *second, const struct batch *batch,
                                  uint32_t *table, uint64_t *sum) {
    const uint32_t all = low_bits(second->columns);
    struct walk walk = {.second = second, .all = all, .flip = sum == NULL ? all : 0};
    for (size_t i = 0; i < batch->count; i++) {
        walk.table = table + ((size_t)batch->table[i] << second->columns >> 1);
        if (second->row_count == 0) {
            completer_end_at_once(walk.table + (walk.flip >> 1), sum);
            walk.completions++;
        } else if (sum == NULL) {
            walk_tally(&walk, 0, 0, batch->left[i], batch->right[i]);
        } else {
            walk_sum(&walk, 0, 0, batch->left[i], batch->right[i]);
        }
    }
    if (sum != NULL)
        *sum += walk.sum;
    return walk.completions;
}

static uint64_t scalar64_tally(const struct second *second, const struct batch *batch,
                               void *scratch, uint32_t *table) {
    (void)scratch;
    return scalar64_complete(second, batch, table, NULL);
}

static uint64_t scalar64_sum(const struct second *second, const struct batch *batch,
                             void *scratch, const uint32_t *table, uint64_t *sum) {
    (void)scratch;
    return scalar64_complete(second, batch, (uint32_t *)table, sum);
}

static size_t scalar64_batch(int columns) {
    (void)columns;
    return COMPLETER_BATCH;
}

const struct completer nqi_completer_scalar64 = {
    .impl = {.name = "scalar64", .needs = CPU_FEATURES_COMPILED_FOR},
    .scratch_bytes = 64,
    .batch = scalar64_batch,
    .tally = scalar64_tally,
    .sum = scalar64_sum,
    .weigh = completer_weigh};
