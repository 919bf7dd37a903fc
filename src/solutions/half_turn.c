/* Solutions that a half turn leaves as they are.
 *
 * The queens of rows r and n - 1 - r are each other's images: a queen in column c of the one
 * means one in column n - 1 - c of the other. So rows are filled in pairs, and from the middle
 * outwards: then all queens so far stand below the next upper row, which sees them as any
 * search does, and the lower row of the pair is its image and need not be looked at. A queen
 * on one of the long diagonals would attack its own image, but for the centre of an odd board,
 * whose queen is there in every such solution.
 */
#include "board/state.h"
#include "solutions/symmetric.h"

/* Completions of the rows `row`..0, and of their images. s: seen from `row`; open: the squares
 * that this row may use. */
static uint64_t complete(int n, struct state s, int row, uint32_t open) {
    uint32_t diagonals = UINT32_C(1) << row | UINT32_C(1) << (n - 1 - row), all = low_bits(n);
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
        if (state_free(next, all) != 0 && (row < 2 || state_free(after, all) != 0))
            sum += complete(n, next, row - 1, all);
    }
    return sum;
}

uint64_t nqi_count_half_turn(int n) {
    if (n < 2)
        return 1; /* no queen, or the centre's */
    struct state start = {0, 0, 0};
    if (n % 2 == 1)
        start = state_place(start, UINT32_C(1) << n / 2, 1);
    /* The first queen in the left half; those in the right half are mirror images. */
    return 2 * complete(n, start, n / 2 - 1, low_bits(n / 2));
}
