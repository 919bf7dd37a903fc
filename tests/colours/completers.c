/* SPDX-License-Identifier: MIT */
/* Compares all completers that run on this CPU with each other, entry by entry, and writes TAP.
 * A solver would choose only the fastest completer. This program is built twice, the second
 * time with completers that are compiled again: see methods/meson.build. */
#include "core/sets.h"
#include "kernels.h"
#include "made_up.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef FRONTIER_CHECK /* defined by checks.h if the completers are compiled again */
enum { FULL = 95 };
#else
enum { FULL = 0 };
static size_t fullest;
#endif

/* FEW: a number of first placements that is small enough for a plain search of all their
 * completions. MAX_COUNT: more than the 512 first placements that become states at once. */
enum { FEW = 50, MAX_COUNT = 520, TABLES = 2, ENTRIES = TABLES << (COLOURS_LINES - 1) };
enum { GUARD = 64, RUBBISH = 0xa5 };

struct completed {
    uint32_t tally[ENTRIES];
    uint64_t sum, completions;
};

/* Returns the number in an entry of the lookup tables. These numbers are so large that a
 * sum of 32 bits would wrap around. */
static uint32_t number_of(uint32_t entry) {
    return UINT32_MAX - entry * entry;
}

/* Completes a first placement row by row, column by column. */
static void complete_plainly(const struct even_half *half, int at, uint32_t table,
                             uint32_t columns, uint32_t right, uint32_t left,
                             struct completed *completed) {
    if (at == half->row_count) {
        /* Bit 0 of a set of columns is left out: see completer.h. A sum looks up the columns
         * that are taken, and a tally adds to those that are left. */
        const uint32_t entry = (table << half->columns | columns) >> 1;
        completed->tally[entry ^ low_bits(half->columns) >> 1]++;
        completed->sum += number_of(entry);
        completed->completions += 2; /* one in the sum, one in the tally */
        return;
    }
    for (int column = 0; column < half->columns; column++) {
        const int row = half->row[at];
        const uint32_t on_right = UINT32_C(1) << (column + half->last - row),
                       on_left = UINT32_C(1) << (column + row);
        if ((columns >> column & 1) == 0 && (right & on_right) == 0 && (left & on_left) == 0)
            complete_plainly(half, at + 1, table, columns | UINT32_C(1) << column,
                             right | on_right, left | on_left, completed);
    }
}

/* Completes first placements as a tally and as a sum. A placement's rank is the number of its
 * lookup table. To try both directions, the test numbers the tables from the last to the first,
 * as they are for white, if the number of rows is odd. Expects that nothing is written outside
 * the scratch memory. */
static void complete(const struct completer *completer, const struct even_half *half,
                     const uint32_t *right, const uint32_t *left, size_t count,
                     struct completed *completed) {
    static uint32_t numbers[ENTRIES];
    static uint16_t rank[MAX_COUNT + FIRST_MARGIN];
    const bool backwards = half->row_count % 2 == 1;
    const size_t bytes = completer->scratch_bytes, all = (bytes + 3 * GUARD) / GUARD * GUARD;
    unsigned char *memory = aligned_alloc(GUARD, all), *scratch = memory + GUARD;
    memset(memory, RUBBISH, all);
    memset(completed, 0, sizeof *completed);
    for (uint32_t i = 0; i < ENTRIES; i++)
        numbers[i] = number_of(i);
    for (size_t i = 0; i < count; i++)
        rank[i] = (uint16_t)(i % TABLES);
    const struct first_slice slice = {.right = right,
                                      .left = left,
                                      .rank = rank,
                                      .flip = backwards ? UINT16_MAX : 0,
                                      .base = backwards ? TABLES : 0,
                                      .count = count};
    completed->completions = completer->tally(half, &slice, scratch, completed->tally) +
                             completer->sum(half, &slice, scratch, numbers, &completed->sum);
    for (size_t i = 0; i < GUARD; i++)
        EXPECT(memory[i] == RUBBISH && scratch[bytes + i] == RUBBISH,
               "%s wrote outside its scratch memory", completer->impl.name);
    free(memory);
}

