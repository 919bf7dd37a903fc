/* Kernel `scalar64`: portable C, a stack of states for each row, no recursion.
 *
 * The reference for all other kernels, and the fallback on CPUs without their vectors. A
 * depth-first search spends most of its time on mispredicted branches: whether a square leads
 * on, and how many squares a row has, are as good as random. So states advance in waves. A pass
 * takes up to WAVE states off a row's stack, gives each its lowest free square, writes the
 * child to the next row's stack and the parent back to its own, and adds the result of a
 * comparison to each of the two stack tops instead of branching on it.
 *
 * Look-ahead (kernel.h) drops states that have no completions, and a formula counts the last
 * two rows.
 */
#include "search/kernel.h"

enum { WAVE = 64 }; /* states; docs/performance.md has the sizes tried */

struct frame {
    uint64_t avail;       /* columns not taken yet */
    uint64_t left, right; /* as in struct state */
    uint64_t free;        /* squares of this row still to try; never 0 in a stack */
};

/* The deepest row that can fill a pass is always served first. So a stack with fewer than WAVE
 * states gets at most WAVE more before its own pass. */
struct stack {
    size_t count;
    struct frame frame[2 * WAVE];
};

static uint64_t ones(uint64_t word) {
    return (uint64_t)__builtin_popcountll(word);
}

/* Counts the completions of a state with two rows left, `gap` rows apart, with free squares p
 * and q. Two columns are left, and each takes one queen: |p| |q| - |p & q| ways. There is none
 * if the columns are `gap` apart, since the queens would share a diagonal. For subsets of two
 * columns this is 2 if both rows have both columns free, else 1 if p and q differ and neither
 * is empty, else 0. */
static uint64_t last_two(uint64_t columns, uint64_t p, uint64_t q, unsigned gap) {
    uint64_t both = (p == columns) & (q == columns);
    uint64_t differ = (p != q) & (p != 0) & (q != 0);
    uint64_t apart = (columns & columns >> gap) == 0;
    return apart * (2 * both + differ);
}

/* Counts the completions of a state at row `row` with fewer than three rows left. */
static uint64_t finish(const struct family *f, int row, struct state s) {
    if (row == f->rows)
        return 1;
    uint64_t p = state_free(s, f->open[row]);
    if (row + 1 == f->rows)
        return ones(p);
    unsigned gap = f->step[row];
    uint64_t q = ~(s.cols | s.left >> gap | (uint64_t)s.right << gap) & f->open[row + 1];
    return last_two(~s.cols & f->board, p, q, gap);
}

/* The rows that look-ahead sees from the row where a pass places queens. */
struct ahead {
    unsigned step;                    /* rows down to the next row to fill, row 0 ahead */
    unsigned shift[FULL_LOOK_AHEAD];  /* [i]: rows from row 0 ahead down to row i ahead */
    uint64_t closed[FULL_LOOK_AHEAD]; /* [i]: squares of row i ahead that may not be used */
};

static inline struct ahead ahead_of(const struct family *f, int row, int rows) {
    struct ahead a = {.step = f->step[row]};
    unsigned shift = 0;
    for (int i = 0; i < rows; i++) {
        a.shift[i] = shift;
        a.closed[i] = ~(uint64_t)f->open[row + 1 + i];
        shift += f->step[row + 1 + i];
    }
    return a;
}

/* Returns the child with a queen on the parent's lowest free square, without its `free`. */
static inline struct frame place(struct frame parent, unsigned step) {
    uint64_t queen = parent.free & -parent.free;
    return (struct frame){.avail = parent.avail ^ queen,
                          .left = (parent.left | queen) >> step,
                          .right = (parent.right | queen) << step};
}

/* Returns the squares of row i ahead that are closed, or attacked along a diagonal. */
static inline uint64_t attacked(struct frame s, const struct ahead *a, int i) {
    return s.left >> a->shift[i] | s.right << a->shift[i] | a->closed[i];
}

/* Does one pass; returns the number of children. rows: rows that look-ahead sees; full: these
 * are all rows left, so that each column must have a free square in one of them.
 *
 * For a word w below 2^63, the top bit of w - 1 says whether w is 0, and the top bit of -w
 * whether it is not. So the top bit of dead_end says, without a branch, whether to drop the
 * child. */
