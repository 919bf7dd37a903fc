/* One quarter: its placements are made column by column, and turned upside down. */
#include "join/quarter_maker.h"

#include <stdlib.h>
#include <string.h>

void nqi_quarter_clear(struct quarter *quarter) {
    nqi_half_list_free(&quarter->list);
    free(quarter->start);
    *quarter = (struct quarter){0};
}

size_t nqi_quarter_stretches(const struct half_board *board, uint32_t columns) {
    const size_t sets = subsets_of_size(&board->rows_on_left, __builtin_popcount(columns));
    return has_middle(board, columns) ? sets * (size_t)board->rows : sets;
}

/* Returns the most stretches that a quarter of this board has. */
static size_t quarter_most_stretches(const struct half_board *board) {
    const size_t sets = subsets_of_size(&board->rows_on_left, board->rows / 2);
    return board->n % 2 == 0 ? sets : sets * ((size_t)board->rows + 1);
}

/* Removes all queens: one placement remains. */
static void quarter_without_queens(struct quarter *quarter) {
    quarter->columns = 0;
    quarter->list.signature[0] = 0;
    quarter->list.count = 1;
    quarter->start[0] = 0;
    quarter->start[1] = 1;
}

bool nqi_quarter_init(const struct half_board *board, struct quarter *quarter) {
    quarter->start = malloc((quarter_most_stretches(board) + 1) * sizeof *quarter->start);
    if (quarter->start == NULL || nqi_half_list_reserve(&quarter->list, 1, NULL) != NQ_OK)
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

/* Makes the next stretch: a queen on one of `on` of the column, and those placements without
 * that column that take the other of `rows` and do not attack it. */
static nq_status quarter_make_stretch(struct maker *maker, const struct quarter *smaller,
                                      const struct column *column, uint32_t rows, uint32_t on,
                                      struct quarter *quarter) {
    static const uint32_t one_queen[] = {0, 1};
    const struct subsets *subsets = &maker->board->rows_on_left;
    struct half_list *list = &quarter->list;
    const size_t first = list->count;
    for (uint32_t rest = rows & on; rest != 0; rest &= rest - 1) {
        const uint32_t *others = &smaller->start[subsets->rank[rows ^ (rest & -rest)]];
        const size_t count = others[1] - others[0];
        if (count == 0)
            continue;
        nq_status status = nqi_half_list_reserve(list, list->count + count, maker->heartbeat);
        if (status != NQ_OK)
            return status;
        if (!maker_goes_on(maker, count))
            return NQ_CANCELLED;
        list->count += maker->functions->combine(
            (struct stretches){&column->queen[__builtin_ctz(rest)], one_queen},
            (struct stretches){smaller->list.signature, others}, 0, 1, 0,
            list->signature + list->count);
    }
    for (size_t i = first; i < list->count && column->keep != UINT64_MAX; i++)
        list->signature[i] &= column->keep;
    return NQ_OK;
}

/* Makes the placements with one more column: of the rows `on` of that column, all stretches. */
static nq_status quarter_make_stretches(struct maker *maker, const struct quarter *smaller,
                                        const struct column *column, uint32_t on,
                                        struct quarter *quarter, uint32_t **end) {
    const struct subsets *subsets = &maker->board->rows_on_left;
    const int size = __builtin_popcount(quarter->columns);
    nq_status status = NQ_OK;
    for (size_t i = subsets->first[size]; i < subsets->first[size + 1] && status == NQ_OK;
         i++) {
        status = quarter_make_stretch(maker, smaller, column, subsets->by_key[i], on, quarter);
        *++*end = (uint32_t)quarter->list.count;
    }
    return status;
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
    nq_status status = nqi_half_list_reserve(&made->list, 1, NULL); /* if it lost its room */
    if (status == NQ_OK)
        status = nqi_half_list_reserve(&smaller->list, 1, NULL);
    if (status != NQ_OK)
        return status;
    quarter_without_queens(made);
    for (uint32_t rest = columns; rest != 0 && status == NQ_OK; rest &= rest - 1) {
        struct column column = {.keep = (rest & (rest - 1)) != 0 ? UINT64_MAX : ~leaving};
        nqi_quarter_swap(made, smaller);
        made->columns = smaller->columns | (rest & -rest);
        made->list.count = 0;
        for (int row = 0; row < board->rows; row++)
            column.queen[row] = quarter_queen_bits(board, row, __builtin_ctz(rest));
        uint32_t *end = made->start, on = low_bits(board->rows);
        made->start[0] = 0;
        if (!has_middle(board, made->columns))
            status = quarter_make_stretches(maker, smaller, &column, on, made, &end);
        else
            for (; on != 0 && status == NQ_OK; on &= on - 1)
                status = quarter_make_stretches(maker, smaller, &column, on & -on, made, &end);
    }
    return status;
}

bool nqi_quarter_copy(const struct half_board *board, const struct quarter *from,
                      struct quarter *to) {
    const size_t starts = nqi_quarter_stretches(board, from->columns) + 1,
                 count = from->list.count;
    to->start = malloc(starts * sizeof *to->start);
    if (to->start == NULL || nqi_half_list_reserve(&to->list, count + 1, NULL) != NQ_OK)
        return false;
    memcpy(to->start, from->start, starts * sizeof *to->start);
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
        maker->functions->turned(maker->board, from->list.signature + begin, end - begin,
                                 to->list.signature + begin);
        if (!maker_goes_on(maker, end - begin)) {
            quarter_without_queens(to);
            return NQ_CANCELLED;
        }
    }
    if (to != from)
        memcpy(to->start, from->start,
               (nqi_quarter_stretches(maker->board, from->columns) + 1) * sizeof *to->start);
    to->list.count = count;
    to->columns = from->columns;
    return NQ_OK;
}
