/* SPDX-License-Identifier: MIT */
/* The wavefront: a kernel template for vector instruction sets.
 *
 * LANES states of one family advance in lockstep, each in a lane. Each row has a stack of
 * states, with an array for each word. A pass takes up to MAX_PASS states off the deepest stack
 * that has MIN_PASS, gives every lane its lowest free square, writes the children that
 * look-ahead lets live, compressed, to the next row's stack, and the parents that have squares
 * remaining to their own. So vectors are full except at the end of a unit, and no branch
 * depends on one state.
 *
 * The including file defines, for its instruction set:
 *
 *   LANES                    enumerator: states in a vector
 *   MIN_PASS, MAX_PASS       enumerators: states that a row needs for a pass, and that a pass
 *                            takes at most, both whole vectors (docs/tried.md has those
 *                            tried)
 *   vec                      type: a vector of LANES unsigned 32-bit words, with C's operators
 *   mask                     type: a set of lanes, with C's bitwise operators
 *   compression              type: what v_compress needs to know of a mask
 *   sum                      type: a sum of lanes, which begins as 0
 *
 *   v_or_3(a, b, c)          returns a | b | c
 *   v_both(a, b)             returns a word that is not 0 in each lane where neither a nor b is
 *                            0
 *   v_shift_right(v, k)      returns v >> k; k: the same count, below 32, in every lane
 *   v_shift_left(v, k)       returns v << k, likewise
 *   v_nonzero(v)             returns the lanes of v that are not 0
 *   v_equal(a, b)            returns the lanes in which a and b are equal
 *   v_nonzero_disjoint(v, a, b)
 *                            returns the lanes of v that are not 0 and in which a & b is 0
 *   v_any(v)                 returns whether a lane of v is not 0
 *   mask_lanes(m)            returns the number of lanes of m
 *   sum_add_lanes(s, a, b)   returns s + 1 for each lane of a + 2 for each lane of b
 *   sum_total(s)             returns the sum as a number; it has at most 32 bits
 *   compression_of(m)        returns the compression for mask m
 *   v_compress(c, v)         moves the lanes of c's mask to the front, in order; what follows
 *                            them does not matter
 *   CHECK(p)                 macro, or none: a vector at p will be read or written
 *
 *   KERNEL                   macro: the kernel's name, as a row of KERNELS has it
 */
#ifndef KERNEL
#error "define KERNEL before including search/wavefront.h"
#endif

#include "search/kernel.h"

#ifndef CHECK
#define CHECK(at)
#endif

/* A row with fewer than MIN_PASS states is given at most MAX_PASS more before it is served, and
 * the last store may write a whole vector beyond them. */
enum { ROOM = MIN_PASS + MAX_PASS + LANES };
_Static_assert(LANES == 1 || MAX_PASS >= NQ_MAX_SEARCH_N * LANES,
               "wavefront_drain adds all children of a vector");

static inline vec v_broadcast(uint32_t word) {
    return (vec){0} + word;
}
/* A vector anywhere in an array of words. Not copied by memcpy: gcc 12 computes an address for
 * each vector then, though AArch64 could add the distance of an array to one register. */
typedef vec words __attribute__((aligned(4), may_alias));
static inline vec v_load(const uint32_t *from) {
    CHECK(from);
    return *(const words *)from;
}
static inline void v_store(uint32_t *to, vec v) {
    CHECK(to);
    *(words *)to = v;
}

struct stack {
    uint32_t avail[ROOM]; /* columns not taken yet: the complement of struct state's cols */
    uint32_t left[ROOM], right[ROOM];
    uint32_t free[ROOM]; /* squares of this row still to try; never 0 in a stack */
};

struct scratch {
    struct stack stack[NQ_MAX_SEARCH_N];
};

/* The rows that look-ahead sees from the row where a pass places queens. */
struct ahead {
    vec step;                    /* rows down to the next row to fill, row 0 ahead */
    vec shift[FULL_LOOK_AHEAD];  /* [i]: rows from row 0 ahead down to row i ahead */
    vec closed[FULL_LOOK_AHEAD]; /* [i]: squares of row i ahead that may not be used */
};

static inline struct ahead ahead_of_row(const struct family *f, int row, int rows) {
    struct ahead a = {.step = v_broadcast(f->step[row])};
    unsigned shift = 0;
    for (int i = 0; i < rows; i++) {
        a.shift[i] = v_broadcast(shift);
        a.closed[i] = v_broadcast(~f->open[row + 1 + i]);
        shift += f->step[row + 1 + i];
    }
    return a;
}

struct lanes {
    vec avail, left, right, free;
};

