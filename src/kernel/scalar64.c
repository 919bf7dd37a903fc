/* Kernel `scalar64`: portable C, an explicit stack of states per row, no recursion.
 *
 * The reference that every other kernel is compared with, and what runs where the CPU has no
 * vectors that we use. A depth-first search spends most of its time on mispredicted branches:
 * whether a square leads on, and how many squares a row has, are as good as random. So states
 * advance in waves: a pass takes up to WAVE states off a row's stack, gives each its lowest
 * free square, writes the child to the next row's stack and the parent back to its own, and
 * moves the two stack tops on by a comparison's result instead of branching on it.
 *
 * Fewer states are visited, too: one without a free square in either of the next two rows is
 * dropped at once, and the last two rows are counted by a formula.
 */
#include "kernel/kernel.h"

enum { WAVE = 64 }; /* of 16, 32, 64, 128: see docs/performance.md */

struct frame {
    uint64_t cols, left, right; /* as in struct state */
    uint64_t free;              /* squares of this row still to try; never 0 in a stack */
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

/* What a row's passes need of the family. */
struct row {
    unsigned step, next_step;  /* down to the next row, and from there to the one after */
    uint64_t open, open_after; /* of those two rows */
};

static struct row row_of(const struct family *f, int row) {
    return (struct row){.step = f->step[row],
                        .next_step = f->step[row + 1],
                        .open = f->open[row + 1],
                        .open_after = f->open[row + 2]};
}

/* A state's child: the lowest free square taken. Its own free squares are those of the next
 * row; `after` gets those of the row below that. */
static inline struct frame child_of(struct frame parent, struct row row, uint64_t *after) {
    uint64_t queen = parent.free & -parent.free;
    struct frame child = {.cols = parent.cols | queen,
                          .left = (parent.left | queen) >> row.step,
                          .right = (parent.right | queen) << row.step};
    child.free = ~(child.cols | child.left | child.right) & row.open;
    *after = ~(child.cols | child.left >> row.next_step | child.right << row.next_step) &
             row.open_after;
    return child;
}

/* One pass from a row with more than three rows left, itself included. Returns the number of
 * children, which are the nodes. */
static size_t advance(struct row row, struct stack *here, struct stack *below) {
    size_t first = here->count > WAVE ? here->count - WAVE : 0;
    size_t kept = first, born = below->count;
    for (size_t i = first; i < here->count; i++) {
        struct frame parent = here->frame[i];
        uint64_t after;
        struct frame child = child_of(parent, row, &after);
        below->frame[born] = child;
        born += (child.free != 0) & (after != 0);
        parent.free &= parent.free - 1;
        here->frame[kept] = parent; /* kept <= i: nothing unread is overwritten */
        kept += parent.free != 0;
    }
    size_t nodes = born - below->count;
    here->count = kept;
    below->count = born;
    return nodes;
}

/* Counts what the states of a row with exactly three rows left come to, and empties it. */
static uint64_t complete(struct row row, struct stack *here, uint64_t board) {
    uint64_t solutions = 0;
    while (here->count > 0) {
        size_t kept = 0;
        for (size_t i = 0; i < here->count; i++) {
            struct frame parent = here->frame[i];
            uint64_t after;
            struct frame child = child_of(parent, row, &after);
            solutions += last_two(~child.cols & board, child.free, after, row.next_step);
            parent.free &= parent.free - 1;
            here->frame[kept] = parent;
            kept += parent.free != 0;
        }
        here->count = kept;
    }
    return solutions;
}

static void push(struct stack *stack, struct state s, uint32_t open) {
    stack->frame[stack->count] = (struct frame){s.cols, s.left, s.right, state_free(s, open)};
    stack->count += stack->frame[stack->count].free != 0;
}

static void count(const struct family *f, int top, const struct state *states, size_t n,
                  void *scratch, struct tally *tally) {
    if (f->rows - top < 3) {
        for (size_t i = 0; i < n; i++)
            tally->solutions += finish(f, top, states[i]);
        return;
    }
    struct stack *stack = scratch;
    const int last = f->rows - 3;
    for (int row = top; row <= last; row++)
        stack[row].count = 0;

    size_t started = 0;
    int row = top;
    for (;;) {
        /* The deepest row that fills a pass; failing that, more start states; failing that,
         * the topmost row with any: what it leaves may fill the rows below. */
        while (row >= top && stack[row].count < WAVE)
            row--;
        if (row < top) {
            for (size_t i = 0; i < WAVE && started < n; i++)
                push(&stack[top], states[started++], f->open[top]);
            row = top;
            while (row < last && stack[row].count == 0)
                row++;
            if (stack[row].count == 0 && started == n)
                return;
        }
        if (row == last) {
            tally->solutions += complete(row_of(f, row), &stack[row], f->board);
        } else {
            tally->nodes += advance(row_of(f, row), &stack[row], &stack[row + 1]);
            row++;
        }
    }
}

static bool runs_here(void) {
    return true;
}

const struct kernel kernel_scalar64 = {.name = "scalar64",
                                       .runs_here = runs_here,
                                       .scratch_bytes = NQ_MAX_N * sizeof(struct stack),
                                       .count = count};
