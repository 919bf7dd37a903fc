/* SPDX-License-Identifier: MIT */
/* Counts by colours on a device (docs/algorithm.md has the terms). A work-group takes one X and D
 * after the other, from a counter. For each colour, the one with fewer queens first, it lists the
 * first placements in local memory and completes them. The first colour's completions fill a
 * table in local memory, the second's add up its entries.
 *
 * Work-items of a sub-group run in step, so a loop of one item's own would take what the slowest
 * item takes. Hence there is one loop, in which every item places a few queens in each pass,
 * whatever the state of the others is, and nearly without branches: a queen that cannot be placed
 * is 0, and changes nothing.
 *
 * Options: N: the board. GROUP: work-items of a work-group. ROOM: first placements listed at a
 * time. DEPTH: rows of a second class in which states wait: all but the first one, and but the
 * last three.
 *
 * Nothing wraps around. An entry is at most 7! x 7!, doubled at most once (docs/algorithm.md). A
 * first placement has fewer than 2^25 completions, since no set of rows of 14 columns has as many
 * placements: most has one of ten rows, 29,555,392. An item adds up those of four tasks at most in
 * 32 bits. A slot's solutions are different ones of the board. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#if N < 6 || N > 28
#error "N: 6 to 28, so that a word holds two sets of columns and a row's place"
#endif
#if GROUP < 1 || ROOM < 1 || DEPTH < 1
#error "GROUP, ROOM, DEPTH: at least 1"
#endif

#define ODDS (N / 2)
#define EVENS (N - ODDS)
#define ALL_FIRST (((1u << ODDS) - 1) << N % 2) /* odd columns, as first placements number them */
#define ENTRIES (1u << (EVENS - 1)) /* all sets have one size: column 0 follows from the rest */
#define ITEM_WORDS (3 * (DEPTH + 1)) /* of an item's stack */
#define SPARE (3 * ROOM > ITEM_WORDS * GROUP ? 3 * ROOM : ITEM_WORDS * GROUP)
#define INLINE __attribute__((always_inline))

/* A set of columns has column q at bit HIGH + q. Diagonals are bits, too: a queen on column q of
 * line r of a second class attacks HIGH + q - r of `differences` and HIGH + q - (EVENS - 1 - r)
 * of `sums`. So rows may be filled in any order. A shift to the left brings the diagonals of a
 * line to its columns. It is made by a multiplication, for which units are idle. */
#define HIGH (32 - EVENS)
#define COLUMNS (~0u << HIGH)
/* A state that waits for a row is a word: the columns taken, below them the open ones, that is,
 * free and not yet tried, and the row's place in the order, counted from 1. */
#define OPEN (COLUMNS >> EVENS)
#define PLACE 15u
/* In the last rows a set has column q at bit q + 1: a byte offset in the table, without its
 * lowest two bits. */
#define LOW (HIGH - 1)
#define LOW_COLUMNS (COLUMNS >> LOW)

struct rows { /* of a colour, in the order in which they are filled, four bits each */
    ulong first, second;
    uint first_count, second_count;
};
struct x {
    struct rows fewer, more; /* the colour with fewer queens; the other */
    uint key, weight;
    uint flip; /* turns D into the odd columns of the colour with fewer queens */
    uint slot; /* of its results */
};
struct d {
    uint set, key, weight, unused;
};
enum sink { TALLY, SUM };

INLINE uint line_of(ulong lines, uint i) {
    return (uint)(lines >> 4 * i) & 15;
}

/* Lists first placements, row by row, with the whole group: sums, differences, columns left, ROOM
 * words each. The lists of rows alternate between `list` and what follows it. Of `slices` equal
 * parts, a power of 2, it takes one: a bit of its number for each row says whether the queen's
 * column is even, further bits say the same of the column's half, its quarter and so on. Returns
 * how many there are; if they outgrow the room, some number greater than it. */