static inline struct lanes lanes_load(const struct stack *s, size_t at) {
    return (struct lanes){v_load(s->avail + at), v_load(s->left + at), v_load(s->right + at),
                          v_load(s->free + at)};
}

/* Writes the lanes of m, compressed, at position `at`; returns the position after them. */
static inline size_t lanes_append(struct stack *s, size_t at, struct lanes v, mask m) {
    compression p = compression_of(m);
    v_store(s->avail + at, v_compress(p, v.avail));
    v_store(s->left + at, v_compress(p, v.left));
    v_store(s->right + at, v_compress(p, v.right));
    v_store(s->free + at, v_compress(p, v.free));
    return at + mask_lanes(m);
}

/* Returns the children with these queens, without their `free`. */
static inline struct lanes lanes_place(struct lanes v, vec queen, vec step) {
    return (struct lanes){.avail = v.avail ^ queen,
                          .left = v_shift_right(v.left | queen, step),
                          .right = v_shift_left(v.right | queen, step)};
}

/* Returns the squares of row i ahead that are closed, or attacked along a diagonal. */
static inline vec lanes_attacked(struct lanes v, const struct ahead *a, int i) {
    if (i == 0)
        return v_or_3(v.left, v.right, a->closed[0]);
    return v_or_3(v_shift_right(v.left, a->shift[i]), v_shift_left(v.right, a->shift[i]),
                  a->closed[i]);
}

/* Gives every lane its lowest free square, and returns the children. rest: the parents' free
 * squares that remain. alive: the lanes whose child look-ahead lets live; without a meaning for
 * lanes that have no free square. rows: rows that look-ahead sees. full: these are all rows to
 * fill, so that each column must have a free square in one of them. */
static inline __attribute__((always_inline)) struct lanes
lanes_children(struct lanes v, const struct ahead *a, int rows, bool full, vec *rest,
               mask *alive) {
    *rest = v.free & (v.free - 1);
    vec queen = v.free ^ *rest;
    struct lanes child = lanes_place(v, queen, a->step);
    vec dead = lanes_attacked(child, a, 0); /* columns attacked in every row so far */
    child.free = ~dead & child.avail;
    vec least = child.free; /* not 0 if each row so far has a free square */
    for (int ahead = 1; ahead < rows; ahead++) {
        vec blocked = lanes_attacked(child, a, ahead);
        least = v_both(least, ~blocked & child.avail);
        dead &= blocked;
    }
    *alive = full ? v_nonzero_disjoint(least, dead, child.avail) : v_nonzero(least);
    return child;
}

/* Does a pass over full vectors only; returns the number of children. The states of a vector
 * that is not full stay for later. */
static inline __attribute__((always_inline)) size_t
wavefront_advance(const struct family *f, int row, int rows, bool full, struct stack *here,
                  size_t *here_count, struct stack *below, size_t *below_count) {
    const struct ahead a = ahead_of_row(f, row, rows);
    const size_t count = *here_count, before = *below_count;
    size_t first = count > MAX_PASS ? count - MAX_PASS : count % LANES;
    size_t kept = first, born = before;
    for (size_t i = first; i < count; i += LANES) {
        mask alive;
        struct lanes v = lanes_load(here, i);
        vec rest;
        struct lanes child = lanes_children(v, &a, rows, full, &rest, &alive);
        born = lanes_append(below, born, child, alive);
        v.free = rest;
        kept = lanes_append(here, kept, v, v_nonzero(rest));
    }
    *here_count = kept;
    *below_count = born;
    return born - before;
}

/* For when no row can fill a pass: makes all children of a row's states, vector by vector,
 * until the row below can fill one; returns their number. A state has at most NQ_MAX_SEARCH_N
 * free squares, so the last vector adds at most MAX_PASS children. */
static inline __attribute__((always_inline)) size_t
wavefront_drain(const struct family *f, int row, int rows, bool full, struct stack *here,
                size_t *here_count, struct stack *below, size_t *below_count) {
    const struct ahead a = ahead_of_row(f, row, rows);
    size_t count = *here_count, born = *below_count;
    while (count > 0 && born < MIN_PASS) {
        size_t at = count > LANES ? count - LANES : 0;
        /* The lanes beyond a short vector get no free squares, and so no children. */
        v_store(here->free + count, v_broadcast(0));
        struct lanes v = lanes_load(here, at);
        do {
            mask alive;
            const mask placed = v_nonzero(v.free);
            struct lanes child = lanes_children(v, &a, rows, full, &v.free, &alive);
            born = lanes_append(below, born, child, alive & placed);
        } while (v_any(v.free));
        count = at;
    }
    size_t nodes = born - *below_count;
    *here_count = count;
    *below_count = born;
    return nodes;
}

