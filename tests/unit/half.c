/* Signatures of half boards compared with queens on squares, and lists of signatures. */
#include "join/half.h"

#include "answers.h"
#include "oracle.h"

#include <criterion/criterion.h>

/* A queen adds its own bits to a signature, so it suffices to check all pairs of squares. */
static void check_square(const struct half_board *board, int row, int column) {
    const int n = board->n;
    const uint64_t upper = board->queen[row][column];
    cr_assert(upper >> 2 * n == 0 && __builtin_popcountll(upper) <= 2, "n = %d", n);
    cr_assert_eq(half_flip(board, half_flip(board, upper)), upper);
    for (int below = 0; below < board->rows; below++)
        for (int other = 0; other < n; other++) {
            const uint64_t lower = half_flip(board, board->queen[below][other]);
            cr_assert(other == column ||
                          ((upper & lower) != 0) == attack(row, column, n - 1 - below, other),
                      "n = %d, upper half's (%d, %d), flipped lower half's (%d, %d)", n, row,
                      column, below, other);
        }
    for (int middle = 0; n % 2 == 1 && middle < n; middle++) {
        const uint64_t through = nqi_half_through(board, middle);
        cr_assert(column == middle ||
                      ((upper & through) != 0) == attack(row, column, n / 2, middle),
                  "n = %d, (%d, %d), middle queen in %d", n, row, column, middle);
        cr_assert_eq(half_flip(board, through), through, "alike for both halves");
    }
}

Test(half, signatures_meet_where_two_queens_share_a_diagonal) {
    for (int n = 2; n <= NQ_MAX_N; n++) {
        struct half_board board;
        nqi_half_board_init(&board, n);
        cr_assert(board.n == n && board.rows == n / 2);
        for (int row = 0; row < board.rows; row++)
            for (int column = 0; column < n; column++)
                check_square(&board, row, column);
    }
}

static void expect_numbers(const struct half_list *list, size_t count) {
    cr_assert_eq(list->count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(list->signature[i], 1000 + i);
}

/* Reserves room, and fills the list so far. The slack may be written, too. */
static void fill(struct half_list *list, size_t count) {
    cr_assert_eq(nqi_half_list_reserve(list, count, NULL), NQ_OK);
    cr_expect_eq((uintptr_t)list->signature % 64, 0);
    for (; list->count < count; list->count++)
        list->signature[list->count] = 1000 + list->count;
    for (size_t i = 0; i < HALF_SLACK; i++)
        list->signature[count + i] = UINT64_MAX;
}

Test(list, growing_keeps_the_signatures_and_moves_them_rarely) {
    struct half_list list = {0};
    int moves = 0;
    for (size_t count = 1; count <= 3000; count++) {
        const size_t room = list.room;
        fill(&list, count);
        moves += room != list.room;
    }
    expect_numbers(&list, 3000);
    cr_expect_lt(moves, 40);
    cr_expect_eq(nqi_half_list_reserve(&list, SIZE_MAX / 64, NULL), NQ_NO_MEMORY);
    expect_numbers(&list, 3000);
    nqi_half_list_free(&list);
    nqi_half_list_free(&list); /* an empty list may be released */
}

/* Gigabytes are moved for a large board. After a stop the list is empty. */
Test(list, growing_looks_at_the_heartbeat) {
    struct half_list list = {0};
    const size_t count = 4 * STEPS_PER_BEAT + 1;
    for (uint64_t no_at = 1; no_at <= 5; no_at++) { /* 5: never */
        struct answers answers = {.no_at = no_at};
        nqi_half_list_free(&list);
        fill(&list, count);
        cr_expect_eq(nqi_half_list_reserve(&list, 2 * count, HEARTBEAT(&answers)),
                     no_at < 5 ? NQ_CANCELLED : NQ_OK);
        cr_expect_eq(answers.calls, no_at < 5 ? no_at : 4);
        expect_numbers(&list, no_at < 5 ? 0 : count);
    }
    nqi_half_list_free(&list);
}
