/* SPDX-License-Identifier: MIT */
/* The frontier: completes first placements with vectors, one state in each lane.
 *
 * The problem is to keep all lanes busy. States have different numbers of children. A
 * depth-first walk, state by state, would leave most lanes empty, and the states of a
 * breadth-first walk would not fit into the cache. So states wait in stacks, one for each
 * number of rows left to fill. A sweep takes SWEEP states from one stack and places a queen on
 * the lowest free column of each. Their children, wherever they were in the vectors, are pushed
 * side by side onto the stack with one row fewer left; states that have another free column
 * stay. The next sweep is of the stack with the fewest rows left that holds SWEEP states, so
 * that no stack ever holds twice SWEEP.
 *
 * In the last row, a sweep makes a list that says which entry of the lookup tables belongs to
 * each completion. A loop without vectors then increments these entries (TALLY), or adds them
 * up (SUM).
 *
 * states.h says what a state has in its lane, and how a child is made of it. Each kernel
 * includes this file after it has defined the following, for its instruction set and lanes of
 * 32 bits. The high half of a lane has the bits from 16 on, and a set of columns has column c
 * at bit c of a half.
 *
 *   KERNEL                 macro: the kernel's name, as KERNELS_HERE has it
 *   LANES                  number of lanes of a vector
 *   vec                    type of a vector; C's operators work on each lane
 *   mask                   type of a set of lanes; C's operator & works on it
 *   v_load(from)           loads a vector from memory, without alignment
 *   v_store(to, v)         stores a vector in memory, without alignment
 *   v_broadcast(word)      a vector with this word in every lane
 *   shift                  type of a distance of 0 to 31 bits
 *   shift_by(bits)         makes a shift
 *   v_shift_left(v, by)    shifts every lane
 *   v_shift_right(v, by)   shifts every lane; zeros come in
 *   struct reach           type of two distances of 0 to 15 bits, one for each half of a lane
 *   reach_of(high, low)    makes a reach
 *   v_reach(&r, v)         the columns that queens attack. Each lane of v has at most one bit,
 *                          a queen, in its high half, and 0 in its low half. Each half of the
 *                          result has the queen's bit, and this bit moved to the left and to
 *                          the right by the distance of that half; bits that leave the half
 *                          are lost
 *   v_reach_high(&r, v)    like v_reach, but the low half of the result does not matter
 *   v_halves(high, low)    the high halves of one vector with the low halves of another
 *   v_nonzero(v)           the set of lanes that are not 0; all lanes are below 2^31
 *   v_high_nonzero(v)      the set of lanes whose high half is not 0; all lanes are below 2^31
 *   v_full(v)              the set of lanes of which neither half is 0
 *   mask_lanes(m)          number of lanes in the set
 *   compression            type of a permutation that moves the lanes of a set to the front
 *   compression_of(m)      makes it for a set
 *   v_compress(c, v)       v with the lanes of the set in front, in order; the lanes after them
 *                          do not matter
 *
 * Tests define the macro FRONTIER_CHECK(at, room) to check each vector that is loaded or
 * stored: it begins at word `at` of an array of `room` words. */
#ifndef COLOURS_FRONTIER_H
#define COLOURS_FRONTIER_H

#include "colours/states.h"
#include "core/sets.h"

#include <string.h>

#ifndef FRONTIER_CHECK
#define FRONTIER_CHECK(at, room)
#endif

enum {
    SWEEP = 512,
    /* A stack that holds fewer than SWEEP states may get a child of each of SWEEP states, and
     * then a whole vector is stored at its end. */
    ROOM = 2 * SWEEP + LANES
};

struct stack {
    uint32_t a[ROOM], b[ROOM], c[ROOM];
};

struct frontier {
    struct stack stack[COLOURS_LINES + 1]; /* [rows left to fill] */
    uint32_t entry[ROOM];
};

/* States with one row left to fill use only word `a`; those with two or three rows left use `a`
 * and `b`; all others use all three words. Words that are not used are neither loaded nor
 * stored. */
static inline __attribute__((always_inline)) struct states
frontier_load(int rows, const struct stack *stack, size_t at) {
    FRONTIER_CHECK(at, ROOM);
    struct states v = {.a = v_load(stack->a + at)};
    if (rows > 1)
        v.b = v_load(stack->b + at);
    if (rows > 3)
        v.c = v_load(stack->c + at);
    return v;
}

static inline __attribute__((always_inline)) void frontier_store(int rows, struct stack *stack,
                                                                 size_t at, struct states v) {
    FRONTIER_CHECK(at, ROOM);
    v_store(stack->a + at, v.a);
    if (rows > 1)
        v_store(stack->b + at, v.b);
    if (rows > 3)
        v_store(stack->c + at, v.c);
}

/* Appends the states in these lanes of v to a stack that holds `count`. Returns how many were
 * appended. */
static inline __attribute__((always_inline)) size_t
frontier_append(int rows, struct stack *stack, size_t count, struct states v, mask lanes) {
    const compression c = compression_of(lanes);
    frontier_store(rows, stack, count,
                   (struct states){v_compress(c, v.a), rows > 1 ? v_compress(c, v.b) : v.a,
                                   rows > 3 ? v_compress(c, v.c) : v.a});
    return (size_t)mask_lanes(lanes);
}

