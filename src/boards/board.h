/* SPDX-License-Identifier: MIT */
/* Boards as text: each line has the squares of a row. On a given board a '#' begins a comment
 * only at the beginning of a line. */
#ifndef BOARDS_BOARD_H
#define BOARDS_BOARD_H

#include "boards/reader.h"

/* Fails if a text begins with lists of JSON or Python, or, where a board is expected, with a
 * number. word: its first one. */
nq_status nqi_check_form(const struct reader *reader, const char *word, bool board,
                         struct failure *failure);

struct board_row {
    bool comment;
    uint64_t line;                  /* of the text */
    int squares, queens, column[2]; /* of the first two queens, from 1 */
    uint32_t queen, blocked;        /* which squares of the first 32: a set each */
};

/* The rows of a board, which are read one by one. The caller sets the first two. */
struct board_rows {
    bool given; /* queens stand on some rows, and squares are blocked; else a placement */
    int side;   /* -1: the first row tells it */
    int count;  /* of rows read */
    bool ended; /* no row is left */
    struct board_row row; /* the last one */
};

/* Reads the next row, or finds the board's end: that of the text, or for a placement an empty
 * line. NQ_BAD_OPTION: `failure` names the line, and what was expected. */
nq_status nqi_board_next(struct reader *reader, struct board_rows *rows,
                         struct failure *failure);

/* A given board. */
struct board {
    int n;
    struct board_row row[NQ_MAX_N];
};

/* Reads a given board, up to the end of the text. board->n: the number of its rows and columns;
 * or -1, which the first row then replaces by the number of its squares. */
nq_status nqi_board_read(struct reader *reader, struct board *board, struct failure *failure);

/* Writes a warning of a board that was hardly meant: queens attack each other, or stand as
 * blocked squares. Returns whether there is one. */
bool nqi_board_warn(const struct board *board, char *warning, size_t size);

/* Reads a board as nq_options.board has it. squares[0..n-1] become the squares of each row that
 * may be used: only that of its queen, if one stands there. */
nq_status nqi_board_squares(int n, const char *text, uint32_t *squares,
                            struct failure *failure);

#endif
