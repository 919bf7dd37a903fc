/* SPDX-License-Identifier: MIT */
/* N, the argument of most commands, or a board that tells it; files of text. */
#include "commands/input.h"

#include "boards/print.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "core/sets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int text_open(const char *name, const char *holds, struct reader *reader) {
    const bool from_stdin = strcmp(name, "-") == 0;
    *reader = (struct reader){
        .name = "stdin", .line = 1, .stream = from_stdin ? stdin : fopen(name, "r")};
    if (!from_stdin)
        snprintf(reader->name, sizeof reader->name, "'%.100s'", name);
    if (reader->stream == NULL) {
        message("%s: cannot be opened: %s", reader->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    if (from_stdin && isatty(STDIN_FILENO) != 0 && !given.quiet)
        message("reading %s, from the terminal; Ctrl-D on an empty line ends them", holds);
    errno = 0;
    nqi_reader_begin(reader);
    return EXIT_DONE;
}

int text_done(const struct reader *reader, nq_status status, const struct failure *failure) {
    if (ferror(reader->stream) != 0) {
        message("%s: cannot be read: %s", reader->name, strerror(errno));
        return EXIT_SYSTEM;
    }
    return status == NQ_OK ? EXIT_DONE : say_failure(status, failure);
}

/* Names two queens of the board that attack each other. */
static void board_say_attack(const struct reader *reader, int n,
                             const struct board_row *board) {
    char said[160];
    for (int row = 0; row < n; row++)
        for (int other = row; other < n; other++) {
            const struct board_row *a = &board[row], *b = &board[other];
            const bool own = other == row;
            const int distance = abs(b->column[own] - a->column[0]);
            if (a->queens > own && b->queens > 0 &&
                (own || distance == 0 || distance == other - row)) {
                nqi_attack_text(
                    &(nq_attack){{row + 1, other + 1}, {a->column[0], b->column[own]}}, 0, said,
                    sizeof said);
                message("%s: %s: nothing completes the board", reader->name, said);
                return;
            }
        }
}

/* Whether each row and column has one '*', and no queen, as if it were one. */
static bool board_has_stars(int n, const struct board_row *board) {
    uint32_t stars = 0;
    for (int row = 0; row < n; row++)
        if (board[row].queens == 0 && __builtin_popcount(board[row].blocked) == 1)
            stars |= board[row].blocked;
    return n > 0 && stars == low_bits(n);
}

int read_board(int *n) {
    static char squares[NQ_MAX_N * (NQ_MAX_N + 1) + 1];
    struct reader reader;
    struct board_row board[NQ_MAX_N];
    struct failure failure = {0};
    char *at = squares;
    if (given.board == NULL)
        return EXIT_DONE;
    int code = text_open(given.board, "the rows of a board", &reader);
    if (code == EXIT_DONE)
        code = text_done(&reader, nqi_board_read(&reader, n, board, &failure), &failure);
    if (code != EXIT_DONE)
        return code;
    if (!given.quiet)
        board_say_attack(&reader, *n, board);
    if (!given.quiet && board_has_stars(*n, board))
        message("%s: each row and column has one *, which is a blocked square: a queen is a Q",
                reader.name);
    for (int row = 0; row < *n; row++, *at++ = '\n')
        for (int column = 0; column < *n; column++)
            *at++ = (board[row].queen >> column & 1) != 0     ? 'Q'
                    : (board[row].blocked >> column & 1) != 0 ? '*'
                                                              : '.';
    given.count.board = squares;
    return EXIT_DONE;
}

int read_n(const char *name, int count, char **arguments, int lowest, int highest, int *n) {
    *n = -1;
    if (count == 0 && given.board == NULL)
        return usage_error("%s: give N, a whole number from %d to %d", name, lowest, highest);
    if (count > 0 && !read_number(arguments[0], lowest, highest, n))
        return usage_error("N: '%.60s': expected a whole number from %d to %d", arguments[0],
                           lowest, highest);
    return read_board(n);
}

int solutions_open(int n, nq_list **list) {
    const nq_status status = nq_list_open(n, given.fundamental, &given.count, list);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}
