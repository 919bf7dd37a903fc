#include "half_search.h"

#include "core/bits.h"

#include <criterion/criterion.h>

struct half_search {
    const struct half_board *board;
    const struct half_choice *choice;
    struct half_list *list;
    int middle_row; /* of the middle column's queen; negative: any */
};

static uint64_t as_listed(const struct half_search *search, uint64_t signature) {
    return search->choice->upside_down ? half_flip(search->board, signature) : signature;
}

static void append(const struct half_search *search, uint32_t on_left, uint64_t signature) {
    const struct half_choice *choice = search->choice;
    const uint32_t key = search->board->rows_on_left.key[on_left];
    const uint64_t listed = as_listed(search, signature);
    if (key < choice->least || key >= choice->end ||
        (listed & choice->diagonals) != choice->held)
        return;
    cr_assert_eq(nqi_half_list_reserve(search->list, search->list->count + 1, NULL), NQ_OK);
    search->list->signature[search->list->count++] = listed;
}

/* Fills the rows from `row` on. cols: columns still to be taken. left, right: columns attacked
 * along diagonals. on_left: rows whose queens are on the left side. */
static void fill(const struct half_search *search, int row, uint32_t cols, uint32_t left,
                 uint32_t right, uint32_t on_left, uint64_t signature) {
    const struct half_board *board = search->board;
    if (row == board->rows) {
        append(search, on_left, signature);
        return;
    }
    for (uint32_t free = cols & ~(left | right); free != 0; free &= free - 1) {
        const int col = __builtin_ctz(free);
        const uint32_t queen = UINT32_C(1) << col;
        if (search->middle_row >= 0 && (col == board->n / 2) != (row == search->middle_row))
            continue;
        const uint64_t grown = signature | board->queen[row][col];
        if ((as_listed(search, grown) & search->choice->diagonals & ~search->choice->held) == 0)
            fill(search, row + 1, cols ^ queen, (left | queen) >> 1, (right | queen) << 1,
                 on_left | (uint32_t)(2 * col < board->n) << row, grown);
    }
}

void search_halves_by_row(const struct half_board *board, const struct half_choice *choice,
                          int row, struct half_list *list) {
    const struct half_search search = {board, choice, list, row};
    cr_assert_eq(nqi_half_list_reserve(list, list->count + 1, NULL), NQ_OK);
    fill(&search, 0, choice->columns, 0, 0, 0, 0);
}

void search_halves(const struct half_board *board, const struct half_choice *choice,
                   struct half_list *list) {
    search_halves_by_row(board, choice, -1, list);
}
