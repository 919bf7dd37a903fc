/* SPDX-License-Identifier: MIT */
/* Draws placements as SVG, which any browser shows. Each picture defines two shapes for queens,
 * and refers to one of them for every queen, which keeps pictures of large boards small. */
#include "solutions/picture.h"

#include <stdlib.h>

/* The most lines between attacking queens. More would hide the board. */
enum { MAX_LINES = 32 };

#define LIGHT "#f0e6cf"
#define DARK  "#b08a65"
#define FRAME "#493422"
#define BLACK "#231f1c"
#define RED   "#c81e1e"

/* The two shapes, drawn in a square of side 1: a crown with five points, each with a pearl, on
 * a base; and a dot, for squares that are too small for a crown. */
static const char shapes[] =
    "<g id=\"queen\"><path d=\"M.27 .72L.13 .33 .315 .545 .305 .225 .435 .515 .5 .19 .565 .515 "
    ".695 .225 .685 .545 .87 .33 .73 .72C.6 .685 .4 .685 .27 .72zM.265 .755C.4 .72 .6 .72 "
    ".735 .755L.765 .855C.6 .885 .4 .885 .235 .855z\"/>"
    "<circle cx=\".13\" cy=\".31\" r=\".048\"/><circle cx=\".305\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".5\" cy=\".17\" r=\".048\"/><circle cx=\".695\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".87\" cy=\".31\" r=\".048\"/></g>\n"
    "<circle id=\"dot\" cx=\".5\" cy=\".5\" r=\".4\"/>\n";

/* Draws all squares in two paths. The light one is the whole board. The dark one has all odd
 * rows and all odd columns, as bars; with the rule "evenodd" a square where two bars cross
 * stays light. */
static void picture_write_squares(int n, FILE *stream) {
    fprintf(stream, "<path fill=\"" LIGHT "\" d=\"M0 0h%dv%dh-%dz\"/>\n", n, n, n);
    fputs("<path fill=\"" DARK "\" fill-rule=\"evenodd\" d=\"", stream);
    for (int i = 1; i < n; i += 2)
        fprintf(stream, "M%d 0h1v%dh-1zM0 %dh%dv1h-%dz", i, n, i, n, n);
    fputs("\"/>\n", stream);
}

/* Draws a line between the queens of each attacking pair. */
static void picture_write_attacks(const struct drawn_board *board, FILE *stream) {
    const int *columns = board->columns;
    fputs("<path stroke=\"" RED "\" stroke-width=\".083\" stroke-linecap=\"round\" d=\"",
          stream);
    for (int row = 0; row < board->n; row++)
        for (int below = row + 1; board->attacked[row] && below < board->n; below++) {
            int distance = abs(columns[below] - columns[row]);
            if (distance == 0 || distance == below - row)
                fprintf(stream, "M%d.5 %d.5L%d.5 %d.5", columns[row] - 1, row,
                        columns[below] - 1, below);
        }
    fputs("\"/>\n", stream);
}

/* Draws a board of `side` pixels at (x, y), with a frame of `frame` pixels around it. Inside
 * the frame, the unit of length is a square of the board. */
static void picture_write_board(const struct drawn_board *board, int side, int frame, int x,
                                int y, FILE *stream) {
    int n = board->n, framed = side + 2 * frame;
    const char *shape = side / n < 12 ? "dot" : "queen";
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"" FRAME "\"/>\n",
            x - frame, y - frame, framed, framed);
    fprintf(stream,
            "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", x, y,
            side, side, n, n);
    picture_write_squares(n, stream);
    if (board->pairs > 0 && board->pairs <= MAX_LINES)
        picture_write_attacks(board, stream);
    for (int row = 0; row < n; row++)
        fprintf(stream, "<use href=\"#%s\" x=\"%d\" y=\"%d\"%s/>\n", shape,
                board->columns[row] - 1, row, board->attacked[row] ? " fill=\"" RED "\"" : "");
    fputs("</svg>\n", stream);
}

void nqi_picture_write(const struct drawn_board *boards, int count, FILE *stream) {
    const int wide = count == 1 ? 720 : 180, margin = 24, number = count == 1 ? 0 : 20;
    int n = 1, columns = 1;
    for (int i = 0; i < count; i++)
        if (boards[i].n > n)
            n = boards[i].n;
    while (columns * columns < count)
        columns++;
    const int square = wide / n > 90 ? 90 : wide / n < 4 ? 4 : wide / n;
    const int side = n * square, frame = count == 1 ? 4 : 1;
    const int across = side + margin, down = across + number;
    const int width = columns * across + margin,
              height = (count + columns - 1) / columns * down + margin;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" fill=\"" BLACK "\" font-family=\"sans-serif\" "
            "font-size=\"14\" text-anchor=\"middle\">\n<defs>\n%s</defs>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height, shapes);
    for (int i = 0; i < count; i++) {
        const int x = margin + i % columns * across, y = margin + i / columns * down;
        picture_write_board(&boards[i], side, frame, x, y, stream);
        if (count > 1)
            fprintf(stream, "<text x=\"%d\" y=\"%d\">%d</text>\n", x + side / 2,
                    y + side + number, i + 1);
    }
    fputs("</svg>\n", stream);
}
