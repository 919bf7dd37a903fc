/* Halves, combined from a left and a right quarter whose placements take the other rows. */
#include "join/quarter_maker.h"

#include <string.h>

static struct half_span halves_stretch_of(const struct quarter *quarter, uint32_t rows) {
    const struct stretch *taking = &quarter->taking[rows];
    return (struct half_span){quarter->list.signature + taking->first, taking->count};
}

/* A list that grows by the unions of stretches. */
struct growing {
    struct maker maker;
    struct half_list *list;
};

/* Appends the unions of each signature of a and each of b that have no bit in common. */
static nq_status halves_append(struct growing *growing, struct half_span a,
                               struct half_span b) {
    struct half_list *list = growing->list;
    const bool ordered = a.count <= b.count;
    const struct half_span shorter = ordered ? a : b, longer = ordered ? b : a;
    if (shorter.count == 0)
        return NQ_OK;
    nq_status status =
        nqi_half_list_reserve(list, list->count + a.count * b.count, growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    if (!maker_goes_on(&growing->maker, a.count * b.count))
        return NQ_CANCELLED;
    list->count += growing->maker.functions->combine_disjoint(shorter.signature, shorter.count,
                                                              longer.signature, longer.count,
                                                              list->signature + list->count);
    return NQ_OK;
}

/* The same for those unions that hold of these diagonals the `held` ones and no others. Each of
 * them is held by one signature of the two: `chosen` has copies of the others. */
static nq_status halves_append_holding(struct growing *growing, struct half_span a,
                                       struct half_span b, uint64_t diagonals, uint64_t held,
                                       struct half_list *chosen) {
    const struct listing *functions = growing->maker.functions;
    nq_status status =
        nqi_half_list_reserve(chosen, a.count + b.count + HALF_SLACK, growing->maker.heartbeat);
    if (status != NQ_OK)
        return status;
    uint64_t *of_a = chosen->signature, *of_b = of_a + a.count + HALF_SLACK;
    uint64_t by_a = held; /* every subset of `held` */
    do {
        if (!maker_goes_on(&growing->maker, a.count + b.count))
            return NQ_CANCELLED;
        const size_t a_count = functions->holding(a.signature, a.count, diagonals, by_a, of_a);
        if (a_count > 0) {
            const size_t b_count =
                functions->holding(b.signature, b.count, diagonals, held ^ by_a, of_b);
            status = halves_append(growing, (struct half_span){of_a, a_count},
                                   (struct half_span){of_b, b_count});
        }
        by_a = (by_a - 1) & held;
    } while (by_a != held && status == NQ_OK);
    return status;
}

/* Returns how many queens are on the left side. */
static int halves_rows_on_left(const struct half_board *board,
                               const struct half_choice *choice) {
    return __builtin_popcount(choice->columns & low_bits(side_width(board->n, LEFT)));
}

/* Appends the chosen halves made of placements of the left quarter and those of the right one
 * that take the other rows. */
static nq_status halves_append_chosen(struct growing *growing, const struct half_choice *choice,
                                      struct half_span of_left, const struct quarter *right,
                                      uint32_t rows, struct half_list *chosen) {
    const struct half_span of_right =
        halves_stretch_of(right, low_bits(growing->maker.board->rows) & ~rows);
    return choice->diagonals == 0
               ? halves_append(growing, of_left, of_right)
               : halves_append_holding(growing, of_left, of_right, choice->diagonals,
                                       choice->held, chosen);
}

nq_status nqi_quarters_list(const struct quarters *quarters, struct own_quarters *own,
                            const struct listing *functions, const struct half_choice *choice,
                            size_t enough, const struct heartbeat *heartbeat,
                            struct half_list *list, uint32_t *next) {
    const struct half_board *board = quarters->board;
    const struct subsets *subsets = &board->rows_on_left;
    const int taken = halves_rows_on_left(board, choice);
    struct growing growing = {
        .maker = {.board = board, .functions = functions, .heartbeat = heartbeat},
        .list = list};
    struct half_choice unfiltered = *choice;
    struct sides sides;
    nq_status status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    *next = choice->end;
    if (taken > board->rows || status != NQ_OK)
        return status;
    status = nqi_quarters_find(&growing.maker, quarters, own, &unfiltered, true, &sides);
    /* For each set of as many rows as the left quarter has queens. Two sets may have one key.
     */
    const size_t first = nqi_subsets_from(subsets, taken, choice->least),
                 end = nqi_subsets_from(subsets, taken, choice->end);
    for (size_t i = first; i < end && status == NQ_OK; i++) {
        const uint32_t rows = subsets->by_key[i];
        if (i > first && list->count >= enough &&
            subsets->key[rows] != subsets->key[subsets->by_key[i - 1]]) {
            *next = subsets->key[rows];
            break;
        }
        const struct half_span of_left = halves_stretch_of(sides.left, rows);
        status = halves_append_chosen(&growing, &unfiltered, of_left, sides.right, rows,
                                      &own->chosen);
    }
    return status;
}

/* Returns the signatures of a stretch from *begin on that have this row, and moves *begin
 * behind them. A stretch of the left side is in order of rows, since its last column is the
 * middle one (quarter_make_stretch). */
static struct half_span halves_next_with_row(struct half_span stretch, int row,
                                             uint32_t *begin) {
    const uint64_t *first = stretch.signature + *begin;
    while (*begin < stretch.count &&
           stretch.signature[*begin] >> HALF_ROW_SHIFT == (uint64_t)row)
        (*begin)++;
    return (struct half_span){first, (size_t)(stretch.signature + *begin - first)};
}

nq_status nqi_quarters_list_by_row(const struct quarters *quarters, struct own_quarters *own,
                                   const struct listing *functions,
                                   const struct half_choice *choice,
                                   const struct heartbeat *heartbeat, struct half_list *list,
                                   size_t *start) {
    const struct half_board *board = quarters->board;
    const struct subsets *subsets = &board->rows_on_left;
    const int taken = halves_rows_on_left(board, choice);
    struct growing growing = {
        .maker = {.board = board, .functions = functions, .heartbeat = heartbeat},
        .list = list};
    struct sides sides;
    nq_status status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    for (int row = 0; row <= board->rows; row++)
        start[row] = list->count;
    if (taken > board->rows || status != NQ_OK)
        return status;
    struct half_choice all = *choice;
    status = nqi_quarters_find(&growing.maker, quarters, own, &all, false, &sides);
    const size_t first = nqi_subsets_from(subsets, taken, choice->least),
                 end = nqi_subsets_from(subsets, taken, choice->end);
    memset(own->listed, 0, sizeof *own->listed << board->rows);
    for (int row = 0; row < board->rows && status == NQ_OK; row++) {
        start[row] = list->count;
        for (size_t i = first; i < end && status == NQ_OK; i++) {
            const uint32_t rows = subsets->by_key[i];
            if ((rows >> row & 1) == 0)
                continue;
            const struct half_span stretch = halves_stretch_of(sides.left, rows),
                                   of_left =
                                       halves_next_with_row(stretch, row, &own->listed[rows]);
            status = halves_append_chosen(&growing, choice, of_left, sides.right, rows,
                                          &own->chosen);
        }
    }
    start[board->rows] = list->count;
    return status;
}