static uint64_t seed = 1;

/* Shuffles the rows. */
static void reorder(struct even_half *half) {
    for (int i = 0; i < half->row_count; i++) {
        const int j = random_below(&seed, half->row_count);
        const uint8_t row = half->row[i];
        half->row[i] = half->row[j];
        half->row[j] = row;
    }
}

/* Completes first placements with all completers, on these rows of an even half, in several
 * orders. full: how full the fullest array of a frontier must get, in percent. */
static void compare(int columns, int half_rows, uint32_t rows, const uint32_t *right,
                    const uint32_t *left, size_t count, size_t full) {
    enum { ORDERS = 3 }; /* the first is ascending */
    static struct completed expected, found;
    struct even_half half = {.columns = columns, .last = half_rows - 1};
    for (int row = 0; row < COLOURS_LINES; row++)
        if ((rows >> row & 1) != 0)
            half.row[half.row_count++] = (uint8_t)row;
    memset(&expected, 0, sizeof expected);
    if (count > FEW) {
        complete(&nqi_completer_scalar64, &half, right, left, count, &expected);
    } else {
        const bool backwards = half.row_count % 2 == 1; /* as in complete() */
        for (size_t i = 0; i < count; i++) {
            const uint32_t rank = (uint32_t)(i % TABLES);
            const uint32_t table = backwards ? TABLES - 1 - rank : rank;
            complete_plainly(&half, 0, table, 0, right[i], left[i], &expected);
        }
    }
    for (const struct completer *completer = NULL;
         (completer = completer_after(completer)) != NULL;) {
        fullest = 0;
        struct even_half ordered = half;
        for (int order = 0; order < ORDERS; order++, reorder(&ordered)) {
            complete(completer, &ordered, right, left, count, &found);
            EXPECT(memcmp(&expected, &found, sizeof found) == 0,
                   "%s, %d columns, rows %x, order %d", completer->impl.name, columns, rows,
                   order);
        }
        EXPECT(fullest >= full, "%s: no array was fuller than %zu %%", completer->impl.name,
               fullest);
    }
}

/* Compares on boards of all sizes. Diagonals are attacked at random, more of them if there are
 * more rows to fill. */
static void numbers_of_rows(void) {
    uint32_t right[FEW + FIRST_MARGIN] = {0}, left[FEW + FIRST_MARGIN] = {0};
    for (int count = 0; count <= COLOURS_LINES; count++)
        for (int columns = count > 1 ? count : 1; columns <= COLOURS_LINES; columns++) {
            const int half_rows = count + random_below(&seed, COLOURS_LINES - count + 1);
            uint32_t rows = 0;
            while (__builtin_popcount(rows) < count)
                rows |= UINT32_C(1) << random_below(&seed, half_rows);
            for (size_t i = 0; i < FEW; i++) {
                right[i] = random_bits(&seed) & (count < 5 ? random_bits(&seed) : UINT32_MAX);
                left[i] = random_bits(&seed) & (count < 5 ? random_bits(&seed) : UINT32_MAX);
            }
            compare(columns, half_rows, rows, right, left, FEW, 0);
        }
    end_case("completers find what a plain search finds, on 0 to 14 rows");
}

/* Few of these placements attack anything, and the rows are far apart. So nearly every state
 * has a child for each column left, and stacks get as full as they ever can. */
static void full_stacks(void) {
    static uint32_t right[MAX_COUNT + FIRST_MARGIN], left[MAX_COUNT + FIRST_MARGIN];
    for (size_t i = MAX_COUNT / 2; i < MAX_COUNT; i++)
        right[i] = left[i] = random_below(&seed, 16) == 0 ? random_bits(&seed) : 0;
    compare(COLOURS_LINES, COLOURS_LINES, 1 | 1 << 7 | 1 << 13, right, left, MAX_COUNT, FULL);
    end_case("completers agree with full stacks");
}

int main(void) {
    print_missing(nqi_completer_list);
    numbers_of_rows();
    full_stacks();
    return end_cases();
}
