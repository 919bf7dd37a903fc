/* One quarter: its placements are made column by column, and turned upside down. */
#include "join/quarter_maker.h"

#include <stdlib.h>
#include <string.h>

void nqi_quarter_clear(struct quarter *quarter) {
    nqi_half_list_free(&quarter->list);
    free(quarter->taking);
    *quarter = (struct quarter){0};
}

/* Removes all queens: one placement remains. */
static void quarter_without_queens(struct quarter *quarter) {
    quarter->columns = 0;
    quarter->list.signature[0] = 0;
    quarter->list.count = 1;
    quarter->taking[0] = (struct stretch){0, 1};
}

bool nqi_quarter_init(const struct half_board *board, struct quarter *quarter) {
    quarter->taking = calloc((size_t)1 << board->rows, sizeof *quarter->taking);
    if (quarter->taking == NULL || nqi_half_list_reserve(&quarter->list, 1, NULL) != NQ_OK)
        return false;
    quarter_without_queens(quarter);
    return true;
}

/* Returns a queen's bits while a quarter is made: those of its signature, and for a diagonal
 * that leaves the board at the side, before it meets the half's lower edge, a bit of its own,
 * as if it went on at the other side. Diagonals of a quarter differ in these bits, too. */
static uint64_t quarter_queen_bits(const struct half_board *board, int row, int col) {
    const int n = board->n, down = board->rows - row, even = 1 - n % 2;
    return board->queen[row][col] | UINT64_C(1) << (col - down + n) % n |
           UINT64_C(1) << (n + (col + down) % n - even);
}

/* Returns the bits of the diagonals that leave the board at that side. */
static uint64_t quarter_leaving_bits(const struct half_board *board, enum side side) {
    const int n = board->n, even = 1 - n % 2;
    return (uint64_t)low_bits(board->rows) << (side == LEFT ? n - board->rows : n - even);
}

/* A column that a quarter grows by. */
struct column {
    uint64_t queen[NQ_MAX_N / 2]; /* [row] */
    uint64_t keep; /* bits of the placements: of the last column, no leaving ones */
};

/* Makes the placements that take `rows`: a queen on a row of the column and those that do not
 * attack it, of placements without that column that take the other rows. */
static nq_status quarter_make_stretch(struct maker *maker, const struct quarter *smaller,
                                      const struct column *column, uint32_t rows,
                                      struct quarter *quarter) {
    struct half_list *list = &quarter->list;
    const size_t first = list->count;
    size_t most = 0;
    for (uint32_t rest = rows; rest != 0; rest &= rest - 1)
        most += smaller->taking[rows ^ (rest & -rest)].count;
    nq_status status = nqi_half_list_reserve(list, first + most, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    if (!maker_goes_on(maker, most))
        return NQ_CANCELLED;
    for (uint32_t rest = rows; rest != 0; rest &= rest - 1) {
        const struct stretch *others = &smaller->taking[rows ^ (rest & -rest)];
        list->count += maker->functions->combine_disjoint(
            &column->queen[__builtin_ctz(rest)], 1, smaller->list.signature + others->first,
            others->count, list->signature + list->count);
    }
    for (size_t i = first; i < list->count && column->keep != UINT64_MAX; i++)
        list->signature[i] &= column->keep;
    quarter->taking[rows] = (struct stretch){(uint32_t)first, (uint32_t)(list->count - first)};
    return NQ_OK;
}

void nqi_quarter_swap(struct quarter *a, struct quarter *b) {
    struct quarter other = *a;
    *a = *b;
    *b = other;
}

nq_status nqi_quarter_make(struct maker *maker, struct own_quarters *own, enum side side,
                           uint32_t columns) {
    const struct half_board *board = maker->board;
    const uint64_t leaving = quarter_leaving_bits(board, side);
    struct quarter *made = &own->made, *smaller = &own->smaller;
    nq_status status = NQ_OK;
    quarter_without_queens(made);
    for (uint32_t rest = columns; rest != 0 && status == NQ_OK; rest &= rest - 1) {
        struct column column = {.keep = (rest & (rest - 1)) != 0 ? UINT64_MAX : ~leaving};
        nqi_quarter_swap(made, smaller);
        made->columns = smaller->columns | (rest & -rest);
        made->list.count = 0;
        for (int row = 0; row < board->rows; row++)
            column.queen[row] = quarter_queen_bits(board, row, __builtin_ctz(rest));
        const uint32_t first = low_bits(__builtin_popcount(made->columns));
        for (uint32_t rows = first; rows <= low_bits(board->rows) && status == NQ_OK;
             rows = next_subset(rows))
            status = quarter_make_stretch(maker, smaller, &column, rows, made);
    }
    return status;
}

bool nqi_quarter_copy(const struct half_board *board, const struct quarter *from,
                      struct quarter *to) {
    const size_t sets = (size_t)1 << board->rows, count = from->list.count;
    to->taking = malloc(sets * sizeof *to->taking);
    if (to->taking == NULL || nqi_half_list_reserve(&to->list, count + 1, NULL) != NQ_OK)
        return false;
    memcpy(to->taking, from->taking, sets * sizeof *to->taking);
    memcpy(to->list.signature, from->list.signature, count * sizeof *to->list.signature);
    to->list.count = count;
    to->columns = from->columns;
    return true;
}

nq_status nqi_quarter_turn(struct maker *maker, const struct quarter *from,
                           struct quarter *to) {
    const size_t count = from->list.count;
    nq_status status = nqi_half_list_reserve(&to->list, count, maker->heartbeat);
    if (status != NQ_OK)
        return status;
    for (size_t begin = 0; begin < count; begin += STEPS_PER_BEAT) {
        const size_t end = count - begin < STEPS_PER_BEAT ? count : begin + STEPS_PER_BEAT;
        for (size_t i = begin; i < end; i++)
            to->list.signature[i] = half_flip(maker->board, from->list.signature[i]);
        if (!maker_goes_on(maker, end - begin)) {
            quarter_without_queens(to);
            return NQ_CANCELLED;
        }
    }
    memcpy(to->taking, from->taking, sizeof *to->taking << maker->board->rows);
    to->list.count = count;
    to->columns = from->columns;
    return NQ_OK;
}
