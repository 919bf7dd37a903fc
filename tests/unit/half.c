/* Signatures of half boards compared with queens on squares; and the search for halves, with
 * which the halves listed from quarters are compared, with brute force. */
#include "join/half.h"

#include "half_search.h"
#include "halves.h"
#include "oracle.h"
#include "signatures.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool on_a_diagonal(int row_a, int column_a, int row_b, int column_b) {
    return abs(row_a - row_b) == abs(column_a - column_b);
}

static uint64_t signature_of(const struct half_board *board, const int *column) {
    uint64_t signature = 0;
    for (int row = 0; row < board->rows; row++)
        signature |= board->queen[row][column[row]];
    return signature;
}

static void each_board(void (*check)(const struct half_board *board)) {
    for (int n = 2; n <= NQ_MAX_N; n++) {
        struct half_board board;
        memset(&board, 0x5a, sizeof board);
        nqi_half_board_init(&board, n);
        cr_assert(board.n == n && board.rows == n / 2);
        check(&board);
    }
}

/* Each queen adds its own bits to a signature, so it suffices to check all pairs of squares. */
static void check_squares(const struct half_board *board) {
    const int n = board->n;
    for (int row = 0; row < board->rows; row++)
        for (int column = 0; column < n; column++)
            for (int below = 0; below < board->rows; below++)
                for (int other = 0; other < n; other++) {
                    if (other == column)
                        continue;
                    uint64_t upper = board->queen[row][column],
                             lower = half_flip(board, board->queen[below][other]);
                    cr_assert_eq((upper & lower) == 0,
                                 !on_a_diagonal(row, column, n - 1 - below, other),
                                 "n = %d, upper half's (%d, %d), flipped lower half's (%d, %d)",
                                 n, row, column, below, other);
                }
}

Test(half, signatures_meet_where_two_queens_share_a_diagonal) {
    each_board(check_squares);
}

static void check_range(const struct half_board *board) {
    for (int row = 0; row < board->rows; row++)
        for (int column = 0; column < board->n; column++) {
            uint64_t queen = board->queen[row][column];
            cr_expect_eq(queen >> 2 * board->n, 0, "n = %d, (%d, %d)", board->n, row, column);
            cr_expect_leq(__builtin_popcountll(queen), 2);
            cr_expect_eq(half_flip(board, half_flip(board, queen)), queen);
        }
}

Test(half, signatures_fit_into_two_parts_of_n_bits) {
    each_board(check_range);
}

/* Tries `pairs` random pairs of halves; 0: all pairs. */
static void compare_pairs(int n, int pairs) {
    struct half_board board;
    nqi_half_board_init(&board, n);
    struct all_halves halves = all_halves(n);
    uint64_t seed = (uint64_t)n;
    const size_t count = halves.count;
    int fits = 0, met = 0;
    for (size_t i = 0; pairs == 0 ? i < count * count : met < pairs; i++) {
        size_t a = pairs == 0 ? i / count : (size_t)random_below(&seed, (int)count),
               b = pairs == 0 ? i % count : (size_t)random_below(&seed, (int)count);
        const struct half *upper = &halves.half[a], *lower = &halves.half[b];
        if ((upper->columns & lower->columns) != 0)
            continue;
        met++;
        bool fit = (signature_of(&board, upper->column) &
                    half_flip(&board, signature_of(&board, lower->column))) == 0;
        cr_assert_eq(fit, halves_fit(n, upper, lower), "n = %d, halves %zu and %zu", n, a, b);
        fits += fit;
    }
    if (n > 4)
        cr_expect(fits > 0 && fits < met, "n = %d: %d of %d fit", n, fits, met);
    free(halves.half);
}

Test(half, signatures_tell_which_halves_fit) {
    for (int n = 2; n <= 8; n++)
        compare_pairs(n, 0);
}

Test(half, signatures_tell_which_random_halves_fit) {
    for (int n = 9; n <= 12; n++)
        compare_pairs(n, 20000);
}

