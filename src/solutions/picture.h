/* SPDX-License-Identifier: MIT */
/* Pictures of placements, as SVG. */
#ifndef SOLUTIONS_PICTURE_H
#define SOLUTIONS_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DRAWN_ROWS = 1000 }; /* of a board, at most */

/* A placement to draw. */
struct drawn_board {
    int n, columns[DRAWN_ROWS];
    bool attacked[DRAWN_ROWS]; /* the queens that attack another one, to be marked */
    uint64_t pairs;            /* of them; a few pairs have lines between them */
};

/* Writes a picture of boards, count >= 1. Several are numbered, in a grid. One board is 720
 * pixels wide, several are 180 each, whatever their n, as long as squares are neither huge nor
 * too small to see. The caller looks for errors of the stream. */
void nqi_picture_write(const struct drawn_board *boards, int count, FILE *stream);

#endif
