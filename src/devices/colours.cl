/* SPDX-License-Identifier: MIT */
/* Method `colours` on a device. docs/algorithm.md explains the method and its letters; src/colours
 * calls the squares of a colour in odd columns its odd half, the others its even half.
 *
 * A work-group counts one pair of an X and a D at a time. It takes the pair's number from a
 * counter. For each colour, first the one with fewer queens (the minority), it lists the placements
 * on the odd half in local memory. If these are too many, it lists the placements on fewer rows of
 * this half. Then it completes the listed placements. The completions of the minority are counted
 * in a lookup table in local memory, by the even columns that they leave; those of the majority add
 * up the entries of the columns that they take.
 *
 * The work-items of a sub-group run in step. If each had a loop of its own, all would take as long
 * as the slowest one. So all rows are filled in a single loop: in each iteration every item tries
 * to place a few queens, in different rows, nearly without branches. A queen that cannot be placed
 * is 0, and changes nothing.
 *
 * Options of the compiler:
 *   N       the board
 *   GROUP   number of work-items in a work-group
 *   ROOM    number of placements that a list has room for
 *   DEPTH   largest number of rows in which states wait: all rows that a colour fills, except those
 *           whose placements surely fit into the list, the last three, and the one before these
 *   WALKS   queens that an item places in an iteration in rows before the last three
 *   ENDS    queens that it places in an iteration in the last row but one; for each of them it
 *           places two in the last row
 *
 * No entry of a table wraps around: it is at most 7! x 7!, doubled at most once (see the proof in
 * docs/algorithm.md). */

#if N < 6 || N > 28
#error "N: 6 to 28, so that words hold two sets of columns, or 27 diagonals and a row's number"
#endif

#define ODDS (N / 2)
#define EVENS (N - ODDS)
#define ALL_FIRST (((1u << ODDS) - 1) << N % 2) /* all odd columns, as struct d numbers them */
/* Number of entries of the lookup table. All sets of even columns that occur have one size, so
 * whether column 0 is in a set follows from the rest: the other columns are the number of its
 * entry. */
#define ENTRIES (1u << (EVENS - 1))
#define ITEM_WORDS (3 * (DEPTH + 1)) /* words of an item's stack */
#define SPARE (3 * ROOM > ITEM_WORDS * GROUP ? 3 * ROOM : ITEM_WORDS * GROUP)
#define ROWS 20 /* room for the rows of a colour that are not listed */
#define INLINE __attribute__((always_inline))

/* A set of columns has column q at bit HIGH + q of a word. The words `differences` and `sums` hold
 * sets of diagonals: a queen in column q and row r of the even half attacks bit HIGH + q - r of
 * `differences` and bit HIGH + q - (EVENS - 1 - r) of `sums`. So rows may be filled in any order. A
 * shift to the left brings the diagonals to the columns in which they cross a row. Shifts are made
 * by multiplications, because the GPU's multipliers are idle otherwise.
 *
 * A queen in column q and row r of the odd half attacks the same bit of `differences`, but the next
 * lower bit of `sums`, HIGH + q - (EVENS - r). The reason is how device.c numbers the odd half: its
 * row r lies between the rows r - 1 and r of the even half, and its column q between the columns
 * q - 1 and q. */
#define HIGH (32 - EVENS)
#define COLUMNS (~0u << HIGH)
/* A state that is about to fill a row has, in one word, the columns taken and, EVENS bits below
 * them, the columns of this row that are free and not yet tried. UNTRIED has the bits of these free
 * columns. Rows that are not listed are numbered from 0 on in the order of filling, and the row's
 * number is in the five lowest bits of the state's `differences`, which no diagonal needs. When the
 * diagonals are shifted to a row, these bits stay below the columns. */
#define UNTRIED (COLUMNS >> EVENS)
#define ROW_NUMBER 31u
/* In the last two rows a set of columns has column q at bit q + 1. Without its two lowest bits it
 * is the offset of an entry in bytes. */
#define LOW (HIGH - 1)
#define LOW_COLUMNS (COLUMNS >> LOW)