/* Returns the lowest bit of each lane's high half. The subtraction leaves the low half
 * unchanged, so that `&` with the complement clears it. */
static inline vec frontier_lowest(vec v) {
    return v & ~(v - (UINT32_C(1) << HALF));
}

/* Sweeps a stack of states with `rows` >= 2 left to fill. count[0] is the number of states in
 * it, and count[-1] the number in the stack below, stack[-1], which gets the children. */
static inline __attribute__((always_inline)) void
frontier_sweep(int rows, const struct step *step, struct stack *stack, size_t *count) {
    const size_t end = count[0], at = end > SWEEP ? end - SWEEP : 0;
    size_t waiting = at, children = count[-1];
    /* The last vector may have lanes after the last state. They get no queen, and a child
     * without a free column, which is dropped. */
    frontier_store(rows, stack, end,
                   (struct states){v_broadcast(0), v_broadcast(rows > NARROW ? UINT32_MAX : 0),
                                   v_broadcast(0)});
#pragma GCC unroll 2
    for (size_t i = at; i < end; i += LANES) {
        struct states v = frontier_load(rows, stack, i);
        const vec queen = frontier_lowest(v.a);
        mask alive;
        const struct states child = states_child(rows, step, v, queen, &alive);
        children += frontier_append(rows - 1, stack - 1, children, child, alive);
        v.a ^= queen;
        waiting += frontier_append(rows, stack, waiting, v, v_high_nonzero(v.a));
    }
    count[0] = waiting;
    count[-1] = children;
}

/* Sweeps are not inlined, so that each has all registers to itself. At n = 18 a count takes
 * 0.94 times as long as with inlined sweeps. */
#define FRONTIER_SWEEP(rows)                                                                   \
    static __attribute__((noinline)) void frontier_sweep_##rows(                               \
        const struct step *step, struct stack *stack, size_t *count) {                         \
        frontier_sweep(rows, step, stack, count);                                              \
    }
FRONTIER_SWEEP(2)
FRONTIER_SWEEP(3)
FRONTIER_SWEEP(4)
FRONTIER_SWEEP(5)
FRONTIER_SWEEP(6) /* wide states, whose children are narrow */
FRONTIER_SWEEP(7) /* wide states, whose children are wide: 7 rows and more */
enum { WIDE = NARROW + 2 };
_Static_assert(WIDE == 7, "7 rows and more: from wide states to wide ones");

/* [rows], at most WIDE */
static void (*const frontier_sweeps[])(const struct step *, struct stack *,
                                       size_t *) = {NULL,
                                                    NULL,
                                                    frontier_sweep_2,
                                                    frontier_sweep_3,
                                                    frontier_sweep_4,
                                                    frontier_sweep_5,
                                                    frontier_sweep_6,
                                                    frontier_sweep_7};

/* Sweeps the stack of states with one row left: lists the entries of their completions, and
 * returns how many there are. */
static __attribute__((noinline)) size_t frontier_finish(struct stack *stack, size_t *count,
                                                        uint32_t *entry) {
    const size_t end = count[0], at = end > SWEEP ? end - SWEEP : 0;
    size_t waiting = at;
    v_store(stack->a + end, v_broadcast(0));
#pragma GCC unroll 4
    for (size_t i = at; i < end; i += LANES) {
        struct states v = frontier_load(1, stack, i);
        const vec queen = frontier_lowest(v.a);
        FRONTIER_CHECK(i - at, ROOM);
        /* Moves the columns of the low half up to the half that has the queen. There the
         * queen's column is added to the columns taken or, in a tally, removed from the columns
         * left. Then moves them down again, without column 0, which an entry's number lacks
         * (completer.h says why). */
        v_store(entry + (i - at),
                v_shift_right(v_shift_left(v.a, shift_by(HALF)) ^ queen, shift_by(HALF + 1)));
        v.a ^= queen;
        waiting += frontier_append(1, stack, waiting, v, v_high_nonzero(v.a));
    }
    count[0] = waiting;
    return end - at;
}

/* Makes states, with all rows left to fill, of the first placements from `at` to before `end`,
 * and appends them to their stack, which holds `count`. Their tables' numbers, moved above the
 * columns, are in frontier->entry. All three words are stored, although states with few rows
 * left do not use all of them. Returns how many states the stack then holds. */
static size_t frontier_start(const struct even_half *half, const struct first_slice *slice,
                             size_t at, size_t end, const struct step *step,
                             struct frontier *frontier, size_t count) {
    const uint32_t *taken = frontier->entry;
    v_store(frontier->entry + (end - at),
            v_broadcast(UINT32_MAX)); /* lanes after the last one: no free column */
    for (size_t i = at; i < end; i += LANES) {
        mask alive;
        const struct states v =
            states_of(half->row_count, step, v_load(taken + (i - at)), v_load(slice->right + i),
                      v_load(slice->left + i), &alive);
        count += frontier_append(NARROW, &frontier->stack[half->row_count], count, v, alive);
    }
    return count;
}

