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

/* The bytes of a text's first character, so that a message names it whole. */
static size_t board_character(const char *text) {
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    return length;
}

/* Closes the squares that a row's queens attack, but not those of other queens. */
static void board_close_attacked(int n, int row, const uint32_t *queens, uint32_t *open) {
    const uint32_t from = queens[row];
    for (int other = 0; other < n; other++) {
        const int distance = abs(other - row);
        if (other != row && queens[other] == 0)
            open[other] &= ~(from | from << distance | from >> distance);
    }
}

/* The length of a byte order mark that a text begins with, if there is one. */
static size_t board_mark(const char *text) {
    return strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Whether a comment begins at a '#': what follows it on its line is not all squares. */
static bool board_has_comment(const char *text) {
    if (*text != '#')
        return false;
    const char end = text[strspn(text, " \t\v\f\r.*#Q")];
    return end != '\n' && end != '\0';
}

int nqi_board_side(const char *text) {
    int squares = 0;
    size_t length;
    for (text += board_mark(text); *text != '\0' && (squares == 0 || *text != '\n');
         text += length) {
        length = 1;
        if (board_has_comment(text)) {
            length = strcspn(text, "\n");
        } else if (!isspace((unsigned char)*text)) {
            length = board_character(text);
            squares++;
        }
    }
    return squares;
}

nq_status nqi_board_read(int n, const char *text, uint32_t *open, struct failure *failure) {
    uint32_t queens[NQ_MAX_N] = {0};
    int row = 0, column = 0;
    memset(open, 0, (size_t)n * sizeof *open);
    size_t length = board_mark(text);
    for (bool ended = false; !ended;) {
        text += length;
        length = 1;
        ended = *text == '\0';
        if (ended || *text == '\n') {
            if (column != 0 && column != n)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d: %d square%s: expected %d", row + 1, column,
                                column == 1 ? "" : "s", n);
            row += column != 0; /* an empty line is no row */
            column = 0;
        } else if (board_has_comment(text)) {
            length = strcspn(text, "\n");
        } else if (!isspace((unsigned char)*text)) {
            if (strchr("Q.*#", *text) == NULL)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d, column %d: '%.*s': expected Q for a queen, . "
                                "for a free square, * or # for a blocked one",
                                row + 1, column + 1, (int)board_character(text), text);
            if (row == n)
                return nqi_fail(failure, NQ_BAD_OPTION, "board: row %d: expected %d in all",
                                row + 1, n);
            if (column == n)
                return nqi_fail(failure, NQ_BAD_OPTION,
                                "board, row %d: column %d: expected %d in all", row + 1,
                                column + 1, n);
            queens[row] |= (uint32_t)(*text == 'Q') << column;
            open[row] |= (uint32_t)(*text == 'Q' || *text == '.') << column;
            column++;
        }
    }
    if (row != n)
        return nqi_fail(failure, NQ_BAD_OPTION, "board: %d row%s of squares: expected %d", row,
                        row == 1 ? "" : "s", n);
    for (row = 0; row < n; row++) {
        if (queens[row] != 0) /* two in a row leave no square for one */
            open[row] = (queens[row] & (queens[row] - 1)) == 0 ? queens[row] : 0;
        board_close_attacked(n, row, queens, open);
    }
    return NQ_OK;
}