struct rows { /* rows of a colour's odd half, then of its even half, in the order of filling */
    ulong first, second; /* four bits for each row, the lowest ones for the first row */
    uint first_count, second_count;
};
struct x {
    struct rows minority, majority;
    uint key, weight;
    uint flip; /* turns D into the odd columns of the minority, by ^ */
    uint slot; /* number of the sums that its results are added to */
};
struct d { /* a set of odd columns of the black queens */
    uint set, key, weight;
};
/* TALLY fills the lookup table with the minority's completions; SUM adds up the entries that the
 * majority's completions look up. */
enum pass { TALLY, SUM };

/* Returns row i of struct rows. */
INLINE uint line_of(ulong lines, uint i) {
    return (uint)(lines >> 4 * i) & 15;
}

/* Lists the placements on the first *rows of a colour's odd half, and returns how many there are.
 * If there is no room for all of them, it lists placements on fewer rows, and sets *rows to the
 * number of these rows.
 *
 * The whole group extends the list row by row. A list has three arrays of ROOM words: sums,
 * differences, and columns left. Lists alternate between `list` and the words after it, in such a
 * way that the list for all *rows rows is in `list`. If room runs out earlier, the last list may
 * not be in `list`, and is copied there. */
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

/* An item's states in the last three rows, which are called a, b and c. There is one state for each
 * row. It is replaced by the next state when it has no untried columns left. */
struct last_rows {
    uint a, sums, differences; /* of row a: columns, in the form described at UNTRIED; diagonals */
    uint b, taken_b, c_of_b;   /* of row b: untried columns; columns taken; free columns of row c */
    uint c, taken_c;           /* of row c: untried columns; columns taken */
};

/* Places a queen in row a, if row b needs a new state. */
INLINE void place_a(struct last_rows *last, uint4 row_b, uint4 row_c) {
    const uint untried = last->a & UNTRIED, queen = untried & -untried;
    const bool places = last->b == 0 && untried != 0;
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

/* Places a queen in row b, if row c needs a new state. Returns the number of completions: the
 * number of columns that are then free in row c. `distance` is the distance between rows b and c.
 * `factor` is 1 + 2^distance + 2^(2 distance). A multiplication by `factor`, and a shift to the
 * right by `distance`, turn a queen's bit into the bits of its column and its two diagonals in
 * row c. */
INLINE uint place_b(struct last_rows *last, uint distance, uint factor) {
    const uint queen = last->b & -last->b;
    const bool places = last->c == 0 && queen != 0;
    const uint c = last->c_of_b & ~(queen * factor >> distance);
    last->taken_c = places ? last->taken_b ^ queen : last->taken_c;
    last->c = places ? c : last->c;
    last->b = places ? last->b ^ queen : last->b;
    return places ? popcount(c) : 0;
}

/* Places a queen in row c, which completes a placement. TALLY adds 1 to the placement's entry; SUM
 * returns the entry. If there is no queen to place, entry 0 is used, which belongs to no
 * completion. */
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

/* An item's state in the rows before the last three, with its stack. If a state has untried columns
 * left when its child takes its place, it waits on the stack. */
struct walker {
    uint state, sums, differences;
    local uint *top;
};

/* Takes a state from the stack, if the current one has no untried columns. */
INLINE void take_waiting(struct walker *walker) {
    if ((walker->state & UNTRIED) == 0) {
        walker->top -= 3 * GROUP;
        walker->state = walker->top[0];
        walker->sums = walker->top[GROUP];
        walker->differences = walker->top[2 * GROUP];
    }
}

/* Places a queen in the row of the walker's state. In the last of `rows` rows, the child goes to
 * row a, and no queen is placed as long as row a's state has untried columns. Returns whether the
 * queen was the last one of the odd half, which makes a first placement. */
INLINE bool place(struct walker *walker, struct last_rows *last, local const uint4 *row,
                  uint rows) {
    const uint at = walker->differences & ROW_NUMBER, untried = walker->state & UNTRIED;
    const bool ends = at == rows - 1;
    const uint queen = ends && (last->a & UNTRIED) != 0 ? 0 : untried & -untried,
               rest = walker->state ^ queen;
    const uint4 here = row[at + 1];
    const uint sums = walker->sums + queen * here.x,
               differences = walker->differences + queen * here.y + 1, /* next row */
               all = (walker->state + (queen << EVENS)) & COLUMNS,
               /* On the odd half, columns that are not the colour's count as taken. So all columns
                * are taken once it is filled. The even half begins with no column taken. */
               taken = all != COLUMNS ? all : 0,
               free = UNTRIED & ~((taken | sums * here.z | differences * here.w) >> EVENS),
               child = taken | free;
    const bool lives = queen != 0 && free != 0, goes_on = lives && !ends,
               goes_last = lives && ends;
    if (goes_on && untried != queen) {
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

/* Completes the `count` listed placements: fills `rows` rows, and then the last three. row[i] are
 * the factors of row i, which colour() makes. Work is handed out in pieces, so that all items end
 * at about the same time: a piece is a placement with a part of the columns of its next row. Each
 * placement has 2^log_parts pieces, numbered one after another. A part has every 2^log_parts-th
 * column: the columns of `stripes`, shifted by the part's number. Sets *has_first if a first
 * placement is made here. The bottom of the stack is a state without untried columns. */
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
            walker.top = (walker.state & UNTRIED) == 0 ? bottom : walker.top;
            *has_first |= place(&walker, &last, row, rows);
        }
        take_waiting(&walker);
        if ((walker.state & UNTRIED) == 0) {
            walker.top = bottom;
            if (piece < pieces)
                piece = atomic_inc(next);
            if (piece < pieces) {
                const uint at = piece >> log_parts, left = list[2 * ROOM + at];
                const uint sums = list[at], differences = list[ROOM + at],
                           taken = left != 0 ? COLUMNS ^ left : 0,
                           free = ~(taken | sums * row[0].z | differences * row[0].w) >> EVENS;
                walker.state = taken | (free & UNTRIED & stripes << (piece & parts));
                walker.sums = sums;
                walker.differences = differences;
            } else if ((last.a & UNTRIED) == 0 && (last.b | last.c) == 0)
                break;
        }
        *has_first |= place(&walker, &last, row, rows);
    }
    *sum += found;
    *completions += work;
}

