#include "join/cut.h"

#include "core/bits.h"

/* A diagonal's squares in the halves on some columns. */
struct squares {
    uint32_t on[HALF_BITS]; /* [bit of a signature] */
};

static struct squares cut_squares(const struct half_board *board, uint32_t columns,
                                  bool upside_down) {
    struct squares squares = {{0}};
    for (int row = 0; row < board->rows; row++)
        for (uint32_t rest = columns; rest != 0; rest &= rest - 1) {
            const uint64_t queen = board->queen[row][__builtin_ctz(rest)];
            for (uint64_t bits = upside_down ? half_flip(board, queen) : queen; bits != 0;
                 bits &= bits - 1)
                squares.on[__builtin_ctzll(bits)]++;
        }
    return squares;
}

/* A diagonal that many halves of both lists hold excludes most pairs. The more of its squares
 * are on a list's columns, the more halves hold it. */
void nqi_half_cuts(const struct half_board *board, uint32_t set, uint64_t excluded,
                   bool upside_down, int count, uint64_t *cut) {
    const struct squares upper = cut_squares(board, set, upside_down),
                         lower = cut_squares(board, low_bits(board->n) & ~set, !upside_down);
    uint64_t taken = excluded;
    for (int i = 0; i < count; i++) {
        int best = HALF_BITS; /* none; else at least the first one that is not taken */
        uint32_t most = 0;
        for (int bit = 0; bit < HALF_BITS; bit++) {
            const uint32_t both = upper.on[bit] * lower.on[bit];
            if ((taken >> bit & 1) == 0 && (best == HALF_BITS || both > most)) {
                best = bit;
                most = both;
            }
        }
        cut[i] = UINT64_C(1) << best;
        taken |= cut[i];
    }
}
