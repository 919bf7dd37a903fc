/* SPDX-License-Identifier: MIT */
/* Reads boards row by row, and finds which squares of a given board the queens of a solution
 * may take. Most of the code says what is wrong with a text, as users type boards by hand. */
#include "boards/board.h"

#include "boards/print.h"
#include "core/sets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

nq_status nqi_check_form(const struct reader *reader, const char *word, bool board,
                         struct failure *failure) {
    const bool list = *word == '[' || *word == '(';
    const char *form = NULL;
    if (*word == '{')
        form = "JSON: expected its lists, one a line (jq -c '.. | .columns? // empty')";
    else if (list && board)
        form = "a list: expected the lines of a board alone (jq -r '.[]')";
    else if (*word == '"' || *word == '\'')
        form = "a list of strings: expected one a line, without quotes (jq -r '.[]')";
    else if (list && (word[1] == '"' || word[1] == '\''))
        form = "lists of strings: expected boards without quotes (jq -r '.[] | .[], \"\"')";
    else if (list)
        form = "a list of lists: expected one list a line (jq -c '.[]')";
    else if (board && isdigit((unsigned char)*word) != 0)
        form = "a number: expected the squares of a board, without its size";
    if (form == NULL)
        return NQ_OK;
    return reader_fail(failure, reader, ": '%.60s': %s", word, form);
}

/* Reads one character, which may have several bytes. A chess queen, black or white, becomes a
 * 'Q'. */
static void row_read_sign(struct reader *reader, char *sign) {
    size_t length = 0;
    do {
        sign[length++] = (char)reader->next;
        reader_step(reader);
    } while (length < 4 && (reader->next & 0xC0) == 0x80);
    sign[length] = '\0';
    if (strcmp(sign, "♛") == 0 || strcmp(sign, "♕") == 0)
        memcpy(sign, "Q", 2);
}

/* Reads the squares of a line. It stops after `most` + 1 of them, which is enough to know that
 * there are too many. */
static nq_status row_read(struct reader *reader, struct board_rows *rows, int most,
                          struct failure *failure) {
    struct board_row row = {.line = reader->line};
    char sign[5];
    for (nqi_reader_skip_blanks(reader); !reader_line_ends(reader) && row.squares <= most;
         nqi_reader_skip_blanks(reader)) {
        /* In a given board, a '#' after squares is refused. The user may have meant a blocked
         * square. If the '#' began a comment, the rest of the row would be skipped, and a
         * smaller board might be counted. */
        if (reader->next == '#' && (!rows->given || row.squares == 0)) {
            row.comment = true;
            nqi_reader_skip_line(reader);
            break;
        }
        row_read_sign(reader, sign);
        const bool square =
            sign[1] == '\0' && strchr(rows->given ? "Q.*" : "Q.X", *sign) != NULL;
        if (!square && rows->count == 0 && row.squares == 0 &&
            nqi_check_form(reader, sign, true, failure) != NQ_OK)
            return NQ_BAD_OPTION;
        if (!square)
            return reader_fail(failure, reader,
                               ", row %d, column %d: '%s': expected Q for a "
                               "queen, . for a free square%s",
                               rows->count + 1, row.squares + 1, sign,
                               rows->given ? ", or * for a blocked one" : "");
        const uint32_t bit = UINT32_C(1) << row.squares % 32;
        row.squares += row.squares <= most;
        row.blocked |= *sign == '*' ? bit : 0;
        row.queen |= *sign == 'Q' || *sign == 'X' ? bit : 0;
        if ((*sign == 'Q' || *sign == 'X') && row.queens++ < 2)
            row.column[row.queens - 1] = row.squares;
    }
    rows->row = row;
    return NQ_OK;
}

/* Says what is wrong with the number of rows, or of squares in the row that was just read.
 * limit: the most rows, and the most squares of each. */
static nq_status board_refuse_form(const struct reader *reader, const struct board_rows *rows,
                                   int limit, struct failure *failure) {
    const int squares = rows->row.squares;
    char expected[32];
    snprintf(expected, sizeof expected, rows->side < 0 ? "1 to %d" : "%d x %d", limit, limit);
    if (rows->ended)
        return reader_fail(failure, reader, ": the board ends after %d row%s: expected %s",
                           rows->count, rows->count == 1 ? "" : "s", expected);
    if (rows->count == limit)
        return reader_fail(failure, reader, ": the board goes on after row %d: expected %s%s",
                           limit, expected,
                           rows->given ? "" : ", and an empty line before another board");
    if (squares > limit)
        return reader_fail(failure, reader, ", row %d: more than %d square%s: expected %s",
                           rows->count + 1, limit, limit == 1 ? "" : "s", expected);
    return reader_fail(failure, reader, ", row %d: %d square%s: expected %s", rows->count + 1,
                       squares, squares == 1 ? "" : "s", expected);
}

