/* SPDX-License-Identifier: MIT */
/* Pictures of placements, as SVG. */
#ifndef SOLUTIONS_PICTURE_H
#define SOLUTIONS_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DRAWN_ROWS = 1000 }; /* the most rows of a board that can be drawn */

/* A placement to draw. */
struct drawn_board {
    int n, columns[DRAWN_ROWS];
    bool attacked[DRAWN_ROWS]; /* whether the queen of each row attacks another one; marked */
    uint64_t pairs;            /* number of attacking pairs; a few get lines between them */
};

/* Writes a picture of `count` boards, at least 1. Several boards are numbered, and stand in a
 * grid. One board is about 720 pixels wide, and several are about 180 each, whatever their n,
 * if squares are then 4 to 90 pixels wide. The caller must check the stream for errors. */
void nqi_picture_write(const struct drawn_board *boards, int count, FILE *stream);

#endif
