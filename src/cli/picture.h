/* Boards as a picture: SVG, written as text. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli/placement.h"

/* A placement to draw. */
struct board {
    struct placement placement;
    bool *attacked; /* [0..n-1]: the queens that attack another one, to be marked */
    uint64_t pairs; /* of them; a few pairs have lines between them */
};

/* Writes a picture of boards, count >= 1. Several are numbered, in a grid. */
void picture_write(const struct board *boards, int count, FILE *stream);

#endif
