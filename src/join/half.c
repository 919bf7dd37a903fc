#include "join/half.h"

#include "board/bits.h"

#include <stdlib.h>
#include <string.h>

/* A queen's diagonal to the lower left meets row h in column col - (h - row), its diagonal to
 * the lower right in column col + (h - row), if these are on the board. For odd n, row h is the
 * middle row, as near to a queen of the lower half as to its image in the upper half. For even
 * n, row h belongs to the lower half and is one row nearer to a lower queen than to its image;
 * to make up for that, part two is numbered from column 1 (`even`). */
void nqi_half_board_init(struct half_board *board, int n) {
    *board = (struct half_board){.n = n, .rows = n / 2};
    int even = 1 - n % 2;
    nqi_subsets_init(&board->rows_on_left, board->rows);
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < n; col++) {
            int left = col - (board->rows - row), right = col + (board->rows - row);
            if (left >= 0)
                board->queen[row][col] |= UINT64_C(1) << left;
            if (right < n)
                board->queen[row][col] |= UINT64_C(1) << (n + right - even);
            if (n % 2 == 1 && col == n / 2)
                board->queen[row][col] |= (uint64_t)row << HALF_ROW_SHIFT;
        }
}

/* Returns the lowest `count` bits in reverse order. bits: 0 above them. */
static uint64_t reversed(uint64_t bits, int count) {
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(bits) >> (64 - count);
}

uint64_t nqi_half_mirror(const struct half_board *board, uint64_t signature) {
    int n = board->n, diagonals = n % 2 == 1 ? n : n - 1;
    uint64_t part = (UINT64_C(1) << n) - 1, row = signature >> HALF_ROW_SHIFT;
    return reversed(signature >> n & part, diagonals) |
           reversed(signature & part, diagonals) << n | row << HALF_ROW_SHIFT;
}

uint64_t nqi_half_through(const struct half_board *board, int col) {
    return UINT64_C(1) << col | UINT64_C(1) << (board->n + col);
}

/* Fills a list's new memory with the signatures so far and zeros. Lists of large boards have
 * gigabytes. False: the heartbeat said stop. */
static bool fill_grown(const struct half_list *list, uint64_t *grown, size_t size,
                       const struct heartbeat *heartbeat) {
    for (size_t begin = 0; begin < size; begin += STEPS_PER_BEAT) {
        size_t end = size - begin < STEPS_PER_BEAT ? size : begin + STEPS_PER_BEAT;
        size_t copied = list->count < begin ? begin : list->count < end ? list->count : end;
        if (begin > 0 && !heartbeat_go_on(heartbeat, 0))
            return false;
        if (copied > begin)
            memcpy(grown + begin, list->signature + begin, (copied - begin) * sizeof *grown);
        memset(grown + copied, 0, (end - copied) * sizeof *grown);
    }
    return true;
}

nq_status nqi_half_list_reserve(struct half_list *list, size_t count,
                                const struct heartbeat *heartbeat) {
    if (count <= list->room)
        return NQ_OK;
    /* By a quarter at least, so that lists that grow one by one are seldom moved. */
    size_t room = list->room + list->room / 4;
    room = room > count ? room : count;
    room = (room + 7) / 8 * 8;
    uint64_t *grown = aligned_alloc(64, (room + HALF_SLACK) * sizeof *grown);
    if (grown == NULL)
        return NQ_NO_MEMORY;
    if (!fill_grown(list, grown, room + HALF_SLACK, heartbeat)) {
        free(grown);
        return NQ_CANCELLED;
    }
    free(list->signature);
    list->signature = grown;
    list->room = room;
    return NQ_OK;
}

void nqi_half_list_free(struct half_list *list) {
    free(list->signature);
    *list = (struct half_list){0};
}

/* Whether it is time for a heartbeat after so many steps, and that says stop. */
static bool stops(const struct heartbeat *heartbeat, uint64_t steps) {
    return steps % STEPS_PER_BEAT == 0 && !heartbeat_go_on(heartbeat, 0);
}

