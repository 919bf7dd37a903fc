/* SPDX-License-Identifier: MIT */
/* Tests which squares of a given board a search may use, and that the text of a board is copied
 * while it is read. */
#include "boards/board.h"
#include "made_up.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 9, LINE = SIDE + 1 };

static int queens_of(const char *row) {
    int queens = 0;
    for (int column = 0; column < SIDE; column++)
        queens += row[column] == 'Q';
    return queens;
}

/* Returns whether a queen may take this square. In a row with one Q, only that square may be
 * taken, and in a row with two, none. In other rows, a square may be taken unless it is blocked
 * or attacked. */
static bool may_be_used(const char *text, int row, int column) {
    const int queens = queens_of(text + row * LINE);
    const char square = text[row * LINE + column];
    if (queens > 0)
        return queens == 1 && square == 'Q';
    for (int other = 0; other < SIDE; other++)
        for (int queen = 0; queen < SIDE; queen++)
            if (text[other * LINE + queen] == 'Q' && attack(row, column, other, queen))
                return false;
    return square == '.';
}

Test(board, squares_are_those_of_brute_force) {
    uint64_t seed = 4;
    for (int i = 0; i < 300; i++) {
        char text[SIDE * LINE + 1] = "";
        uint32_t squares[NQ_MAX_N];
        for (int at = 0; at < SIDE * LINE; at++) {
            const int dice = random_below(&seed, 300);
            if (at % LINE == SIDE)
                text[at] = '\n';
            else if (dice < i % 20) /* at most 6 % of the squares; none on every 20th board */
                text[at] = 'Q';
            else if (dice < i) /* more from board to board, at last nearly all squares */
                text[at] = '*';
            else
                text[at] = '.';
        }
        cr_assert_eq(nqi_board_squares(SIDE, text, squares, NULL), NQ_OK, "%s", text);
        for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++)
                cr_assert_eq(squares[row] >> column & 1, may_be_used(text, row, column),
                             "row %d, column %d of\n%s", row + 1, column + 1, text);
    }
}

/* The copy becomes an option of the library. It equals the text, except that question marks
 * take the place of NUL bytes, which a string cannot hold. */
Test(board, text_is_copied_as_it_stands) {
    char text[] = "\xEF\xBB\xBF# a\0b\r\n\n. \xE2\x99\x9B,. .\r\n....\n\t....\n....\n # end";
    FILE *stream = fmemopen(text, sizeof text - 1, "r");
    char *copied;
    size_t size;
    struct reader reader = {
        .stream = stream, .copy = open_memstream(&copied, &size), .name = "text", .line = 1};
    struct board board = {.n = -1};
    struct failure failure = {0};
    nqi_reader_begin(&reader);
    cr_expect_eq(nqi_board_read(&reader, &board, &failure), NQ_OK, "%s", failure.text);
    cr_expect(board.n == 4 && board.row[0].queens == 1);
    fclose(reader.copy);
    fclose(stream);
    *(char *)memchr(text, '\0', sizeof text) = '?';
    cr_expect_str_eq(copied, text);
    free(copied);
}