static void check_through(const struct half_board *board) {
    const int n = board->n;
    for (int middle = 0; n % 2 == 1 && middle < n; middle++)
        for (int row = 0; row < board->rows; row++)
            for (int column = 0; column < n; column++) {
                uint64_t through = nqi_half_through(board, middle),
                         queen = board->queen[row][column];
                bool attacked = on_a_diagonal(row, column, n / 2, middle);
                cr_assert_eq((queen & through) != 0, attacked,
                             "n = %d, (%d, %d), middle queen in %d", n, row, column, middle);
                cr_assert_eq((half_flip(board, queen) & half_flip(board, through)) != 0,
                             attacked);
                cr_assert_eq(half_flip(board, through), through, "alike for both halves");
            }
}

Test(half, a_middle_queen_excludes_the_diagonals_through_it) {
    each_board(check_through);
}

static void expect_listed(const struct half_board *board, const struct all_halves *all,
                          uint32_t columns, uint64_t excluded, struct half_list *list) {
    static uint64_t expected[1 << 16];
    size_t halves, count = 0;
    const struct half *half = halves_on(all, columns, &halves);
    for (size_t i = 0; i < halves; i++) {
        uint64_t signature = signature_of(board, half[i].column);
        if ((signature & excluded) == 0)
            expected[count++] = signature;
    }
    const struct half_choice choice = {
        .columns = columns, .diagonals = excluded, .end = UINT32_MAX};
    list->count = 0;
    search_halves(board, &choice, list);
    cr_assert_eq(list->count, count, "n = %d, columns %#x, excluded %#" PRIx64 ": %zu, not %zu",
                 board->n, columns, excluded, list->count, count);
    cr_assert_leq(list->count, list->room);
    sort_signatures(expected, count);
    sort_signatures(list->signature, list->count);
    cr_assert(count == 0 || memcmp(expected, list->signature, count * sizeof *expected) == 0,
              "n = %d, columns %#x, excluded %#" PRIx64, board->n, columns, excluded);
}

/* One list for all sets of columns, as a worker has it. */
static void list_all_sets(int n) {
    struct half_board board;
    nqi_half_board_init(&board, n);
    struct all_halves all = all_halves(n);
    struct half_list list = {0};
    uint64_t seed = (uint64_t)n, part = (UINT64_C(1) << 2 * n) - 1;
    for (uint32_t columns = 0; columns < UINT32_C(1) << n; columns++) {
        if (__builtin_popcount(columns) != board.rows)
            continue;
        expect_listed(&board, &all, columns, 0, &list);
        expect_listed(&board, &all, columns, UINT64_C(1) << random_below(&seed, 2 * n), &list);
        uint64_t some = random_bits(&seed) & random_bits(&seed) & random_bits(&seed);
        expect_listed(&board, &all, columns, (some | some << 25) & part, &list);
        expect_listed(&board, &all, columns, part, &list);
        for (int middle = 0; n % 2 == 1 && middle < n; middle++)
            if ((columns >> middle & 1) == 0)
                expect_listed(&board, &all, columns, nqi_half_through(&board, middle), &list);
    }
    nqi_half_list_free(&list);
    free(all.half);
}

#define LISTS(n)                                                                               \
    Test(half, search_lists_all_halves_of_n_##n) {                                             \
        list_all_sets(n);                                                                      \
    }
LISTS(2)
LISTS(3)
LISTS(4)
LISTS(5)
LISTS(6)
LISTS(7)
LISTS(8)
LISTS(9)
LISTS(10)
LISTS(11)

/* A half without rows has one placement: the empty one. */
Test(half, search_lists_one_empty_half_of_n_0_and_1) {
    for (int n = 0; n <= 1; n++) {
        struct half_board board;
        nqi_half_board_init(&board, n);
        struct half_list list = {0};
        search_halves(&board, &(struct half_choice){.end = UINT32_MAX}, &list);
        cr_expect(list.count == 1 && list.signature[0] == 0);
        nqi_half_list_free(&list);
    }
}

