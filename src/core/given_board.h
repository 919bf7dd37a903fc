/* SPDX-License-Identifier: MIT */
/* Boards on which some queens stand already, and some squares are blocked. */
#ifndef CORE_GIVEN_BOARD_H
#define CORE_GIVEN_BOARD_H

#include "core/text.h"

#include <stdint.h>

enum board_look {
    BOARD_EMPTY, /* all squares are free */
    BOARD_STARS, /* no queen, and one * in each row and column: to some, a solution */
    BOARD_OTHER
};

/* Reads the square at the start of a text as programs write it: 'Q', also for a chess piece,
 * '.', also for the empty squares beside these, '*' or '#', or 'X', a queen that attacks
 * another.
 * '\0': it is none. dark: the square's colour. length: gets the number of bytes, in any case of
 * one character. */
char nqi_board_square(const char *text, bool dark, size_t *length);

/* Reads a board as nq_options.board has it. open[row]: the squares of a row that may be used,
 * only that of its queen, if one stands there. look: may be NULL. NQ_BAD_OPTION: `failure`
 * names the row and column. */
nq_status nqi_board_read(int n, const char *text, uint32_t open[NQ_MAX_N],
                         enum board_look *look, struct failure *failure);

#endif
