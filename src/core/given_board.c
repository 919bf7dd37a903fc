/* SPDX-License-Identifier: MIT */
/* Given boards: some queens stand already, and some squares are blocked.
 *
 * Each row becomes the set of its open squares: the square of the queen that stands there, or
 * the free squares that no given queen attacks. The search places given queens like all others.
 * So it finds no solution if they attack each other.
 */
#include "core/given_board.h"
#include "core/collections.h"

#include <ctype.h>
#include <stdlib.h>

/* Closes the squares that a queen attacks, but not those of other queens. */
static void board_close_attacked(int n, int row, uint32_t queen, const uint32_t *queens,
                                 uint32_t *open) {
    for (int other = 0; other < n; other++) {
        const int distance = abs(other - row);
        if (other != row && queens[other] == 0)
            open[other] &= ~(queen | queen << distance | queen >> distance);
    }
}

static enum board_look board_look(int n, const uint32_t *queens, const uint32_t *open) {
    for (int row = 0; row < n; row++)
        if (queens[row] != 0 || open[row] != low_bits(n))
            return BOARD_OTHER;
    return BOARD_EMPTY;
}

nq_status nqi_board_read(int n, const char *text, uint32_t open[NQ_MAX_N],
                         enum board_look *look, struct failure *failure) {
    uint32_t queens[NQ_MAX_N] = {0};
    int row = 0, column = 0;
    memset(open, 0, NQ_MAX_N * sizeof *open);
    for (bool ended = false; !ended; text++) {
        const char square = *text;
        ended = square == '\0';
        if (ended || square == '\n') {
            if (column != 0 && column != n)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d: %d square%s: expected %d", row + 1, column,
                                column == 1 ? "" : "s", n);
            row += column != 0; /* an empty line is no row */
            column = 0;
        } else if (!isspace((unsigned char)square)) {
            if (strchr("Q.*#", square) == NULL)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d, column %d: '%c': expected Q for a queen, . for "
                                "a free square, * or # for a blocked one",
                                row + 1, column + 1, square);
            if (row == n)
                return nqi_fail(failure, NQ_BAD_OPTION, "board: row %d: expected %d in all",
                                row + 1, n);
            if (column == n)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d: column %d: expected %d in all", row + 1,
                                column + 1, n);
            queens[row] |= (uint32_t)(square == 'Q') << column;
            open[row] |= (uint32_t)(square == 'Q' || square == '.') << column;
            column++;
        }
    }
    if (row != n)
        return nqi_fail(failure, NQ_BAD_OPTION, "board: %d row%s of squares: expected %d", row,
                        row == 1 ? "" : "s", n);
    if (look != NULL)
        *look = board_look(n, queens, open);
    for (row = 0; row < n; row++) {
        if (queens[row] != 0) /* two in a row leave no square for one */
            open[row] = (queens[row] & (queens[row] - 1)) == 0 ? queens[row] : 0;
        for (uint32_t rest = queens[row]; rest != 0; rest &= rest - 1)
            board_close_attacked(n, row, rest & -rest, queens, open);
    }
    return NQ_OK;
}
