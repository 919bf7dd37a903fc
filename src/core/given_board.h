/* SPDX-License-Identifier: MIT */
/* Boards on which some queens stand already, and some squares are blocked. */
#ifndef CORE_GIVEN_BOARD_H
#define CORE_GIVEN_BOARD_H

#include "core/text.h"

#include <stdint.h>

/* Reads a board as nq_options.board has it. open[row]: the squares of a row that may be used,
 * only that of its queen, if one stands there. NQ_BAD_OPTION: `failure` names the row and
 * column. */
nq_status nqi_board_read(int n, const char *text, uint32_t open[NQ_MAX_N],
                         struct failure *failure);

#endif