INLINE uint list_first(local uint *list, ulong lines, uint rows, uint columns, uint slice,
                       uint slices, local uint *size) {
    const uint item = get_local_id(0);
    uint count = 1;
    if (item == 0) {
        local uint *const from = list + rows % 2 * 3 * ROOM;
        from[0] = from[ROOM] = 0;
        from[2 * ROOM] = columns << HIGH;
    }
    for (uint i = 0; i < rows && count > 0 && count <= ROOM; i++) {
        local uint *const from = list + (rows - i) % 2 * 3 * ROOM,
                          *const to = list + (rows - i - 1) % 2 * 3 * ROOM;
        const uint line = line_of(lines, i);
        uint mine = COLUMNS;
        for (uint bit = i, shift = 0; slices >> bit > 1; bit += rows, shift++) {
            const uint stripes = 0xffffu / ((1u << (1u << shift)) + 1) << HIGH;
            mine &= slice & slices >> (bit + 1) ? ~stripes : stripes;
        }
        if (item == 0)
            *size = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < count; j += GROUP) {
            const uint sums = from[j], differences = from[ROOM + j], left = from[2 * ROOM + j];
            uint free = left & mine & ~(sums << (EVENS - line) | differences << line);
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
        count = *size;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
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
INLINE uint place_c(enum sink sink, struct last_rows *last, local uint *table) {
    const uint queen = last->c & -last->c, taken = last->taken_c ^ queen,
               set = sink == TALLY ? ~taken : taken,
               offset = queen != 0 ? set & (ENTRIES - 1) << 2 : 0;
    local uint *const entry = (local uint *)((local char *)table + offset);
    last->c ^= queen;
    if (sink == SUM)
        return *entry;
    atomic_inc(entry);
    return 0;
}

/* Completes `count` listed placements, with row[i], see `colour`, and the last three of these.
 * States of the rows before wait on a stack, whose bottom is one without open columns. A task is
 * a placement and, so that items end together, half of the columns of the first row, if that is
 * not row a. */
INLINE void complete(enum sink sink, local const uint *list, uint count, local const uint4 *row,
                     uint last_row, uint distance, local uint *next, local uint *table,
                     local uint *stack, ulong *sum, ulong *completions) {
    local uint *const bottom = stack + get_local_id(0) + 3 * GROUP, *top = bottom;
    const uint4 row_b = row[last_row + 1], row_c = row[last_row + 2];
    const uint factor = (1u << 2 * distance) + (1u << distance) + 1;
    const uint halves = last_row > 0, tasks = count << halves;
    uint tried = OPEN, task = 0, state = 0, sums = 0, differences = 0, work = 0;
    struct last_rows last = {0};
    ulong found = 0;
    stack[get_local_id(0)] = 0;
    for (;;) {
        /* A state has about two in the next row, but only near the end: these numbers of steps
         * keep most items busy in each one. */
        found += place_c(sink, &last, table);
        found += place_c(sink, &last, table);
        work += place_b(&last, distance, factor);
        found += place_c(sink, &last, table);
        found += place_c(sink, &last, table);
        work += place_b(&last, distance, factor);
        place_a(&last, row_b, row_c);
        if ((state & OPEN) == 0) {
            top -= 3 * GROUP;
            state = top[0];
            sums = top[GROUP];
            differences = top[2 * GROUP];
        }
        if ((state & OPEN) == 0) {
            top = bottom;
            if (task < tasks)
                task = atomic_inc(next);
            *completions += work;
            work = 0;
            if (task < tasks) {
                /* Place 0 is a queen that attacks nothing, and its column is carried away with
                 * the others: none is taken. */
                state = COLUMNS | (OPEN & -OPEN);
                tried = halves ? OPEN & 0x55555555u << task % 2 : OPEN;
                sums = list[task >> halves];
                differences = list[ROOM + (task >> halves)];
            } else if ((last.a & OPEN) == 0 && (last.b | last.c) == 0)
                break;
        }
        const uint place = state & PLACE, open = state & OPEN;
        const bool ends = place == last_row;
        const uint queen = ends && (last.a & OPEN) != 0 ? 0 : open & -open, rest = state ^ queen;
        const uint4 here = row[place];
        const uint s = sums + queen * here.x, d = differences + queen * here.y,
                   taken = state + (queen << EVENS),
                   free = tried & ~((taken | s * here.z | d * here.w) >> EVENS),
                   child = (taken & COLUMNS) | free | (place + 1);
        const bool lives = queen != 0 && free != 0, goes_on = lives && !ends,
                   goes_last = lives && ends;
        tried = OPEN;
        if (goes_on && open != queen) {
            top[0] = rest;
            top[GROUP] = sums;
            top[2 * GROUP] = differences;
            top += 3 * GROUP;
        }
        last.a = goes_last ? child : last.a;
        last.sums = goes_last ? s : last.sums;
        last.differences = goes_last ? d : last.differences;
        state = goes_on ? child : rest;
        sums = goes_on ? s : sums;
        differences = goes_on ? d : differences;
    }
    *sum += found;
}

/* Lists the first placements of a colour and completes them, in slices if they outgrow the room.
 * Returns how many there are. */
INLINE uint colour(enum sink sink, global const struct rows *rows, uint columns, local uint *list,
                   local uint4 *row, local uint *shared, local uint *table, ulong *sum,
                   ulong *completions) {
    const ulong lines = rows->second;
    const uint item = get_local_id(0), last_row = rows->second_count - 3;
    const uint b = line_of(lines, last_row + 1), c = line_of(lines, last_row + 2);
    /* Factors of a queen that is placed in row i - 1, as an open column, to its diagonals; and
     * those of the diagonals to the columns of row i. */
    for (uint i = item; i < rows->second_count; i += GROUP) {
        const uint line = line_of(lines, i), before = i > 0 ? line_of(lines, i - 1) : 0;
        row[i].x = i > 0 ? 2u << before : 0;
        row[i].y = i > 0 ? 2u << (EVENS - 1 - before) : 0;
        row[i].z = 1u << (EVENS - 1 - line);
        row[i].w = 1u << line;
    }
    uint listed = 0, slices = 1, slice = 0;
    while (slice < slices) {
        const uint count =
            list_first(list, rows->first, rows->first_count, columns, slice, slices, shared);
        if (count > ROOM) {
            slices *= 2;
            slice *= 2;
            continue;
        }
        listed += count;
        slice++;
        if (item == 0)
            *shared = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (count > 0)
            complete(sink, list, count, row, last_row, b > c ? b - c : c - b, shared, table,
                     list + 3 * ROOM, sum, completions);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return listed;
}

/* Adds what X of one number of odd rows contribute to their slots: solutions, completions. ds: all
 * D of this size. tasks: X times D. */
kernel void colours(global const struct x *xs, global const struct d *ds, uint d_count,
                    uint tasks, global uint *counter, global ulong *results) {
    /* Rows, then the table: loops take fewer steps with one base address. */
    local uint4 row[16 + (ENTRIES + 3) / 4];
    local uint list[3 * ROOM + SPARE], shared;
    local uint *const table = (local uint *)(row + 16);
    const uint item = get_local_id(0);
    for (;;) {
        if (item == 0)
            shared = atomic_inc(counter);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint task = shared;
        if (task >= tasks)
            return;
        global const struct x *x = &xs[task / d_count];
        global const struct d *d = &ds[task % d_count];
        const uint columns = d->set ^ x->flip;
        const bool twice = d->key > x->key;
        ulong sum = 0, work = 0;
        for (uint i = item; i < ENTRIES; i += GROUP)
            table[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (d->key < x->key ||
            colour(TALLY, &x->fewer, columns, list, row, &shared, table, &sum, &work) == 0)
            continue;
        if (item == 0)
            table[0] = 0; /* counts what was no completion; no set that white can have is empty */
#if N % 2 == 0
        /* Weighs each entry by black's even columns, which are those that it lacks. */
        for (uint i = item; i < ENTRIES; i += GROUP) {
            const uint without_0 = 2 * i, all = (1u << EVENS) - 1;
            const uint b = all - (without_0 | (x->more.second_count - popcount(i)));
            const uint key = 2 * x->fewer.first_count == ODDS ? min(b, all - b) : b;
            table[i] = key < x->key ? 0 : table[i] << (twice && key > x->key);
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (colour(SUM, &x->more, columns ^ ALL_FIRST, list, row, &shared, table, &sum, &work) == 0)
            continue;
        if (work != 0) {
            atom_add(&results[2 * x->slot], sum * x->weight * d->weight << (N % 2 && twice));
            atom_add(&results[2 * x->slot + 1], work);
        }
    }
}
