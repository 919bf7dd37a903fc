/* SPDX-License-Identifier: MIT */
/* Boards on which some queens stand already, and some squares are blocked. */
#ifndef CORE_GIVEN_BOARD_H
#define CORE_GIVEN_BOARD_H

#include "core/text.h"

#include <stdint.h>

/* Returns the square that a text begins with, which must not be empty:
 *   'Q'       a queen, also as a chess piece
 *   'X'       a queen that attacks another, as `draw` marks it
 *   '.'       a free square, also a □ that is light or a ■ that is dark
 *   '*', '#'  a blocked square
 *   '\0'      none of them
 * dark: the square's colour. length: gets the bytes of the text's first character. */
char nqi_board_square(const char *text, bool dark, size_t *length);

/* Returns the number of squares in a board's first row. */
int nqi_board_side(const char *text);

/* Reads a board as nq_options.board has it. open[row], n of them: the squares of a row that may
 * be used, only that of its queen, if one stands there. NQ_BAD_OPTION: `failure` names the row
 * and column. */
nq_status nqi_board_read(int n, const char *text, uint32_t *open, struct failure *failure);

#endif
