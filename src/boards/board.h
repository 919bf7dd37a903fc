/* SPDX-License-Identifier: MIT */
/* Boards as text, in two forms. A given board has queens on some rows, and may have blocked
 * squares; users ask for the ways to complete it. A placement has a queen in each row. In both,
 * a line has the squares of a row, and a '#' begins a comment. In a given board, a '#' may only
 * stand at the beginning of a line. In a placement, an 'X' is a queen, too, because
 * nqi_board_print() marks a queen by an 'X'. */
#ifndef BOARDS_BOARD_H
#define BOARDS_BOARD_H

#include "boards/reader.h"

/* Refuses a text that is in another form: a list of JSON or Python or, if a board is expected,
 * a number. The message says how to convert it. word: first word of the text. board: whether a
 * board is expected. */
nq_status nqi_check_form(const struct reader *reader, const char *word, bool board,
                         struct failure *failure);

struct board_row {
    bool comment;  /* the line ends with a comment */
    uint64_t line; /* number of the line, from 1 */
    /* Numbers of squares and of queens, and the columns, from 1, of the first two queens. */
    int squares, queens, column[2];
    /* Sets of squares among the first 32: those that have a queen, and those that are blocked.
     */
    uint32_t queen, blocked;
};

/* A board that is read row by row. The caller sets the first two members. */
struct board_rows {
    bool given;           /* it is a given board; else it is a placement */
    int side;             /* number of rows and columns; -1 until the first row tells it */
    int count;            /* number of rows read so far */
    bool ended;           /* the last call found the board's end, not a row */
    struct board_row row; /* the row that was read last */
};

/* Reads the next row, or finds the board's end. A given board ends with the text, a placement
 * also at an empty line. Returns NQ_OK, or NQ_BAD_OPTION; `failure` then names the line, and
 * says what was expected. */
nq_status nqi_board_next(struct reader *reader, struct board_rows *rows,
                         struct failure *failure);

struct board {
    int n;
    struct board_row row[NQ_MAX_N];
};

/* Reads a given board, which is the rest of the text. The caller sets board->n to the number of
 * rows and columns that the board must have, or to -1 for any number; the function then sets
 * it. */
nq_status nqi_board_read(struct reader *reader, struct board *board, struct failure *failure);

/* Looks for signs that a board is not what its author meant: queens attack each other, or
 * blocked squares look like queens. If there are any, it writes a warning and returns true. */
bool nqi_board_warn(const struct board *board, char *warning, size_t size);

/* Reads nq_options.board. squares[0..n-1]: receives the sets of squares that the queen of each
 * row may take: neither blocked nor attacked by a given queen of another row. If the row has a
 * given queen, its set has only that queen's square. Returns NQ_OK, or NQ_BAD_OPTION, which
 * `failure` explains. */
nq_status nqi_board_squares(int n, const char *text, uint32_t *squares,
                            struct failure *failure);

#endif
