/* SPDX-License-Identifier: MIT */
/* Counts by colours on a device (docs/algorithm.md has the terms). A work-group takes one X and D
 * after the other, from a counter. For each colour, the minority first, it lists placements on the
 * first class in local memory, or on as many of its rows as there is room for, and completes them.
 * The minority's completions fill a table in local memory, the majority's add up its entries.
 *
 * Work-items of a sub-group run in step, so a loop of one item's own would take what the slowest
 * item takes. Hence there is one loop, in which every item places a few queens in each
 * iteration, whatever the state of the others is, and nearly without branches: a queen that cannot
 * be placed is 0, and changes nothing.
 *
 * Options
 *   N       the board
 *   GROUP   work-items of a work-group
 *   ROOM    placements listed at a time
 *   DEPTH   rows in which states wait: those of a colour but for what the list surely holds, for
 *           the last three, and for the one before
 *   WALKS   queens of rows before the last three that an item places in an iteration
 *   ENDS    queens of the last row but one that it places in it, with two of the last row each
 *
 * No entry wraps around: it is at most 7! x 7!, doubled at most once (docs/algorithm.md). */

#if N < 6 || N > 28
#error "N: 6 to 28, so that a word holds two sets of columns, and another 27 diagonals and a place"
#endif

#define ODDS (N / 2)
#define EVENS (N - ODDS)
#define ALL_FIRST (((1u << ODDS) - 1) << N % 2) /* odd columns, as first placements number them */
/* Of the table. All sets have one size, so column 0 follows from the rest: a set without it is the
 * number of its entry. */
#define ENTRIES (1u << (EVENS - 1))
#define ITEM_WORDS (3 * (DEPTH + 1)) /* of an item's stack */
#define SPARE (3 * ROOM > ITEM_WORDS * GROUP ? 3 * ROOM : ITEM_WORDS * GROUP)
#define ROWS 20 /* of a colour that are not listed, at most */
#define INLINE __attribute__((always_inline))

/* A set of columns has column q at bit HIGH + q. Diagonals are bits, too: a queen on column q of
 * line r of a second class attacks HIGH + q - r of `differences` and HIGH + q - (EVENS - 1 - r)
 * of `sums`. So rows may be filled in any order. A shift to the left brings the diagonals of a
 * line to its columns. It is made by a multiplication, for which units are idle. */
#define HIGH (32 - EVENS)
#define COLUMNS (~0u << HIGH)
/* A state that waits for a row is a word: the columns taken, and below them the open ones, that is,
 * free and not yet tried. The row's place among those that are not listed, from 0 on, is in the
 * five lowest bits of its differences, which no diagonal needs; shifted to a line they stay below
 * the columns. */
#define OPEN (COLUMNS >> EVENS)
#define PLACE 31u
/* In the last rows a set has column q at bit q + 1: a byte offset in the table, without its
 * lowest two bits. */
#define LOW (HIGH - 1)
#define LOW_COLUMNS (COLUMNS >> LOW)

struct rows { /* of a colour, in the order in which they are filled, four bits each */
    ulong first, second;
    uint first_count, second_count;
};
struct x {
    struct rows minority, majority;
    uint key, weight;
    uint flip; /* turns D into the odd columns of the minority */
    uint slot; /* of its results */
};
struct d {
    uint set, key, weight;
};
enum pass { TALLY, SUM };

INLINE uint line_of(ulong lines, uint i) {
    return (uint)(lines >> 4 * i) & 15;
}

/* Lists placements on the first rows of a first class, row by row, with the whole group: sums,
 * differences, columns left, ROOM words each. The rows' lists alternate between `list` and what
 * follows it. Lists *rows rows, or as many as the room allows, and says so there. Returns how
 * many placements there are. */
