/* SPDX-License-Identifier: MIT */
/* Draws pictures of placements, as SVG. */
#ifndef SOLUTIONS_PICTURE_H
#define SOLUTIONS_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DRAWN_ROWS = 1000 }; /* the most rows of a board that can be drawn */

/* A placement to draw. */
struct drawn_board {
    int n, columns[DRAWN_ROWS];
    bool attacked[DRAWN_ROWS]; /* whether each row's queen attacks another one, and is marked */
    uint64_t pairs;            /* number of attacking pairs; if there are few, they get lines */
};

/* Writes a picture of `count` boards, at least 1. Several boards are numbered, and stand in a
 * grid. A single board is about 720 pixels wide, and each of several about 180, whatever their
 * n; but no square is narrower than 4 pixels or wider than 90. The caller must check the stream
 * for errors. */
void nqi_picture_write(const struct drawn_board *boards, int count, FILE *stream);

#endif
