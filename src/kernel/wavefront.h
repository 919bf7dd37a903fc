/* The wavefront: a kernel template for vector instruction sets.
 *
 * LANES states of one family advance in lockstep, a state a lane. Each row has a stack of
 * states, one array a word. A pass takes up to MOST states off the deepest stack that has
 * FULL, gives every lane its lowest free square, writes the children that look-ahead
 * leaves alive, compacted, to the next row's stack, and the parents with squares left to their
 * own. So every vector is full, and nothing branches on a single state.
 *
 * The including file defines, for its instruction set:
 *
 *   LANES                   states in a vector
 *   vec                     a vector of LANES 32-bit words
 *   mask                    which lanes: an unsigned integer, bit i for lane i
 *   broadcast(word)               the word in every lane
 *   load(p), store(p, v)    from and to memory of any alignment
 *   v_and, v_or, v_xor (a, b), v_andnot(a, b) = ~a & b, v_or3(a, b, c), v_min(a, b) unsigned
 *   shift_right(v, count), shift_left(v, count)   shifted down or up, by the same count in
 * every lane minus_one(v)            v - 1 nonzero(v)              mask of the lanes that are
 * not 0 equal(a, b)             mask of the lanes that are equal disjoint(m, a, b)       mask
 * of the lanes in m that have no bit in common compression, compression_of(m),
 * compress(compression, v)   moves the lanes of m to the front, in order KERNEL_NAME,
 * KERNEL_SYMBOL, KERNEL_NEEDS   the CPU features
 */
#include "kernel/kernel.h"

enum {
    FULL = 24 * LANES, /* states that fill a pass */
    MOST = 48 * LANES, /* states that a pass takes */
    /* A row below FULL is given at most MOST more before it is served, and a store of a whole
     * vector may run over by one. */
    ROOM = FULL + MOST + LANES
};
_Static_assert(MOST / LANES >= NQ_MAX_N, "drain adds all children of a vector");

struct stack {
    uint32_t avail[ROOM]; /* columns not taken yet: those that struct state's cols lacks */
    uint32_t left[ROOM], right[ROOM];
    uint32_t free[ROOM]; /* squares of this row still to try; not 0 */
};

struct scratch {
    struct stack stack[NQ_MAX_N];
};

/* Down from the row where a pass places queens to each of the rows looked ahead to. */
struct ahead {
    vec step;                    /* to the next row */
    vec shift[FULL_LOOK_AHEAD];  /* from there to the i-th row ahead; [0] is the next one: 0 */
    vec closed[FULL_LOOK_AHEAD]; /* squares of that row that the stem attacks */
};

static inline struct ahead ahead_of(const struct family *f, int row, int rows) {
    struct ahead a = {.step = broadcast(f->step[row])};
    unsigned shift = 0;
    for (int i = 0; i < rows; i++) {
        a.shift[i] = broadcast(shift);
        a.closed[i] = broadcast(~f->open[row + 1 + i]);
        shift += f->step[row + 1 + i];
    }
    return a;
}

struct lanes {
    vec avail, left, right, free;
};

static inline struct lanes lanes_load(const struct stack *s, size_t at) {
    return (struct lanes){load(s->avail + at), load(s->left + at), load(s->right + at),
                          load(s->free + at)};
}

/* Writes the lanes of m, packed, at position `at`; returns the position after them. */
static inline size_t lanes_append(struct stack *s, size_t at, struct lanes v, mask m) {
    compression p = compression_of(m);
    store(s->avail + at, compress(p, v.avail));
    store(s->left + at, compress(p, v.left));
    store(s->right + at, compress(p, v.right));
    store(s->free + at, compress(p, v.free));
    return at + (size_t)__builtin_popcount(m);
}

/* Places the queen; child's free squares are left for the caller. */
static inline struct lanes place(struct lanes v, vec queen, vec step) {
    return (struct lanes){.avail = v_xor(v.avail, queen),
                          .left = shift_right(v_or(v.left, queen), step),
                          .right = shift_left(v_or(v.right, queen), step)};
}