INLINE uint list_first(local uint *list, ulong lines, uint *rows, uint columns,
                       local uint *size) {
    const uint item = get_local_id(0);
    uint count = 1, listed = 0;
    bool fits = true;
    local uint *from = list + *rows % 2 * 3 * ROOM, *to = list + (1 - *rows % 2) * 3 * ROOM;
    if (item == 0) {
        from[0] = from[ROOM] = 0;
        from[2 * ROOM] = columns << HIGH;
    }
    while (listed < *rows && count > 0 && fits) {
        const uint line = line_of(lines, listed);
        if (item == 0)
            *size = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < count; j += GROUP) {
            const uint sums = from[j], differences = from[ROOM + j], left = from[2 * ROOM + j];
            uint free = left & ~(sums << (EVENS - line) | differences << line);
            uint at = atomic_add(size, popcount(free));
            if (at + popcount(free) <= ROOM)
                for (; free != 0; free &= free - 1, at++) {
                    const uint queen = free & -free;
                    to[at] = sums | queen >> (EVENS - line);
                    to[ROOM + at] = differences | queen >> line;
                    to[2 * ROOM + at] = left ^ queen;
                }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        fits = *size <= ROOM;
        if (fits) {
            local uint *const swapped = from;
            from = to;
            to = swapped;
            count = *size;
            listed++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (from != list)
        for (uint j = item; j < 3 * ROOM; j += GROUP)
            list[j] = from[j];
    *rows = listed;
    return count;
}

/* An item's states in the last three rows, a, b and c: one for each, and the next one of a row
 * is made when this one has no open columns. */
struct last_rows {
    uint a, sums, differences; /* a state that waits for row a, and its diagonals */
    uint b, taken_b, c_of_b;   /* open columns of row b; those taken; free ones of row c */
    uint c, taken_c;           /* open columns of row c; those taken */
};

INLINE void place_a(struct last_rows *last, uint4 row_b, uint4 row_c) {
    const uint open = last->a & OPEN, queen = open & -open;
    const bool places = last->b == 0 && open != 0;
    const uint sums = last->sums + queen * row_b.x,
               differences = last->differences + queen * row_b.y,
               taken = last->a + (queen << EVENS);
    const uint b = ~((taken | sums * row_b.z | differences * row_b.w) >> LOW),
               c = ~((taken | sums * row_c.z | differences * row_c.w) >> LOW);
    last->a = places ? last->a ^ queen : last->a;
    last->taken_b = places ? taken >> LOW : last->taken_b;
    last->b = places ? LOW_COLUMNS & b : last->b;
    last->c_of_b = places ? LOW_COLUMNS & c : last->c_of_b;
}

/* Returns how many completions the queen has. distance: of rows b and c; factor: 1, 2^distance
 * and 2^(2 distance), which together put a queen on its column and its two diagonals. */
INLINE uint place_b(struct last_rows *last, uint distance, uint factor) {
    const uint queen = last->b & -last->b;
    const bool places = last->c == 0 && queen != 0;
    const uint c = last->c_of_b & ~(queen * factor >> distance);
    last->taken_c = places ? last->taken_b ^ queen : last->taken_c;
    last->c = places ? c : last->c;
    last->b = places ? last->b ^ queen : last->b;
    return places ? popcount(c) : 0;
}

/* Completes a placement: counts its entry, or returns it. Entry 0 is for none. */
INLINE uint place_c(enum pass pass, struct last_rows *last, local uint *table) {
    const uint queen = last->c & -last->c, taken = last->taken_c ^ queen,
               set = pass == TALLY ? ~taken : taken,
               offset = queen != 0 ? set & (ENTRIES - 1) << 2 : 0;
    local uint *const entry = (local uint *)((local char *)table + offset);
    last->c ^= queen;
    if (pass == SUM)
        return *entry;
    atomic_inc(entry);
    return 0;
}

/* An item's state in the rows before, which waits on top of a stack while those that came from it
 * are completed. */
struct walker {
    uint state, sums, differences;
    local uint *top;
};

/* Takes the waiting state, if this one has no open columns. */
INLINE void take_waiting(struct walker *walker) {
    if ((walker->state & OPEN) == 0) {
        walker->top -= 3 * GROUP;
        walker->state = walker->top[0];
        walker->sums = walker->top[GROUP];
        walker->differences = walker->top[2 * GROUP];
    }
}

/* Places a queen in the state's row, whose next one is row a if it is the last of the `rows`.
 * Returns whether that makes a first placement. */
INLINE bool place(struct walker *walker, struct last_rows *last, local const uint4 *row,
                  uint rows) {
    const uint at = walker->differences & PLACE, open = walker->state & OPEN;
    const bool ends = at == rows - 1;
    const uint queen = ends && (last->a & OPEN) != 0 ? 0 : open & -open,
               rest = walker->state ^ queen;
    const uint4 here = row[at + 1];
    const uint sums = walker->sums + queen * here.x,
               differences = walker->differences + queen * here.y + 1, /* the next place */
               all = (walker->state + (queen << EVENS)) & COLUMNS,
               taken = all != COLUMNS ? all : 0, /* all are those of the first class */
               free = OPEN & ~((taken | sums * here.z | differences * here.w) >> EVENS),
               child = taken | free;
    const bool lives = queen != 0 && free != 0, goes_on = lives && !ends,
               goes_last = lives && ends;
    if (goes_on && open != queen) {
        walker->top[0] = rest;
        walker->top[GROUP] = walker->sums;
        walker->top[2 * GROUP] = walker->differences;
        walker->top += 3 * GROUP;
    }
    last->a = goes_last ? child : last->a;
    last->sums = goes_last ? sums : last->sums;
    last->differences = goes_last ? differences : last->differences;
    walker->state = goes_on ? child : rest;
    walker->sums = goes_on ? sums : walker->sums;
    walker->differences = goes_on ? differences : walker->differences;
    return all == COLUMNS;
}

/* Completes `count` listed placements, with row[i], see `colour`, and the last three of these. A
 * piece is a placement and a part of the columns of the first row, so that items end together.
 * Sets *has_first if a first placement is made here. The stack's bottom is a state without open
 * columns. */
INLINE void complete(enum pass pass, local const uint *list, uint count, uint log_parts,
                     local const uint4 *row, uint rows, uint distance, local uint *next,
                     local uint *table, local uint *stack, ulong *sum, ulong *completions,
                     bool *has_first) {
    local uint *const bottom = stack + get_local_id(0) + 3 * GROUP;
    const uint4 row_b = row[rows + 1], row_c = row[rows + 2];
    const uint factor = (1u << 2 * distance) + (1u << distance) + 1;
    const uint pieces = count << log_parts, parts = (1u << log_parts) - 1,
               stripes = ~0u / ((1u << (1u << log_parts)) - 1);
    uint piece = 0;
    struct walker walker = {.top = bottom};
    struct last_rows last = {0};
    ulong found = 0, work = 0;
    stack[get_local_id(0)] = 0;
    for (;;) {
        for (uint i = 0; i < ENDS; i++) {
            found += place_c(pass, &last, table);
            found += place_c(pass, &last, table);
            work += place_b(&last, distance, factor);
        }
        place_a(&last, row_b, row_c);
        for (uint i = 1; i < WALKS; i++) {
            take_waiting(&walker);
            walker.top = (walker.state & OPEN) == 0 ? bottom : walker.top;
            *has_first |= place(&walker, &last, row, rows);
        }
        take_waiting(&walker);
        if ((walker.state & OPEN) == 0) {
            walker.top = bottom;
            if (piece < pieces)
                piece = atomic_inc(next);
            if (piece < pieces) {
                const uint at = piece >> log_parts, left = list[2 * ROOM + at];
                const uint sums = list[at], differences = list[ROOM + at],
                           taken = left != 0 ? COLUMNS ^ left : 0,
                           free = ~(taken | sums * row[0].z | differences * row[0].w) >> EVENS;
                walker.state = taken | (free & OPEN & stripes << (piece & parts));
                walker.sums = sums;
                walker.differences = differences;
            } else if ((last.a & OPEN) == 0 && (last.b | last.c) == 0)
                break;
        }
        *has_first |= place(&walker, &last, row, rows);
    }
    *sum += found;
    *completions += work;
}

/* Lists placements of a colour's first rows and completes them. Returns whether there is a first
 * placement. */
INLINE bool colour(enum pass pass, global const struct rows *rows, uint columns, local uint *list,
                   local uint4 *row, local uint *shared, local uint *table, ulong *sum,
                   ulong *completions) {
    const uint item = get_local_id(0), first = rows->first_count, all = first + rows->second_count;
    const uint b = line_of(rows->second, rows->second_count - 2),
               c = line_of(rows->second, rows->second_count - 1);
    uint listed = min(first, all - 4);
    const uint count = list_first(list, rows->first, &listed, columns, shared);
    /* Factors of a queen that is placed in the row before, as an open column, to its diagonals;
     * and those of the diagonals to the columns of the row. */
    for (uint i = listed + item; i < all; i += GROUP) {
        const bool is_first = i < first, after_first = i <= first;
        const uint line = is_first ? line_of(rows->first, i) : line_of(rows->second, i - first);
        const uint before = i == 0        ? 0
                            : after_first ? line_of(rows->first, i - 1)
                                          : line_of(rows->second, i - first - 1);
        row[i - listed].x = (after_first ? 1u : 2u) << before;
        row[i - listed].y = 1u << (EVENS - before);
        row[i - listed].z = 1u << (EVENS - 1 + is_first - line);
        row[i - listed].w = 1u << line;
    }
    if (item == 0)
        shared[0] = shared[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool has_first = count > 0 && listed == first;
    if (count > 0)
        complete(pass, list, count, listed < first ? 4 : 1, row, all - listed - 3,
                 b > c ? b - c : c - b, shared, table, list + 3 * ROOM, sum, completions,
                 &has_first);
    if (has_first)
        shared[1] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared[1];
}

#ifdef __ENDIAN_LITTLE__
#define UPPER 1 /* index of a sum's upper half */
#else
#define UPPER 0
#endif

/* Adds a number to a sum of other groups, too, by halves: some devices have no atomics of 64 bits.
 * The upper half of `more` plus 1 fits in 32 bits. Returns whether the sum wraps around: then one
 * of the additions to its upper half does. */
INLINE bool add_to(global uint *sum, ulong more) {
    const uint lower = (uint)more, carry = atomic_add(&sum[1 - UPPER], lower) > ~lower,
               upper = (uint)(more >> 32) + carry;
    return atomic_add(&sum[UPPER], upper) > ~upper;
}

/* Adds what X of one number of odd rows contribute to their slots: solutions, completions, of two
 * words each. ds: all D of this size. pairs: X times D. If solutions may have outgrown 64 bits, the
 * highest bit of the completions says so: fewer than 2^36 completions add up to less, 8 x 7! x 7!
 * each. */
kernel void colours(global const struct x *xs, global const struct d *ds, uint d_count,
                    uint pairs, global uint *counter, global uint *results) {
    /* Rows, then the table: loops take fewer steps with one base address. */
    local uint4 row[ROWS + (ENTRIES + 3) / 4];
    local uint list[3 * ROOM + SPARE], shared[2];
    local uint *const table = (local uint *)(row + ROWS);
    const uint item = get_local_id(0);
    for (;;) {
        if (item == 0)
            shared[0] = atomic_inc(counter);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint pair = shared[0];
        if (pair >= pairs)
            return;
        global const struct x *x = &xs[pair / d_count];
        global const struct d *d = &ds[pair % d_count];
        const uint columns = d->set ^ x->flip;
        const bool d_exceeds_key = d->key > x->key;
        ulong sum = 0, work = 0;
        for (uint i = item; i < ENTRIES; i += GROUP)
            table[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (d->key < x->key ||
            !colour(TALLY, &x->minority, columns, list, row, shared, table, &sum, &work))
            continue;
        if (item == 0)
            table[0] = 0; /* counts what was no completion; no set that white can have is empty */
#if N % 2 == 0
        /* Weighs each entry by black's even columns, which are those that it lacks. */
        for (uint i = item; i < ENTRIES; i += GROUP) {
            const uint column_0 = x->majority.second_count - popcount(i), set = 2 * i | column_0;
            if (column_0 > 1)
                continue;
            const uint all = (1u << EVENS) - 1, b = all - set;
            const uint key = 2 * x->minority.first_count == ODDS ? min(b, all - b) : b;
            table[i] = key < x->key ? 0 : table[i] << (d_exceeds_key && key > x->key);
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!colour(SUM, &x->majority, columns ^ ALL_FIRST, list, row, shared, table, &sum, &work))
            continue;
        if (work != 0) {
            global uint *const solutions = &results[4 * x->slot], *const completions = solutions + 2;
            const bool wraps =
                add_to(solutions, sum * x->weight * d->weight << (N % 2 && d_exceeds_key));
            add_to(completions, work);
            if (work >> 36 != 0 || wraps)
                atomic_or(&completions[UPPER], 1u << 31);
        }
    }
}