/* A heartbeat that counts its calls, and says stop at one of them. */
struct calls {
    uint64_t made, stop_at; /* stop_at: 0, never */
};

static bool hear(void *context, uint64_t work) {
    struct calls *calls = context;
    cr_expect_eq(work, 0);
    return ++calls->made != calls->stop_at;
}

static struct heartbeat heard_by(struct calls *calls) {
    return (struct heartbeat){.go_on = hear, .context = calls};
}

static void expect_numbers(const struct half_list *list, size_t count) {
    cr_assert_eq(list->count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(list->signature[i], 1000 + i);
}

/* The slack may be written, whatever room was reserved. */
Test(list, reserving_room_keeps_the_signatures) {
    struct half_list list = {0};
    for (size_t count = 0; count < 3000; count += 1 + count / 3) {
        cr_assert_eq(nqi_half_list_reserve(&list, count + 1, NULL), NQ_OK);
        cr_expect_eq((uintptr_t)list.signature % 64, 0);
        cr_assert_geq(list.room, count + 1);
        expect_numbers(&list, list.count);
        while (list.count <= count) {
            list.signature[list.count] = 1000 + list.count;
            list.count++;
        }
        memset(list.signature + list.count, 0xa5, HALF_SLACK * sizeof *list.signature);
        expect_numbers(&list, count + 1);
    }
    const uint64_t *before = list.signature;
    size_t room = list.room;
    cr_assert_eq(nqi_half_list_reserve(&list, list.room, NULL), NQ_OK);
    cr_assert_eq(nqi_half_list_reserve(&list, 0, NULL), NQ_OK);
    cr_expect(list.signature == before && list.room == room, "moved for nothing");
    nqi_half_list_free(&list);
    cr_expect(list.signature == NULL && list.count == 0 && list.room == 0);
    nqi_half_list_free(&list); /* an empty list may be released */
}

Test(list, growing_one_by_one_moves_the_list_rarely) {
    struct half_list list = {0};
    int moves = 0;
    for (size_t count = 1; count <= 100000; count++) {
        const uint64_t *before = list.signature;
        size_t room = list.room;
        cr_assert_eq(nqi_half_list_reserve(&list, count, NULL), NQ_OK);
        moves += room != list.room;
        cr_assert(room == list.room ? before == list.signature : list.room > room);
        list.count = count;
    }
    cr_expect_lt(moves, 100);
    nqi_half_list_free(&list);
}

/* Gigabytes are moved for a large board. After a stop the list is empty. */
Test(list, growing_looks_at_the_heartbeat) {
    struct half_list list = {0};
    const size_t count = 4 * STEPS_PER_BEAT + 1;
    for (uint64_t stop_at = 1; stop_at <= 5; stop_at++) { /* 5: never */
        nqi_half_list_free(&list);
        cr_assert_eq(nqi_half_list_reserve(&list, count, NULL), NQ_OK);
        for (; list.count < count; list.count++)
            list.signature[list.count] = 1000 + list.count;
        struct calls calls = {.stop_at = stop_at};
        const struct heartbeat heartbeat = heard_by(&calls);
        cr_expect_eq(nqi_half_list_reserve(&list, 2 * count, &heartbeat),
                     stop_at == 5 ? NQ_OK : NQ_CANCELLED);
        cr_expect_eq(calls.made, stop_at == 5 ? 4 : stop_at);
        expect_numbers(&list, stop_at == 5 ? count : 0);
    }
    nqi_half_list_free(&list);
}

Test(list, room_beyond_any_memory_is_refused) {
    struct half_list list = {0};
    cr_assert_eq(nqi_half_list_reserve(&list, 3, NULL), NQ_OK);
    for (; list.count < 3; list.count++)
        list.signature[list.count] = 1000 + list.count;
    cr_expect_eq(nqi_half_list_reserve(&list, SIZE_MAX / 64, NULL), NQ_NO_MEMORY);
    expect_numbers(&list, 3);
    nqi_half_list_free(&list);
}