/* Reads the numbers of two entries by one load, because the loops below do little but load.
 * Which of the two is in the low half depends on the machine, and does not matter. */
static inline uint64_t frontier_pair(const uint32_t *entry) {
    uint64_t pair;
    memcpy(&pair, entry, sizeof pair);
    return pair;
}

/* Adds 1 to the entries of the table whose numbers are in `entry`. This loop and the next are
 * unrolled: at n = 18 a count takes 0.95 times as long as with loops that are not unrolled. */
static void frontier_tally_entries(const uint32_t *entry, size_t count, uint32_t *table) {
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + 1 < count; i += 2) {
        const uint64_t pair = frontier_pair(entry + i);
        table[(uint32_t)pair]++;
        table[pair >> 32]++;
    }
    if (i < count)
        table[entry[i]]++;
}

static uint64_t frontier_sum_entries(const uint32_t *entry, size_t count,
                                     const uint32_t *table) {
    uint64_t sum = 0;
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + 1 < count; i += 2) {
        const uint64_t pair = frontier_pair(entry + i);
        uint64_t one = table[(uint32_t)pair], other = table[pair >> 32];
        /* Keeps gcc from adding vectors, which it would have to fill lane by lane. */
        __asm__("" : "+r"(one), "+r"(other));
        sum += one + other;
    }
    return i < count ? sum + table[entry[i]] : sum;
}

/* Returns the number of the stack to sweep next: the one with the fewest rows left that holds
 * SWEEP states. If no stack does, returns rows + 1 while there are first placements that
 * have not become states (`starts`); after that, the stack with the most rows left that is not
 * empty, or 0 if all are empty. */
static int frontier_next(const size_t *count, int rows, bool starts) {
    int left = 1;
    while (left <= rows && count[left] < SWEEP)
        left++;
    if (left > rows && !starts)
        for (left = rows; left > 0 && count[left] == 0;)
            left--;
    return left;
}

/* Finds all completions of a slice. TALLY counts them in `table`; SUM adds their entries to
 * *sum. Returns the number of completions. */
static inline __attribute__((always_inline)) uint64_t
frontier_complete(enum pass pass, const struct even_half *half, const struct first_slice *slice,
                  struct frontier *frontier, uint32_t *table, uint64_t *sum) {
    const int rows = half->row_count;
    const uint32_t flip = pass == TALLY ? low_bits(half->columns) : 0;
    uint32_t *entry = frontier->entry;
    size_t count[COLOURS_LINES + 1] = {0}, started = 0;
    struct step step[COLOURS_LINES + 1];
    uint64_t completions = 0;
    step_init(half, flip, step);
    for (int left; (left = frontier_next(count, rows, started < slice->count)) > 0;) {
        size_t entries = 0;
        if (left > rows) {
            const size_t at = started;
            started = slice->count - at < SWEEP ? slice->count : at + SWEEP;
            for (size_t i = at; i < started; i++)
                entry[i - at] = (uint32_t)first_slice_table(slice, i) << half->columns;
            if (rows > 0)
                count[rows] = frontier_start(half, slice, at, started, &step[rows], frontier,
                                             count[rows]);
            else /* no row to fill: each first placement is one completion */
                for (; entries < started - at; entries++)
                    entry[entries] = (entry[entries] ^ flip) >> 1;
        } else if (left > 1) {
            frontier_sweeps[left < WIDE ? left : WIDE](&step[left], &frontier->stack[left],
                                                       &count[left]);
        } else {
            entries = frontier_finish(&frontier->stack[1], &count[1], entry);
        }
        completions += entries;
        if (pass == TALLY)
            frontier_tally_entries(entry, entries, table);
        else
            *sum = work_sum(*sum, frontier_sum_entries(entry, entries, table));
    }
    return completions;
}

static uint64_t frontier_tally(const struct even_half *half, const struct first_slice *slice,
                               void *scratch, uint32_t *table) {
    return frontier_complete(TALLY, half, slice, scratch, table, NULL);
}

static uint64_t frontier_sum(const struct even_half *half, const struct first_slice *slice,
                             void *scratch, const uint32_t *table, uint64_t *sum) {
    return frontier_complete(SUM, half, slice, scratch, (uint32_t *)table, sum);
}

static void completer_weigh(uint32_t *restrict table, size_t entries,
                            const uint32_t *restrict b_keys, uint32_t key, bool doubles) {
    const uint32_t above = doubles ? key : UINT32_MAX;
    for (size_t i = 0; i < entries; i++) {
        const uint32_t entry = b_keys[i] >= key ? table[i] : 0;
        table[i] = entry + (b_keys[i] > above ? entry : 0);
    }
}

const struct completer KERNEL_SYMBOL(nqi_completer_,
                                     KERNEL) = {.impl = {.name = KERNEL_TEXT(KERNEL),
                                                         .needs = CPU_FEATURES_COMPILED_FOR,
                                                         .solver = nqi_colours_solver_new},
                                                .scratch_bytes = sizeof(struct frontier),
                                                .tally = frontier_tally,
                                                .sum = frontier_sum,
                                                .weigh = completer_weigh};

#endif
