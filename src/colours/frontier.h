/* SPDX-License-Identifier: MIT */
/* The frontier: completes first placements with vectors, a state in each lane.
 *
 * States wait in one stack for each row to fill. A pass takes up to PASS of them from the
 * deepest stack that holds PASS, so that vectors are full, and appends their children to the
 * stack below: in each round every state places one queen on its lowest free column, and the
 * lanes that had one are compressed. A depth-first walk of single states would leave most lanes
 * empty; a breadth-first one would not fit into the cache.
 *
 * The last queens are not added up where they are placed: a round writes the entries of its
 * completions to a list, and a loop without vectors follows.
 *
 * The including file defines, for its instruction set:
 *
 *   LANES, TOGETHER   lanes of a vector; vectors that share rounds, to hide latencies
 *   PASS              states of a pass: a multiple of LANES x TOGETHER
 *   word, vec, mask   types: of a lane, of a vector, of a set of lanes as an integer
 *   v_load, v_store   a vector anywhere in memory
 *   v_lowest(v)       the lowest bit of each lane
 *   v_first_lanes(k, v)   v with zeros in all lanes but the first k, for any k
 *   v_nonzero(v)      the lanes that are not 0
 *   mask_lanes(m)     their number
 *   compression_of(m), v_compress(c, v)   the lanes of m moved to the front
 *
 * and how states are kept, as states_32.h does for lanes of 32 bits:
 *
 *   struct lanes      states, one a lane: vectors of the words of a stack
 *   struct step, step_of(second, batch, at, flip)   what all states of a row have in common;
 *                     at: number of the row among those to fill; flip: what the entry of a
 *                     completion flips in its columns
 *   lanes_free(step, v)          the free columns of each state's row
 *   lanes_moved(step, v)         the states as the next row sees them, without this row's queen
 *   lanes_place(step, v, queen)  those of lanes_moved with that queen: what waits in the stack
 *                                below
 *   lanes_last(step, v)          in the last row, instead of lanes_moved
 *   lanes_finish(step, v, queen) those of lanes_last with that queen: entries of completions
 *   ONE_WAY           1: rows must ascend or descend
 *   UNBALANCED        as in struct completer
 *   frontier_start(second, batch, columns, right, left)   writes the states of the first row
 *   frontier_most(columns)       as most() of struct completer
 *
 *   KERNEL            macro: the kernel's name, as a row of KERNELS has it
 *   FRONTIER_OWN_PASS   macro, or none: the file has a frontier_pass of its own
 *   FRONTIER_CHECK(at, room)   macro of tests, or none: told of each vector that is loaded or
 *                     stored, at word `at` of an array of `room`
 */
#ifndef COLOURS_FRONTIER_H
#define COLOURS_FRONTIER_H

#include "colours/completer.h"

#ifndef FRONTIER_CHECK
#define FRONTIER_CHECK(at, room)
#endif

enum {
    /* A stack that holds less than PASS states may get all children of a pass. */
    ROOM = PASS + PASS * COLOURS_LINES + ROUND_LANES,
    ENTRIES = PASS * COLOURS_LINES + ROUND_LANES,
    AHEAD = 4 /* rows, if a second class is unbalanced */
};

struct stack {
    word columns[ROOM], right[ROOM], left[ROOM];
};

struct frontier {
    struct stack stack[COLOURS_LINES];
    word entry[ENTRIES];
};

static inline struct lanes frontier_load(const struct stack *stack, size_t at) {
    FRONTIER_CHECK(at, ROOM);
    return (struct lanes){v_load(stack->columns + at), v_load(stack->right + at),
                          v_load(stack->left + at)};
}

/* For second classes without rows: each first placement is one completion. */
static inline void completer_end_at_once(enum pass pass, uint32_t *entry, uint64_t *sum) {
    if (pass == TALLY)
        (*entry)++;
    else
        *sum += *entry;
}