static inline __attribute__((always_inline)) size_t advance(const struct family *f, int row,
                                                            int rows, bool full,
                                                            struct stack *here,
                                                            struct stack *below) {
    const struct ahead a = ahead_of(f, row, rows);
    size_t first = here->count > WAVE ? here->count - WAVE : 0;
    size_t kept = first, born = below->count;
    for (size_t i = first; i < here->count; i++) {
        struct frame parent = here->frame[i];
        struct frame child = place(parent, a.step);
        uint64_t dead = attacked(child, &a, 0); /* columns attacked in every row so far */
        child.free = ~dead & child.avail;
        uint64_t dead_end = child.free - 1;
        for (int ahead = 1; ahead < rows; ahead++) {
            uint64_t blocked = attacked(child, &a, ahead);
            dead_end |= (~blocked & child.avail) - 1;
            dead &= blocked;
        }
        if (full)
            dead_end |= -(dead & child.avail);
        below->frame[born] = child;
        born += ~dead_end >> 63;
        parent.free &= parent.free - 1;
        here->frame[kept] = parent; /* kept <= i: nothing unread is overwritten */
        kept += -parent.free >> 63;
    }
    size_t nodes = born - below->count;
    here->count = kept;
    below->count = born;
    return nodes;
}

/* Counts the completions of the states of a row with three rows left, and empties its stack. */
static uint64_t complete(const struct family *f, int row, struct stack *here) {
    const struct ahead a = ahead_of(f, row, 2);
    uint64_t solutions = 0;
    while (here->count > 0) {
        size_t kept = 0;
        for (size_t i = 0; i < here->count; i++) {
            struct frame parent = here->frame[i];
            struct frame child = place(parent, a.step);
            solutions += last_two(child.avail, ~attacked(child, &a, 0) & child.avail,
                                  ~attacked(child, &a, 1) & child.avail, a.shift[1]);
            parent.free &= parent.free - 1;
            here->frame[kept] = parent;
            kept += -parent.free >> 63;
        }
        here->count = kept;
    }
    return solutions;
}

static void push(struct stack *stack, struct state s, uint32_t board, uint32_t open) {
    stack->frame[stack->count] =
        (struct frame){board & ~s.cols, s.left, s.right, state_free(s, open)};
    stack->count += stack->frame[stack->count].free != 0;
}

static bool count(const struct family *f, int top, const struct state *states, size_t n,
                  void *scratch, const struct heartbeat *heartbeat, struct tally *tally) {
    if (f->rows - top < 3) {
        for (size_t i = 0; i < n; i++)
            tally->solutions += finish(f, top, states[i]);
        return true;
    }
    struct stack *stack = scratch;
    const int last = f->rows - 3;
    for (int row = top; row <= last; row++)
        stack[row].count = 0;

    size_t started = 0;
    int row = top;
    for (unsigned passes = 1;; passes++) {
        if (passes % PASSES_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, tally->nodes))
            return false;
        /* Serve the deepest row that can fill a pass; if there is none, take more start states;
         * if none are left, serve the topmost row with states: its children may fill a pass. */
        while (row >= top && stack[row].count < WAVE)
            row--;
        if (row < top) {
            for (size_t i = 0; i < WAVE && started < n; i++)
                push(&stack[top], states[started++], f->board, f->open[top]);
            row = top;
            while (row < last && stack[row].count == 0)
                row++;
            if (stack[row].count == 0 && started == n)
                return true;
        }
        if (row == last) {
            tally->solutions += complete(f, row, &stack[row]);
            continue;
        }
        _Static_assert(FULL_LOOK_AHEAD == 5, "a case for each number of rows up to it");
        switch (f->rows - row - 1) { /* rows that the children have left */
        case 3:
            tally->nodes += advance(f, row, 3, true, &stack[row], &stack[row + 1]);
            break;
        case 4:
            tally->nodes += advance(f, row, 4, true, &stack[row], &stack[row + 1]);
            break;
        case 5:
            tally->nodes += advance(f, row, 5, true, &stack[row], &stack[row + 1]);
            break;
        default:
            tally->nodes += advance(f, row, LOOK_AHEAD, false, &stack[row], &stack[row + 1]);
        }
        row++;
    }
}

const struct kernel nqi_kernel_scalar64 = {
    .impl = {.name = "scalar64", .needs = CPU_FEATURES_COMPILED_FOR},
    .scratch_bytes = NQ_MAX_N * sizeof(struct stack),
    .count = count};