/* Moves states on to the row below, by a pass or by draining; returns how many children. */
static inline __attribute__((always_inline)) size_t
wavefront_move_on(const struct family *f, int row, int rows, bool full, struct stack *here,
                  size_t *counts) {
    return counts[row] >= MIN_PASS || LANES == 1 /* any number of lanes is whole vectors */
               ? wavefront_advance(f, row, rows, full, here, &counts[row], here + 1,
                                   &counts[row + 1])
               : wavefront_drain(f, row, rows, full, here, &counts[row], here + 1,
                                 &counts[row + 1]);
}

/* Counts the completions of the states of a row with three rows to fill. After one more queen,
 * two columns remain for two rows: two completions if both rows have both columns free, else
 * one if p and q differ and neither is empty, else none; and none if the columns share a
 * diagonal. */
static uint64_t wavefront_complete(const struct family *f, int row, struct stack *here,
                                   size_t count) {
    const struct ahead a = ahead_of_row(f, row, 2);
    sum solutions = {0};
    while (count > 0) {
        size_t kept = 0;
        v_store(here->free + count, v_broadcast(0)); /* the last vector may be short */
        for (size_t i = 0; i < count; i += LANES) {
            struct lanes v = lanes_load(here, i);
            vec rest = v.free & (v.free - 1);
            vec queen = v.free ^ rest;
            struct lanes child = lanes_place(v, queen, a.step);
            vec p = ~lanes_attacked(child, &a, 0) & child.avail;
            vec q = ~lanes_attacked(child, &a, 1) & child.avail;
            vec least = LANES == 1 ? v_both(p, q) : v_both(v_both(p, q), queen);
            mask some =
                v_nonzero_disjoint(least, child.avail, v_shift_right(child.avail, a.shift[1]));
            mask differ = some & ~v_equal(p, q);
            mask both = some & v_equal(p & q, child.avail);
            solutions = sum_add_lanes(solutions, differ, both);
            v.free = rest;
            kept = lanes_append(here, kept, v, v_nonzero(rest));
        }
        count = kept;
    }
    return sum_total(solutions);
}

/* Appends a state to a stack unless it has no free square; returns the new count. */
static size_t stack_push(struct stack *s, size_t count, const struct family *f, int row,
                         struct state state) {
    s->avail[count] = f->board & ~state.cols;
    s->left[count] = state.left;
    s->right[count] = state.right;
    s->free[count] = state_free(state, f->open[row]);
    return count + (s->free[count] != 0);
}

static bool wavefront_count(const struct family *f, int top, const struct state *states,
                            size_t n, void *memory, const struct heartbeat *heartbeat,
                            struct tally *tally) {
    if (f->rows - top < 3) {
        tally->solutions += nqi_kernel_last_rows(f, top, states, n);
        return true;
    }
    struct stack *stack = ((struct scratch *)memory)->stack;
    const int last = f->rows - 3;
    size_t counts[NQ_MAX_SEARCH_N] = {0};
    size_t started = 0;
    int row = top;
    for (unsigned passes = 1;; passes++) {
        if (passes % PASSES_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, tally->nodes))
            return false;
        /* Serve the deepest row that can fill a pass; if there is none, take more start states;
         * if none remain, serve the topmost row with states: its children may fill a pass. */
        while (row >= top && counts[row] < MIN_PASS)
            row--;
        if (row < top) {
            for (size_t i = 0; i < MIN_PASS && started < n; i++)
                counts[top] = stack_push(&stack[top], counts[top], f, top, states[started++]);
            row = top;
            while (row < last && counts[row] == 0)
                row++;
            if (counts[row] == 0 && started == n)
                return true;
        }
        if (row == last) {
            tally->solutions += wavefront_complete(f, row, &stack[row], counts[row]);
            counts[row] = 0;
            continue;
        }
        _Static_assert(FULL_LOOK_AHEAD == 5, "a case for each number of rows up to it");
        switch (f->rows - row - 1) { /* rows that the children have to fill */
        case 3:
            tally->nodes += wavefront_move_on(f, row, 3, true, &stack[row], counts);
            break;
        case 4:
            tally->nodes += wavefront_move_on(f, row, 4, true, &stack[row], counts);
            break;
        case 5:
            tally->nodes += wavefront_move_on(f, row, 5, true, &stack[row], counts);
            break;
        default:
            tally->nodes += wavefront_move_on(f, row, LOOK_AHEAD, false, &stack[row], counts);
        }
        row++;
    }
}

const struct kernel KERNEL_SYMBOL(nqi_kernel_, KERNEL) = {
    .impl = {.name = KERNEL_TEXT(KERNEL), .needs = CPU_FEATURES_COMPILED_FOR},
    .scratch_bytes = sizeof(struct scratch),
    .count = wavefront_count};