static void completer_weigh(uint32_t *restrict table, size_t entries,
                            const uint32_t *restrict keys, uint32_t key, bool twice) {
    const uint32_t above = twice ? key : UINT32_MAX;
    for (size_t i = 0; i < entries; i++) {
        const uint32_t kept = keys[i] >= key ? table[i] : 0;
        table[i] = kept + (keys[i] > above ? kept : 0);
    }
}

/* Makes the children of the states from `at` to `end` of a stack: appends them to the stack
 * below, which holds `born`, or appends entries, if this is the last row. Returns the number
 * there. */
static inline __attribute__((always_inline)) size_t
frontier_pass(const struct step *step, const struct stack *here, size_t at, size_t end,
              struct stack *below, word *entry, size_t born);

/* Looks ahead: of the states from `at` to `end`, keeps those that have a free column in each of
 * so many rows from this one on. Returns the end of those kept. */
static size_t frontier_sift(const struct step *step, int rows, struct stack *here, size_t at,
                            size_t end);

#ifndef FRONTIER_OWN_PASS
static size_t frontier_sift(const struct step *step, int rows, struct stack *here, size_t at,
                            size_t end) {
    size_t kept = at;
    for (; at < end; at += LANES) {
        const struct lanes v = frontier_load(here, at);
        mask alive = v_nonzero(v_first_lanes(end - at, lanes_free(step, v)));
        for (int row = 1; row < rows; row++)
            alive &= v_nonzero(lanes_free(step + row, v));
        const compression lanes = compression_of(alive);
        v_store(here->columns + kept, v_compress(lanes, v.columns));
        v_store(here->right + kept, v_compress(lanes, v.right));
        v_store(here->left + kept, v_compress(lanes, v.left));
        kept += (size_t)mask_lanes(alive);
    }
    return kept;
}

static inline __attribute__((always_inline)) size_t
frontier_pass(const struct step *step, const struct stack *here, size_t at, size_t end,
              struct stack *below, word *entry, size_t born) {
    const bool last = entry != NULL;
    for (; at < end; at += LANES * TOGETHER) {
        struct lanes v[TOGETHER];
        vec free[TOGETHER];
        mask some[TOGETHER];
        mask any = 0;
#pragma GCC unroll 8
        for (int i = 0; i < TOGETHER; i++) {
            const size_t first = at + (size_t)i * LANES;
            v[i] = frontier_load(here, first);
            free[i] = v_first_lanes(end > first ? end - first : 0, lanes_free(step, v[i]));
            v[i] = last ? lanes_last(step, v[i]) : lanes_moved(step, v[i]);
            some[i] = v_nonzero(free[i]);
            any |= some[i];
        }
        while (any != 0) {
            any = 0;
#pragma GCC unroll 8
            for (int i = 0; i < TOGETHER; i++) {
                const vec queen = v_lowest(free[i]);
                const compression lanes = compression_of(some[i]);
                FRONTIER_CHECK(born, last ? ENTRIES : ROOM);
                if (last) {
                    v_store(entry + born, v_compress(lanes, lanes_finish(step, v[i], queen)));
                } else {
                    const struct lanes child = lanes_place(step, v[i], queen);
                    v_store(below->columns + born, v_compress(lanes, child.columns));
                    v_store(below->right + born, v_compress(lanes, child.right));
                    v_store(below->left + born, v_compress(lanes, child.left));
                }
                born += (size_t)mask_lanes(some[i]);
                free[i] ^= queen;
                some[i] = v_nonzero(free[i]);
                any |= some[i];
            }
        }
    }
    return born;
}
#endif

/* Not inlined, so that all registers are theirs: 0.94 of the time at n = 18. */
static __attribute__((noinline)) size_t frontier_fill(const struct step *step,
                                                      const struct stack *here, size_t at,
                                                      size_t end, struct stack *below,
                                                      size_t born) {
    return frontier_pass(step, here, at, end, below, NULL, born);
}