/* Squares of the i-th row ahead that the queens so far, or the stem, attack by diagonals. */
static inline vec attacked(struct lanes v, const struct ahead *a, int i) {
    if (i == 0)
        return v_or3(v.left, v.right, a->closed[0]);
    return v_or3(shift_right(v.left, a->shift[i]), shift_left(v.right, a->shift[i]),
                 a->closed[i]);
}

/* Gives every lane its lowest free square: returns the children, stores the parents' squares
 * that remain in *rest, and the lanes whose child look-ahead lets live in *alive. rows: how
 * many are looked ahead to; columns: whether these are all that is left, so that each column
 * must have a free square in one of them. A lane without free squares has no child that lives.
 */
static inline __attribute__((always_inline)) struct lanes children(struct lanes v,
                                                                   const struct ahead *a,
                                                                   int rows, bool columns,
                                                                   vec *rest, mask *alive) {
    *rest = v_and(v.free, minus_one(v.free));
    vec queen = v_xor(v.free, *rest);
    struct lanes child = place(v, queen, a->step);
    vec dead = attacked(child, a, 0); /* columns attacked in every row so far */
    child.free = v_andnot(dead, child.avail);
    vec least = v_min(child.free, queen);
    for (int ahead = 1; ahead < rows; ahead++) {
        vec blocked = attacked(child, a, ahead);
        least = v_min(least, v_andnot(blocked, child.avail));
        dead = v_and(dead, blocked);
    }
    *alive = nonzero(least);
    if (columns)
        *alive = disjoint(*alive, dead, child.avail);
    return child;
}

/* A pass: one child of each of up to MOST states. Full vectors only. */
static inline __attribute__((always_inline)) size_t
advance(const struct family *f, int row, int rows, bool columns, struct stack *here,
        size_t *here_count, struct stack *below, size_t *below_count) {
    const struct ahead a = ahead_of(f, row, rows);
    const size_t count = *here_count, before = *below_count;
    size_t first = count > MOST ? count - MOST : count % LANES;
    size_t kept = first, born = before;
    for (size_t i = first; i < count; i += LANES) {
        mask alive;
        struct lanes v = lanes_load(here, i);
        vec rest;
        struct lanes child = children(v, &a, rows, columns, &rest, &alive);
        born = lanes_append(below, born, child, alive);
        v.free = rest;
        kept = lanes_append(here, kept, v, nonzero(rest));
    }
    *here_count = kept;
    *below_count = born;
    return born - before;
}

/* What to do with a row that has too few states for a pass, when no other has more: all
 * children of its states, vector by vector, until the row below can fill a pass. A state has
 * fewer than 32 free squares, so a vector adds no more than MOST children. */
static inline __attribute__((always_inline)) size_t
drain(const struct family *f, int row, int rows, bool columns, struct stack *here,
      size_t *here_count, struct stack *below, size_t *below_count) {
    const struct ahead a = ahead_of(f, row, rows);
    size_t count = *here_count, born = *below_count;
    while (count > 0 && born < FULL) {
        size_t at = count > LANES ? count - LANES : 0;
        /* A short vector is filled up with lanes that lead nowhere. */
        store(here->free + count, broadcast(0));
        struct lanes v = lanes_load(here, at);
        do {
            mask alive;
            struct lanes child = children(v, &a, rows, columns, &v.free, &alive);
            born = lanes_append(below, born, child, alive);
        } while (nonzero(v.free) != 0);
        count = at;
    }
    size_t nodes = born - *below_count;
    *here_count = count;
    *below_count = born;
    return nodes;
}

/* Moves states on to the row below, by a pass or by draining. */
static inline __attribute__((always_inline)) size_t move_on(const struct family *f, int row,
                                                            int rows, bool columns,
                                                            struct stack *here,
                                                            size_t *counts) {
    return counts[row] >= FULL
               ? advance(f, row, rows, columns, here, &counts[row], here + 1, &counts[row + 1])
               : drain(f, row, rows, columns, here, &counts[row], here + 1, &counts[row + 1]);
}