nq_status nqi_half_list_by_row(const struct half_board *board, const struct half_list *list,
                               const struct heartbeat *heartbeat, struct half_list *sorted,
                               size_t *start) {
    size_t next[NQ_MAX_N / 2 + 1] = {0};
    nq_status status = nqi_half_list_reserve(sorted, list->count, heartbeat);
    if (status != NQ_OK)
        return status;
    for (size_t i = 0; i < list->count; i++) {
        next[list->signature[i] >> HALF_ROW_SHIFT]++;
        if (stops(heartbeat, i + 1))
            return NQ_CANCELLED;
    }
    size_t begin = 0;
    for (int row = 0; row <= board->rows; row++) {
        start[row] = begin;
        begin += next[row];
        next[row] = start[row];
    }
    for (size_t i = 0; i < list->count; i++) {
        sorted->signature[next[list->signature[i] >> HALF_ROW_SHIFT]++] = list->signature[i];
        if (stops(heartbeat, i + 1))
            return NQ_CANCELLED;
    }
    sorted->count = list->count;
    return NQ_OK;
}

struct half_search {
    const struct half_board *board;
    const struct half_choice *choice;
    const struct heartbeat *heartbeat;
    struct half_list *list;
    uint64_t nodes; /* searched */
    nq_status status;
    /* [1 << row | rows before `row` whose queens are on the left side]: leads to a chosen key
     */
    bool wanted[2 << (NQ_MAX_N / 2)];
};

static bool append(struct half_search *search, uint64_t signature) {
    struct half_list *list = search->list;
    search->status = nqi_half_list_reserve(list, list->count + 1, search->heartbeat);
    if (search->status == NQ_OK)
        list->signature[list->count++] = signature;
    return search->status == NQ_OK;
}

/* Fills the rows from `row` on, and appends the resulting signatures. cols: columns still to be
 * taken. left, right: columns attacked along diagonals. on_left: rows whose queens are on the
 * left side. False: search->status says why. */
static bool fill(struct half_search *search, int row, uint32_t cols, uint32_t left,
                 uint32_t right, uint32_t on_left, uint64_t signature) {
    const struct half_board *board = search->board;
    if (!search->wanted[UINT32_C(1) << row | on_left])
        return true;
    if (stops(search->heartbeat, ++search->nodes)) {
        search->status = NQ_CANCELLED;
        return false;
    }
    if (row == board->rows)
        return append(search,
                      search->choice->upside_down ? half_flip(board, signature) : signature);
    for (uint32_t free = cols & ~(left | right); free != 0; free &= free - 1) {
        int col = __builtin_ctz(free);
        uint32_t queen = UINT32_C(1) << col;
        uint64_t grown = signature | board->queen[row][col];
        if ((grown & search->choice->excluded) == 0 &&
            !fill(search, row + 1, cols ^ queen, (left | queen) >> 1, (right | queen) << 1,
                  on_left | (uint32_t)(2 * col < board->n) << row, grown))
            return false;
    }
    return true;
}

nq_status nqi_half_list_search(const struct half_board *board, const struct half_choice *choice,
                               const struct heartbeat *heartbeat, struct half_list *list) {
    const struct subsets *subsets = &board->rows_on_left;
    const int size = __builtin_popcount(choice->columns & low_bits((board->n + 1) / 2));
    struct half_search search = {
        .board = board, .choice = choice, .heartbeat = heartbeat, .list = list};
    for (size_t i = nqi_subsets_from(subsets, size, choice->least);
         i < subsets->first[size + 1] && subsets->key[subsets->by_key[i]] <= choice->most; i++)
        for (int row = 0; row <= board->rows; row++)
            search.wanted[UINT32_C(1) << row | (subsets->by_key[i] & low_bits(row))] = true;
    search.status = nqi_half_list_reserve(list, list->count + 1, heartbeat);
    if (search.status == NQ_OK)
        fill(&search, 0, choice->columns, 0, 0, 0, 0);
    return search.status;
}
