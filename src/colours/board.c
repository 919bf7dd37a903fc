/* SPDX-License-Identifier: MIT */
/* The arithmetic behind board.h: how a colour's diagonals are numbered, the weight of an X,
 * whether a colour has room on its rows, and the order in which to fill them. */
#include "colours/board.h"

#include "core/sets.h"

#include <stdlib.h>

void nqi_colours_board_init(int n, struct colours_board *board) {
    const int odds = n / 2, evens = n - odds;
    *board = (struct colours_board){.n = n, .odds = odds, .evens = evens};
    if (n % 2 == 0) {
        /* Row r and column q of black's even half are row n - 2 - 2r and column n - 2 - 2q of
         * the board, so a queen in row 2i + 1 and column 2c + 1 attacks that square if
         * q - r = i - c or q + r = n - 3 - i - c. White has the same numbers, because
         * reflecting the rows turns its halves into those of black. */
        board->black = (struct colour){.sign = -1, .right = odds - 1, .left = n - 3};
        board->white = board->black;
    } else {
        /* Column minus row, then column plus row, of a queen on the odd half and of a square
         * that it attacks on the even half:
         * black: 2c + 1 - (2i + 1) = 2q - 2r, 2c + 1 + 2i + 1 = 2q + 2r;
         * white: 2c + 1 - 2i = 2q - (2r + 1), 2c + 1 + 2i = 2q + 2r + 1. */
        board->black = (struct colour){.sign = 1, .right = evens - 1, .left = 1};
        board->white = (struct colour){.sign = 1, .right = odds, .left = 0};
    }
}

bool nqi_colours_x_leaves_room(const struct colours_board *board, struct x x) {
    const struct x rows = colours_rows(board, x, !colours_black_is_minority(board, x));
    const uint32_t sets[2] = {rows.even, rows.odd};
    const int n = board->n,
              minority = __builtin_popcount(rows.even) + __builtin_popcount(rows.odd),
              majority = n - minority;
    /* Each row and column has a distance from the middle of the board. For the rows and columns
     * of the majority, the squares of these distances must add up to the bound of
     * docs/algorithm.md ("X without room") or more. Here distances are doubled, so that they
     * are whole numbers; the bound is then four times as large.
     *
     * The squared distances of all n rows add up to n (n^2 - 1) / 3, as do those of all n
     * columns. The majority's rows have this sum less `squares`, the sum of the minority's
     * rows. The majority's columns have the largest sum if the minority, of m queens, has the m
     * innermost columns. These have a sum of m (m^2 - 1) / 3 or more, which is subtracted.
     * Below, all terms are multiplied by 3. */
    int squares = 0;
    for (int parity = 0; parity < 2; parity++)
        for (uint32_t rest = sets[parity]; rest != 0; rest &= rest - 1) {
            const int y = 2 * colours_line(board, __builtin_ctz(rest), parity) - (n - 1);
            squares += y * y;
        }
    return 4 * majority * (majority * majority - 1) + minority * (minority * minority - 1) +
               3 * squares <=
           2 * n * (n * n - 1);
}

int nqi_colours_x_weight(const struct colours_board *board, struct x x) {
    if (board->n % 2 == 1) {
        const uint32_t odd = mirrored_bits(x.odd, board->odds),
                       even = mirrored_bits(x.even, board->evens);
        const bool lesser = colours_even_shared(board, x)
                                ? even < x.even || (even == x.even && odd < x.odd)
                                : odd < x.odd || (odd == x.odd && even < x.even);
        return lesser ? 0 : odd == x.odd && even == x.even ? 1 : 2;
    }
    /* The orbit consists of (odd, even), (even, odd), (not even, not odd) and
     * (not odd, not even). The last two have more black rows, and are thus greater, unless half
     * of the rows are black. */
    if (x.odd < x.even)
        return 0;
    if (!colours_halved(board, __builtin_popcount(x.odd)))
        return x.odd == x.even ? 2 : 4;
    const uint32_t all = low_bits(board->odds);
    /* X is also not the least if (not even) < even. The next test covers that case, too: the
     * set `even` then has the highest line, and so has the set `odd`, because odd >= even. So
     * (not odd) lacks the highest line, and (not odd) < even. */
    if ((all & ~x.odd) < x.even)
        return 0;
    if (board->n == 0)
        return 1;
    return x.odd == x.even || x.odd == (all & ~x.even) ? 2 : 4;
}

/* Returns how often a queen in this row is attacked from the lines of a set of this parity: the
 * sum of n - distance. */
static int order_nearness(const struct colours_board *board, int row, uint32_t set,
                          int parity) {
    int sum = 0;
    for (; set != 0; set &= set - 1)
        sum += board->n - abs(row - colours_line(board, __builtin_ctz(set), parity));
    return sum;
}

/* Each step chooses the line that is nearest to `filled` and to the lines chosen before. */
int nqi_order_lines(const struct colours_board *board, uint32_t set, int parity,
                    uint32_t filled, uint8_t line[COLOURS_LINES]) {
    int row[COLOURS_LINES], nearness[COLOURS_LINES], count = 0;
    for (; set != 0; set &= set - 1, count++) {
        line[count] = (uint8_t)__builtin_ctz(set);
        row[count] = colours_line(board, line[count], parity);
        nearness[count] = order_nearness(board, row[count], filled, 1 - parity);
    }
    for (int i = 0; i < count; i++) {
        int next = i;
        for (int j = i + 1; j < count; j++)
            next = nearness[j] > nearness[next] ? j : next;
        const uint8_t chosen = line[next];
        const int chosen_row = row[next];
        line[next] = line[i];
        row[next] = row[i];
        nearness[next] = nearness[i];
        line[i] = chosen;
        for (int j = i + 1; j < count; j++)
            nearness[j] += board->n - abs(row[j] - chosen_row);
    }
    return count;
}
