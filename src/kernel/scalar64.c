/* Kernel `scalar64`: portable C, an explicit stack of states per row, no recursion.
 *
 * The reference that every other kernel is compared with, and what runs where the CPU has no
 * vectors that we use. A depth-first search spends most of its time on mispredicted branches:
 * whether a square leads on, and how many squares a row has, are as good as random. So states
 * advance in waves: a pass takes up to WAVE states off a row's stack, gives each its lowest
 * free square, writes the child to the next row's stack and the parent back to its own, and
 * moves the two stack tops on by a comparison's result instead of branching on it.
 *
 * Fewer states are visited, too: look-ahead (kernel.h) drops those that cannot lead anywhere,
 * and the last two rows are counted by a formula.
 */
#include "kernel/kernel.h"

enum { WAVE = 64 }; /* docs/performance.md has the sizes tried */

struct frame {
    uint64_t avail;       /* columns not taken yet */
    uint64_t left, right; /* as in struct state */
    uint64_t free;        /* squares of this row still to try; never 0 in a stack */
};

/* The deepest row that can fill a pass always goes first, so a stack below WAVE states gets at
 * most WAVE more before it is served. */
struct stack {
    size_t count;
    struct frame frame[2 * WAVE];
};

static uint64_t ones(uint64_t word) {
    return (uint64_t)__builtin_popcountll(word);
}

/* Completions of a state with two rows left, `gap` rows apart, with free squares p and q in
 * them. Two columns are left and each takes one queen, in one way or the other: |p| |q| - |p &
 * q| ways, or none when the columns are just so far apart that the queens would share a
 * diagonal. Written out for subsets of two columns: 2 when both rows have both free, else 1
 * when neither is empty and they differ, else 0. */
static uint64_t last_two(uint64_t columns, uint64_t p, uint64_t q, unsigned gap) {
    uint64_t both = (p == columns) & (q == columns);
    uint64_t differ = (p != q) & (p != 0) & (q != 0);
    uint64_t apart = (columns & columns >> gap) == 0;
    return apart * (2 * both + differ);
}

/* Completions of a state at row `row` with fewer than three rows left. */
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

/* Down from the row where a pass places queens to each of the rows looked ahead to. */
struct ahead {
    unsigned step;                    /* to the next row */
    unsigned shift[FULL_LOOK_AHEAD];  /* from there to the i-th row ahead; [0], the next: 0 */
    uint64_t closed[FULL_LOOK_AHEAD]; /* squares of that row that the stem attacks */
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

/* A state's child: the lowest free square taken. Its own free squares are left to the caller.
 */
static inline struct frame place(struct frame parent, unsigned step) {
    uint64_t queen = parent.free & -parent.free;
    return (struct frame){.avail = parent.avail ^ queen,
                          .left = (parent.left | queen) >> step,
                          .right = (parent.right | queen) << step};
}

/* Squares of the i-th row ahead that the queens so far, or the stem, attack by diagonals. */
static inline uint64_t attacked(struct frame s, const struct ahead *a, int i) {
    return s.left >> a->shift[i] | s.right << a->shift[i] | a->closed[i];
}

/* One pass. rows: how many are looked ahead to; all: whether these are all that is left, so
 * that each column must have a free square in one of them. Returns the number of children.
 * Whether one of several words is 0 is asked without a branch: only 0 - 1 has its top bit set.
 */
static inline __attribute__((always_inline)) size_t advance(const struct family *f, int row,
                                                            int rows, bool all,
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
        if (all)
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

/* Counts what the states of a row with exactly three rows left come to, and empties it. */
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
        /* The deepest row that fills a pass; failing that, more start states; failing that,
         * the topmost row with any: what it leaves may fill the rows below. */
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
        switch (f->rows - row - 1) { /* rows left to the children */
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

const struct kernel nqi_kernel_scalar64 = {.impl = {.name = "scalar64"},
                                           .scratch_bytes = NQ_MAX_N * sizeof(struct stack),
                                           .count = count};
