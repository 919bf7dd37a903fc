/* Counts the solutions that a half turn leaves as they are.
 *
 * The queens of rows r and n - 1 - r are images of each other: a queen in column c of one row
 * implies a queen in column n - 1 - c of the other. So rows are filled in pairs, from the
 * middle outwards. Then all queens so far stand below the next upper row, which sees them as in
 * any search. The lower row of the pair is its image and needs no search. A queen on a long
 * diagonal would attack its own image, except in the centre of an odd board, where every such
 * solution has a queen.
 */
#include "library/symmetric.h"
#include "search/state.h"

/* Counts the completions of rows `row`..0 and their images. s: as seen from `row`. open:
 * squares of this row that may be used. */
static uint64_t complete(int n, struct state s, int row, uint32_t open) {
    uint32_t columns = low_bits(n);
    uint32_t diagonals = UINT32_C(1) << row | UINT32_C(1) << (n - 1 - row);
    uint32_t squares = state_free(s, open & ~diagonals);
    if (row == 0)
        return (uint64_t)__builtin_popcount(squares);
    int apart = n - 2 * row; /* from the image's row up to the next one */
    uint64_t sum = 0;
    for (; squares != 0; squares &= squares - 1) {
        uint32_t square = squares & -squares;
        uint64_t image = UINT64_C(1) << (n - 1 - __builtin_ctz(square));
        struct state next = state_place(s, square, 1);
        next.cols |= (uint32_t)image;
        next.left |= (uint32_t)(image >> apart);
        next.right |= (uint32_t)(image << apart);
        struct state after = {next.cols, next.left >> 1, next.right << 1};
        if (state_free(next, columns) != 0 && (row < 2 || state_free(after, columns) != 0))
            sum += complete(n, next, row - 1, columns);
    }
    return sum;
}

uint64_t nqi_count_half_turn(int n) {
    if (n < 2)
        return 1; /* no queen, or the centre's */
    struct state start = {0, 0, 0};
    if (n % 2 == 1)
        start = state_place(start, UINT32_C(1) << n / 2, 1);
    /* The first queen is in the left half; the other solutions are mirror images of these. */
    return 2 * complete(n, start, n / 2 - 1, low_bits(n / 2));
}
