/* SPDX-License-Identifier: MIT */
/* Compares all completers with each other, entry by entry, and writes TAP: also those that a
 * solver takes on other CPUs alone. Its sources are compiled again for it: see meson.build. */
#include "implementations.h"
#include "made_up.h"
#include "room.h"
#include "tap.h"

#include <inttypes.h>

#ifdef FRONTIER_CHECK /* by checks.h, if completers are compiled again */
enum { FULL = 65 };
#else
enum { FULL = 0 };
static size_t fullest;
#endif

enum { MAX_COUNT = 2 * MAX_BATCH, TABLES = 2, ENTRIES = TABLES << (COLOURS_LINES - 1) };

struct completed {
    uint32_t tally[ENTRIES];
    uint64_t sum, completions;
};

/* An entry of the tables to look up: they are large, so that a narrow sum would wrap. */
static uint32_t weight_of(uint32_t entry) {
    return UINT32_MAX - entry * entry;
}

static void complete(const struct completer *completer, const struct second *second,
                     const uint32_t *right, const uint32_t *left, size_t count,
                     struct completed *completed) {
    static uint32_t weights[ENTRIES];
    static uint16_t rank[MAX_COUNT + FIRST_MARGIN];
    const bool backwards = second->row_count % 2 == 1;
    const size_t most = completer->most(second->columns);
    struct room scratch = room_new(completer->scratch_bytes);
    memset(completed, 0, sizeof *completed);
    for (uint32_t i = 0; i < ENTRIES; i++)
        weights[i] = weight_of(i);
    for (size_t i = 0; i < count; i++)
        rank[i] = (uint16_t)(i % TABLES);
    for (size_t from = 0; from < count; from += most) {
        const struct batch batch = {.right = right + from,
                                    .left = left + from,
                                    .rank = rank + from,
                                    .flip = backwards ? UINT16_MAX : 0,
                                    .base = backwards ? TABLES : 0,
                                    .count = count - from < most ? count - from : most};
        completed->completions +=
            completer->tally(second, &batch, scratch.own, completed->tally);
        completed->completions +=
            completer->sum(second, &batch, scratch.own, weights, &completed->sum);
    }
    EXPECT(room_end(&scratch), "%s wrote outside its scratch memory", completer->impl.name);
}

static uint64_t seed = 1;

/* Brings ascending rows into any order, or a descending one. */
static void reorder(struct second *second, bool one_way) {
    const int count = second->row_count;
    for (int i = 0; i < (one_way ? count / 2 : count); i++) {
        const int j = one_way ? count - 1 - i : random_below(&seed, count);
        const uint8_t row = second->row[i];
        second->row[i] = second->row[j];
        second->row[j] = row;
    }
}

/* Completes first placements with all completers, on these rows of the second class, in two
 * orders. full: how full an array of each frontier gets, in percent. */
static void compare(const struct colour *colour, uint32_t rows, const uint32_t *right,
                    const uint32_t *left, size_t count, size_t full) {
    static struct completed expected, found;
    struct second second = {.columns = colour->second_columns, .last = colour->second_rows - 1};
    for (uint32_t set = rows; set != 0; set &= set - 1)
        second.row[second.row_count++] = (uint8_t)__builtin_ctz(set);
    complete(&nqi_completer_scalar64, &second, right, left, count, &expected);
    /* A tally's entry is that of the complement. */
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ENTRIES; i++)
        sum += (uint64_t)expected.tally[i] * weight_of(i ^ low_bits(second.columns - 1));
    EXPECT(expected.sum == sum, "%d columns, rows %x: sum %" PRIu64 ", tallied %" PRIu64,
           second.columns, rows, expected.sum, sum);
    for (const struct completer *completer = NULL;
         (completer = completer_after(completer)) != NULL;) {
        struct second ordered = second;
        fullest = 0;
        for (int order = 0; order < 2; order++) {
            complete(completer, &ordered, right, left, count, &found);
            EXPECT(memcmp(&expected, &found, sizeof found) == 0,
                   "%s, %d columns, rows %x, order %d", completer->impl.name, second.columns,
                   rows, order);
            reorder(&ordered, completer->one_way);
        }
        EXPECT(fullest >= full, "%s: no array was fuller than %zu %%", completer->impl.name,
               fullest);
    }
}

static void random_rows(void) {
    enum { MOST = 50 };
    for (int n = 1; n <= NQ_MAX_N; n++)
        for (int i = 0; i < 4; i++) {
            static struct column_ranks ranks;
            struct colours_board board;
            nqi_colours_board_init(n, &board);
            nqi_column_ranks_init(&board, &ranks);
            const struct colour *colour = i % 2 == 0 ? &board.black : &board.white;
            uint32_t first = 0, second = 0;
            for (int size = n / 4; size > 0; size--)
                first |= UINT32_C(1) << random_below(&seed, colour->first_rows);
            for (int size = i < 2 ? n / 4 : n / 2; size > 0; size--)
                second |= UINT32_C(1) << random_below(&seed, colour->second_rows);
            struct first_list *list = nqi_first_list_new(colour, first, &ranks);
            const size_t all = list->begin[ranks.sets[__builtin_popcount(first)]],
                         from = all > MOST ? (size_t)random_below(&seed, (int)all - MOST) : 0;
            compare(colour, second, list->right + from, list->left + from,
                    all > MOST ? MOST : all, 0);
            nqi_first_list_free(list);
        }
    end_case(
        "completers agree on every entry of first placements on random rows in other orders");
}

/* Placements that attack nothing, then some that do, on rows far apart: nearly every state has
 * as many children as there are columns left, so the stack of every row gets as full as it ever
 * can. */
static void full_stacks(void) {
    enum { ROWS = 4 };
    static uint32_t right[MAX_COUNT + FIRST_MARGIN], left[MAX_COUNT + FIRST_MARGIN];
    for (size_t i = MAX_BATCH; i < MAX_COUNT; i++)
        right[i] = left[i] = random_below(&seed, 16) == 0 ? random_bits(&seed) : 0;
    for (int n = 20; n <= NQ_MAX_N; n += 5) {
        struct colours_board board;
        nqi_colours_board_init(n, &board);
        for (uint32_t rows = 0, row = 0; row < ROWS; row++) {
            rows |= UINT32_C(1) << row * (uint32_t)(board.black.second_rows - 1) / (ROWS - 1);
            compare(&board.black, rows, right, left, MAX_COUNT,
                    n == NQ_MAX_N && row == ROWS - 1 ? FULL : 0);
        }
    }
    end_case("completers agree with full stacks, n = 20 to 30");
}

int main(void) {
    print_missing(nqi_completer_list);
    random_rows();
    full_stacks();
    return end_cases();
}
