/* SPDX-License-Identifier: MIT */
/* The order in which the lines of a class are filled.
 *
 * Lines that are attacked most come first: then few states lead to each completion. The nearer
 * two lines of a colour, the more often do their queens attack each other: n - distance of n^2
 * pairs of squares, in either direction.
 */
#ifndef COLOURS_ORDER_H
#define COLOURS_ORDER_H

#include "colours/board.h"

/* Writes the lines of a set of this parity in the order in which to fill them, after `others`,
 * lines of the other parity. Returns their number. */
int nqi_order_lines(const struct colours_board *board, uint32_t set, int parity,
                    uint32_t others, uint8_t line[COLOURS_LINES]);

#endif
