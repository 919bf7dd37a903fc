/* SPDX-License-Identifier: MIT */
/* Boards, as text and as a picture: SVG. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli/placement_file.h"

#include <nqueens.h>

#include <stdio.h>

enum text_style {
    TEXT_PLAIN,   /* letters and dots */
    TEXT_UNICODE, /* squares and a queen */
    TEXT_COLOURED /* a queen on coloured squares */
};

/* Prints a placement, one line per row. marked[0..n-1]: whether to mark a row's queen; NULL:
 * none. */
void text_board_print(int n, const int *columns, const bool *marked, enum text_style style,
                      FILE *stream);

/* Says that boards of n columns do not fit, if stdout is a terminal that is narrower. */
void text_board_say_width(int n, enum text_style style);

/* A placement to draw. */
struct board {
    struct placement placement;
    bool *attacked; /* [0..n-1]: the queens that attack another one, to be marked */
    uint64_t pairs; /* of them; a few pairs have lines between them */
};

/* Writes a picture of boards, count >= 1. Several are numbered, in a grid. */
void picture_write(const struct board *boards, int count, FILE *stream);

#endif
