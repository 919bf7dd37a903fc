/* SPDX-License-Identifier: MIT */
/* Boards on which some queens stand already, and some squares are blocked. */
#ifndef CORE_GIVEN_BOARD_H
#define CORE_GIVEN_BOARD_H

#include "core/text.h"

#include <stdint.h>

/* Returns the number of squares in a board's first row. */
int nqi_board_side(const char *text);

/* Reads a board as nq_options.board has it. open[row], n of them: the squares of a row that may
 * be used, only that of its queen, if one stands there. NQ_BAD_OPTION: `failure` names the row
 * and column. */
nq_status nqi_board_read(int n, const char *text, uint32_t *open, struct failure *failure);

#endif