/* Lists the placements of one colour on its first rows, and completes them. `columns` are its odd
 * columns. Returns whether there is a first placement. */
INLINE bool colour(enum pass pass, global const struct rows *rows, uint columns, local uint *list,
                   local uint4 *row, local uint *shared, local uint *table, ulong *sum,
                   ulong *completions) {
    const uint item = get_local_id(0), first = rows->first_count, all = first + rows->second_count;
    const uint b = line_of(rows->second, rows->second_count - 2),
               c = line_of(rows->second, rows->second_count - 1);
    uint listed = min(first, all - 4); /* a row before the last three remains to be walked */
    const uint count = list_first(list, rows->first, &listed, columns, shared);
    /* Factors for row i. Multiplied by x and y, the bit of a queen among the untried columns of
     * the row before becomes the bits of its diagonals in `sums` and `differences`. Multiplied by
     * z and w, these sets become the columns of row i that they attack. */
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
#define UPPER 1 /* index of the upper half in a sum of two words */
#else
#define UPPER 0
#endif

/* Adds a number to a sum to which other groups add at the same time. It does so by halves, because
 * some devices have no atomics of 64 bits. The upper half of `more` must be less than 2^32 - 1.
 * Returns whether this addition wrapped the upper half around; if a sum outgrows 64 bits, one of
 * the additions to it has done so. */
INLINE bool add_to(global uint *sum, ulong more) {
    const uint lower = (uint)more, carry = atomic_add(&sum[1 - UPPER], lower) > ~lower,
               upper = (uint)(more >> 32) + carry;
    return atomic_add(&sum[UPPER], upper) > ~upper;
}

/* Adds what the X contribute to their slots. All X have the same number of odd rows; `ds` are all D
 * of this size, and `pairs` is the number of X times that of D. A slot has two sums of two words
 * each: solutions, then completions. If solutions may have outgrown 64 bits, the highest bit of the
 * completions is set. A pair with fewer than 2^36 completions cannot make that happen by itself,
 * since each completion adds at most 8 x 7! x 7! solutions, which is less than 2^28. */
kernel void colours(global const struct x *xs, global const struct d *ds, uint d_count,
                    uint pairs, global uint *counter, global uint *results) {
    /* The rows are followed by the table, because loops take fewer instructions if both have one
     * base address. */
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
        /* In entry 0, place_c() has counted queens that were missing. It belongs to no completion,
         * because real sets have 3 columns or more. */
        if (item == 0)
            table[0] = 0;
#if N % 2 == 0
        /* Weighs each entry by the key of B, black's even columns: those that its set lacks. */
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