/* Counts what states with three rows left come to, and empties their stack. After one more
 * queen, two columns are left for two rows: one way when both rows have a free square and not
 * the same single one, two when both have both, none when the columns share a diagonal. */
static uint64_t complete(const struct family *f, int row, struct stack *here, size_t count) {
    const struct ahead a = ahead_of(f, row, 2);
    uint64_t solutions = 0;
    store(here->free + count, broadcast(0)); /* the last vector may be short */
    for (size_t i = 0; i < count; i += LANES) {
        struct lanes v = lanes_load(here, i);
        do {
            vec rest = v_and(v.free, minus_one(v.free));
            vec queen = v_xor(v.free, rest);
            struct lanes child = place(v, queen, a.step);
            vec p = v_andnot(attacked(child, &a, 0), child.avail);
            vec q = v_andnot(attacked(child, &a, 1), child.avail);
            mask some = nonzero(v_min(v_min(p, q), queen));
            some = disjoint(some, child.avail, shift_right(child.avail, a.shift[1]));
            mask differ = some & ~equal(p, q);
            mask both = some & equal(v_and(p, q), child.avail);
            solutions +=
                (uint64_t)__builtin_popcount(differ) + 2 * (uint64_t)__builtin_popcount(both);
            v.free = rest;
        } while (nonzero(v.free) != 0);
    }
    return solutions;
}

static size_t push(struct stack *s, size_t count, const struct family *f, int row,
                   struct state state) {
    s->avail[count] = f->board & ~state.cols;
    s->left[count] = state.left;
    s->right[count] = state.right;
    s->free[count] = state_free(state, f->open[row]);
    return count + (s->free[count] != 0);
}

static bool count(const struct family *f, int top, const struct state *states, size_t n,
                  void *memory, const struct heartbeat *heartbeat, struct tally *tally) {
    if (f->rows - top < 3)
        return nqi_kernel_scalar64.count(f, top, states, n, memory, heartbeat, tally);
    struct stack *stack = ((struct scratch *)memory)->stack;
    const int last = f->rows - 3;
    size_t counts[NQ_MAX_N] = {0};
    size_t started = 0;
    int row = top;
    for (unsigned passes = 1;; passes++) {
        if (passes % PASSES_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, tally->nodes))
            return false;
        /* The deepest row that fills a pass; failing that, more start states; failing that,
         * the topmost row with any: what it leaves may fill the rows below. */
        while (row >= top && counts[row] < FULL)
            row--;
        if (row < top) {
            for (size_t i = 0; i < FULL && started < n; i++)
                counts[top] = push(&stack[top], counts[top], f, top, states[started++]);
            row = top;
            while (row < last && counts[row] == 0)
                row++;
            if (counts[row] == 0 && started == n)
                return true;
        }
        if (row == last) {
            tally->solutions += complete(f, row, &stack[row], counts[row]);
            counts[row] = 0;
            continue;
        }
        _Static_assert(FULL_LOOK_AHEAD == 5, "a case for each number of rows up to it");
        switch (f->rows - row - 1) { /* rows left to the children */
        case 3:
            tally->nodes += move_on(f, row, 3, true, &stack[row], counts);
            break;
        case 4:
            tally->nodes += move_on(f, row, 4, true, &stack[row], counts);
            break;
        case 5:
            tally->nodes += move_on(f, row, 5, true, &stack[row], counts);
            break;
        default:
            tally->nodes += move_on(f, row, LOOK_AHEAD, false, &stack[row], counts);
        }
        row++;
    }
}

const struct kernel KERNEL_SYMBOL = {.impl = {.name = KERNEL_NAME, .needs = KERNEL_NEEDS},
                                     .scratch_bytes = sizeof(struct scratch),
                                     .count = count};