nq_status nqi_board_next(struct reader *reader, struct board_rows *rows,
                         struct failure *failure) {
    const int side = rows->side, limit = side >= 0     ? side
                                         : rows->given ? NQ_MAX_N
                                                       : NQ_MAX_SIDE;
    const int most = rows->count < limit ? limit : 0;
    const struct board_row *row = &rows->row;
    do {
        if (reader->next == '\n')
            reader_step(reader);
        const nq_status status = row_read(reader, rows, most, failure);
        if (status != NQ_OK)
            return status;
    } while (row->squares == 0 && reader->next == '\n' &&
             (rows->given || (row->comment && rows->count < side)));
    rows->ended = row->squares == 0;
    if (rows->ended ? rows->count != side : row->squares > most || row->squares < side)
        return board_refuse_form(reader, rows, limit, failure);
    rows->side = side < 0 ? row->squares : side;
    rows->count += !rows->ended;
    return NQ_OK;
}

nq_status nqi_board_read(struct reader *reader, struct board *board, struct failure *failure) {
    struct board_rows rows = {.given = true, .side = board->n};
    nq_status status;
    while ((status = nqi_board_next(reader, &rows, failure)) == NQ_OK && !rows.ended)
        board->row[rows.count - 1] = rows.row;
    board->n = rows.side;
    return status;
}

/* Finds two queens that attack each other. It compares the first queens of any two rows, and
 * the first two queens of one row. */
static bool board_find_attack(const struct board *board, nq_attack *attack) {
    for (int row = 0; row < board->n; row++)
        for (int other = row; other < board->n; other++) {
            const struct board_row *a = &board->row[row], *b = &board->row[other];
            const bool own = other == row;
            const int distance = abs(b->column[own] - a->column[0]);
            if (a->queens > own && b->queens > 0 &&
                (own || distance == 0 || distance == other - row)) {
                *attack = (nq_attack){{row + 1, other + 1}, {a->column[0], b->column[own]}};
                return true;
            }
        }
    return false;
}

/* Returns whether each row and each column has exactly one '*', and no row has a queen: the
 * user may have meant each '*' as a queen. */
static bool board_has_stars(const struct board *board) {
    uint32_t stars = 0;
    for (int row = 0; row < board->n; row++)
        if (board->row[row].queens == 0 && __builtin_popcount(board->row[row].blocked) == 1)
            stars |= board->row[row].blocked;
    return board->n > 0 && stars == low_bits(board->n);
}

bool nqi_board_warn(const struct board *board, char *warning, size_t size) {
    nq_attack attack;
    char said[160];
    if (board_find_attack(board, &attack)) {
        nqi_attack_text(&attack, 0, said, sizeof said);
        snprintf(warning, size, "%s: nothing completes the board", said);
        return true;
    }
    if (board_has_stars(board)) {
        snprintf(warning, size,
                 "each row and column has one *, which is a blocked square: a queen is a Q");
        return true;
    }
    return false;
}

/* The search places given queens like all others, each on the only square of its row. So it
 * finds no solution if given queens attack each other. */
nq_status nqi_board_squares(int n, const char *text, uint32_t *squares,
                            struct failure *failure) {
    struct reader string = {.at = text, .name = "board", .line = 1};
    struct board board = {.n = n};
    nqi_reader_begin(&string);
    const nq_status status = nqi_board_read(&string, &board, failure);
    for (int row = 0; row < n && status == NQ_OK; row++) {
        const struct board_row *own = &board.row[row];
        squares[row] = own->queens == 0   ? low_bits(n) & ~own->blocked
                       : own->queens == 1 ? own->queen
                                          : 0; /* two queens in a row: there is no solution */
        for (int other = 0; other < n && own->queens == 0; other++) {
            const uint32_t queens = board.row[other].queen;
            squares[row] &= ~(queens | queens << abs(other - row) | queens >> abs(other - row));
        }
    }
    return status;
}