static __attribute__((noinline)) size_t frontier_fill_last(const struct step *step,
                                                           const struct stack *here, size_t at,
                                                           size_t end, word *entry) {
    return frontier_pass(step, here, at, end, NULL, entry, 0);
}

/* Unrolled, both: 0.95 of the time at n = 18, avx512vbmi2. */
static void frontier_tally_entries(const word *entry, size_t count, uint32_t *table) {
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++)
        table[entry[i]]++;
}

static uint64_t frontier_sum_entries(const word *entry, size_t count, const uint32_t *table) {
    uint64_t sum = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        uint64_t number = table[entry[i]];
        __asm__("" : "+r"(number)); /* else gcc adds vectors, which it fills lane by lane */
        sum += number;
    }
    return sum;
}

/* Counts the completions in `table`, or adds their entries to *sum. Returns their number. */
static inline __attribute__((always_inline)) uint64_t
frontier_complete(enum pass pass, const struct second *second, const struct batch *batch,
                  struct frontier *frontier, uint32_t *table, uint64_t *sum) {
    const int last = second->row_count - 1;
    const bool sift = !ONE_WAY && second_unbalanced(second);
    const uint32_t flip = pass == TALLY ? low_bits(second->columns) : 0;
    size_t count[COLOURS_LINES] = {batch->count};
    struct step step[COLOURS_LINES];
    uint64_t completions = 0, added = 0;
    for (size_t i = 0; i < batch->count && last < 0; i++)
        completer_end_at_once(
            pass, table + (((size_t)batch_table(batch, i) << second->columns | flip) >> 1),
            sum);
    if (last < 0)
        return batch->count;
    for (int i = 0; i <= last; i++)
        step[i] = step_of(second, batch, i, flip);
    frontier_start(second, batch, frontier->stack[0].columns, frontier->stack[0].right,
                   frontier->stack[0].left);
    for (;;) {
        /* The deepest stack that fills a pass, else the topmost that is not empty. */
        int at = last;
        while (at >= 0 && count[at] < PASS)
            at--;
        while (at < last && (at < 0 || count[at] == 0))
            at++;
        if (count[at] == 0)
            break;
        const size_t first = count[at] > PASS ? count[at] - PASS : 0;
        size_t end = count[at];
        count[at] = first;
        if (at < last && sift)
            end = frontier_sift(&step[at], last - at < AHEAD ? last - at + 1 : AHEAD,
                                &frontier->stack[at], first, end);
        if (at < last) {
            count[at + 1] = frontier_fill(&step[at], &frontier->stack[at], first, end,
                                          &frontier->stack[at + 1], count[at + 1]);
            continue;
        }
        const size_t entries =
            frontier_fill_last(&step[at], &frontier->stack[at], first, end, frontier->entry);
        completions += entries;
        if (pass == TALLY)
            frontier_tally_entries(frontier->entry, entries, table);
        else
            added += frontier_sum_entries(frontier->entry, entries, table);
    }
    if (pass == SUM)
        *sum += added;
    return completions;
}

static uint64_t frontier_tally(const struct second *second, const struct batch *batch,
                               void *scratch, uint32_t *table) {
    return frontier_complete(TALLY, second, batch, scratch, table, NULL);
}

static uint64_t frontier_sum(const struct second *second, const struct batch *batch,
                             void *scratch, const uint32_t *table, uint64_t *sum) {
    return frontier_complete(SUM, second, batch, scratch, (uint32_t *)table, sum);
}

const struct completer KERNEL_SYMBOL(nqi_completer_, KERNEL) = {
    .impl = {.name = KERNEL_TEXT(KERNEL), .needs = CPU_FEATURES_COMPILED_FOR},
    .one_way = ONE_WAY,
    .unbalanced = UNBALANCED,
    .scratch_bytes = sizeof(struct frontier),
    .most = frontier_most,
    .tally = frontier_tally,
    .sum = frontier_sum,
    .weigh = completer_weigh};

#endif
