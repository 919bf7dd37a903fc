/* SPDX-License-Identifier: MIT */
/* Boards of one's own: some queens stand already, and some squares are blocked.
 *
 * A row is what of it may be used: the one square of a queen that stands there, or the free
 * squares that no such queen attacks. Queens that attack each other are found by the search,
 * which places them like all others, so that such a board has no solution.
 */
#include "search/plan.h"

#include <ctype.h>
#include <stdlib.h>

static nq_status board_bad_rows(int n, int rows, struct failure *failure) {
    return nqi_fail(failure, NQ_BAD_OPTION, "board: %d row%s of squares: expected %d", rows,
                    rows == 1 ? "" : "s", n);
}

/* Reads the row that begins at *text, and moves *text to the end of its line. queens, open: its
 * squares with queens, and those that may be used. */
static nq_status board_read_row(int n, int row, const char **text, uint32_t *queens,
                                uint32_t *open, struct failure *failure) {
    int column = 0;
    *queens = *open = 0;
    for (; **text != '\0' && **text != '\n'; ++*text) {
        const char square = **text;
        if (isspace((unsigned char)square))
            continue;
        if (square != 'Q' && square != '.' && square != '*' && square != '#')
            return nqi_fail(failure, NQ_BAD_OPTION,
                            "board, row %d, column %d: '%c': expected Q for a queen, . for a "
                            "free square, * or # for a blocked one",
                            row + 1, column + 1, square);
        if (column < n)
            *queens |= (uint32_t)(square == 'Q') << column;
        if (column < n)
            *open |= (uint32_t)(square == 'Q' || square == '.') << column;
        column++;
    }
    if (column != n)
        return nqi_fail(failure, NQ_BAD_OPTION, "board, row %d: %d square%s: expected %d",
                        row + 1, column, column == 1 ? "" : "s", n);
    if (*queens != 0)
        *open = (*queens & (*queens - 1)) == 0 ? *queens : 0;
    return NQ_OK;
}

/* Closes the squares that a queen attacks, but not those of other queens. */
static void board_close_attacked(int n, int row, uint32_t queen, const uint32_t *queens,
                                 uint32_t *open) {
    for (int other = 0; other < n; other++) {
        const int distance = abs(other - row);
        if (other != row && queens[other] == 0)
            open[other] &= ~(queen | queen << distance | queen >> distance);
    }
}

nq_status nqi_board_read(int n, const char *text, uint32_t open[NQ_MAX_N],
                         struct failure *failure) {
    uint32_t queens[NQ_MAX_N];
    int rows = 0;
    while (*text != '\0') {
        const char *line = text;
        while (isspace((unsigned char)*line) && *line != '\n')
            line++;
        if (*line == '\0' || *line == '\n') { /* an empty line is no row */
            text = *line == '\n' ? line + 1 : line;
            continue;
        }
        if (rows == n)
            return board_bad_rows(n, n + 1, failure);
        const nq_status status =
            board_read_row(n, rows, &text, &queens[rows], &open[rows], failure);
        if (status != NQ_OK)
            return status;
        rows++;
    }
    if (rows != n)
        return board_bad_rows(n, rows, failure);
    for (int row = 0; row < n; row++)
        for (uint32_t rest = queens[row]; rest != 0; rest &= rest - 1)
            board_close_attacked(n, row, rest & -rest, queens, open);
    return NQ_OK;
}
