/* SPDX-License-Identifier: MIT */
#include "cli/picture.h"

#include "cli/message.h"
#include "cli/output.h"

#include <stdlib.h>
#include <unistd.h>

/* The text of a square. It is two columns of a terminal wide, which looks about square. */
struct signs {
    const char *light, *dark, *queen, *marked;
};

static const struct signs signs[] = {
    [TEXT_PLAIN] = {". ", ". ", "Q ", "X "},
    [TEXT_UNICODE] = {"□ ", "■ ", "♛ ", "✗ "},
    [TEXT_COLOURED] = {"  ", "  ", "♛ ", "♛ "},
};

/* Of a terminal's 256 colours: squares of sand and wood, black queens, red marked ones. */
static const char light_ground[] = "\033[48;5;187m", dark_ground[] = "\033[48;5;137m",
                  black[] = "\033[38;5;16m", red[] = "\033[1;38;5;160m", normal[] = "\033[0m";

void text_board_print(int n, const int *columns, const bool *marked, enum text_style style,
                      FILE *stream) {
    const struct signs *sign = &signs[style];
    for (int row = 1; row <= n; row++) {
        bool mark = marked != NULL && marked[row - 1];
        for (int column = 1; column <= n; column++) {
            bool dark = (row + column) % 2 == 1, queen = columns[row - 1] == column;
            const char *text =
                queen ? (mark ? sign->marked : sign->queen) : (dark ? sign->dark : sign->light);
            if (style == TEXT_COLOURED)
                fprintf(stream, "%s%s%s", dark ? dark_ground : light_ground, mark ? red : black,
                        text);
            else if (column < n)
                fputs(text, stream);
            else /* no blank at the end of the line */
                for (; *text != ' '; text++)
                    putc(*text, stream);
        }
        fprintf(stream, "%s\n", style == TEXT_COLOURED ? normal : "");
    }
}

void text_board_say_width(int n, enum text_style style) {
    const int width = style == TEXT_COLOURED ? 2 * n : 2 * n - 1,
              columns = terminal_columns(STDOUT_FILENO);
    if (columns > 0 && width > columns)
        message(
            "a board of %d columns is %d characters wide, and this terminal %d: it breaks the "
            "lines",
            n, width, columns);
}

/* More lines between queens would hide the board. */
enum { MAX_LINES = 32 };

#define LIGHT "#f0e6cf"
#define DARK  "#b08a65"
#define FRAME "#493422"
#define BLACK "#231f1c"
#define RED   "#c81e1e"

/* In a square of side 1: a crown with five points, each with a pearl, on a base; and what is
 * still seen where squares are too small for a crown. */
static const char shapes[] =
    "<g id=\"queen\"><path d=\"M.27 .72L.13 .33 .315 .545 .305 .225 .435 .515 .5 .19 .565 .515 "
    ".695 .225 .685 .545 .87 .33 .73 .72C.6 .685 .4 .685 .27 .72zM.265 .755C.4 .72 .6 .72 "
    ".735 .755L.765 .855C.6 .885 .4 .885 .235 .855z\"/>"
    "<circle cx=\".13\" cy=\".31\" r=\".048\"/><circle cx=\".305\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".5\" cy=\".17\" r=\".048\"/><circle cx=\".695\" cy=\".205\" r=\".048\"/>"
    "<circle cx=\".87\" cy=\".31\" r=\".048\"/></g>\n"
    "<circle id=\"dot\" cx=\".5\" cy=\".5\" r=\".4\"/>\n";

/* Where everything is, in pixels. */
struct layout {
    int side;    /* of a board */
    int frame;   /* width of its line */
    int margin;  /* around the picture, and between boards */
    int number;  /* height of the line with a board's number; 0: none */
    int columns; /* of the grid */
};

/* A grid of about as many columns as rows, or more columns, with the fewest empty cells. */
static int picture_grid_columns(int count) {
    int best = count, fewest = count;
    for (int columns = 1; columns * columns <= 3 * count; columns++) {
        int empty = (count + columns - 1) / columns * columns - count;
        if (columns * columns >= count && empty < fewest) {
            best = columns;
            fewest = empty;
        }
    }
    return best;
}

/* A board is 720 wide, and one of several 180, unless its squares would be huge, or too small
 * to see. Boards of different sizes are equally wide. */
static struct layout picture_layout(const struct board *boards, int count) {
    int n = 1, width = count == 1 ? 720 : 180, largest = count == 1 ? 90 : 45;
    for (int i = 0; i < count; i++)
        if (boards[i].placement.n > n)
            n = boards[i].placement.n;
    int size = width / n > largest ? largest : width / n < 4 ? 4 : width / n;
    return (struct layout){.side = n * size,
                           .frame = size / 16 > 4 ? 4
                                    : size < 32   ? 1
                                                  : size / 16,
                           .margin = count > 1      ? 24
                                     : size / 4 > 8 ? size / 4
                                                    : 8,
                           .number = count > 1 ? 20 : 0,
                           .columns = picture_grid_columns(count)};
}

/* Dark squares are where the odd columns and the odd rows of the board, both filled, do not
 * cross. */
static void picture_write_squares(int n, FILE *stream) {
    fprintf(stream, "<g id=\"board%d\"><path fill=\"" LIGHT "\" d=\"M0 0h%dv%dh-%dz\"/>", n, n,
            n, n);
    fputs("<path fill=\"" DARK "\" fill-rule=\"evenodd\" d=\"", stream);
    for (int i = 1; i < n; i += 2)
        fprintf(stream, "M%d 0h1v%dh-1zM0 %dh%dv1h-%dz", i, n, i, n, n);
    fputs("\"/></g>\n", stream);
}

/* A line between the queens of each pair. */
static void picture_write_attacks(const struct board *board, FILE *stream) {
    const int *columns = board->placement.columns;
    fputs("<path stroke=\"" RED "\" stroke-width=\".083\" stroke-linecap=\"round\" d=\"",
          stream);
    for (int row = 0; row < board->placement.n; row++)
        for (int below = row + 1; board->attacked[row] && below < board->placement.n; below++) {
            int distance = abs(columns[below] - columns[row]);
            if (distance == 0 || distance == below - row)
                fprintf(stream, "M%d.5 %d.5L%d.5 %d.5", columns[row] - 1, row,
                        columns[below] - 1, below);
        }
    fputs("\"/>\n", stream);
}

/* Writes a board at (x, y): its frame, and in units of its squares what stands on it. */
static void picture_write_board(const struct board *board, const struct layout *layout, int x,
                                int y, FILE *stream) {
    int n = board->placement.n, framed = layout->side + 2 * layout->frame;
    const char *shape = layout->side / n < 12 ? "dot" : "queen";
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"" FRAME "\"/>\n",
            x - layout->frame, y - layout->frame, framed, framed);
    fprintf(stream,
            "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">"
            "<use href=\"#board%d\"/>\n",
            x, y, layout->side, layout->side, n, n, n);
    if (board->pairs > 0 && board->pairs <= MAX_LINES)
        picture_write_attacks(board, stream);
    for (int row = 0; row < n; row++)
        fprintf(stream, "<use href=\"#%s\" x=\"%d\" y=\"%d\"%s/>\n", shape,
                board->placement.columns[row] - 1, row,
                board->attacked[row] ? " fill=\"" RED "\"" : "");
    fputs("</svg>\n", stream);
}

void picture_write(const struct board *boards, int count, FILE *stream) {
    const struct layout layout = picture_layout(boards, count);
    int across = layout.side + layout.margin, down = across + layout.number;
    int rows = (count + layout.columns - 1) / layout.columns;
    int width = layout.columns * across + layout.margin, height = rows * down + layout.margin;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" fill=\"" BLACK "\" font-family=\"sans-serif\" "
            "font-size=\"14\" text-anchor=\"middle\">\n<defs>\n%s",
            width, height, width, height, shapes);
    for (int i = 0, other; i < count; i++) {
        for (other = 0; boards[other].placement.n != boards[i].placement.n; other++)
            continue;
        if (other == i)
            picture_write_squares(boards[i].placement.n, stream);
    }
    fputs("</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", stream);
    for (int i = 0; i < count; i++) {
        int x = layout.margin + i % layout.columns * across,
            y = layout.margin + i / layout.columns * down;
        picture_write_board(&boards[i], &layout, x, y, stream);
        if (count > 1)
            fprintf(stream, "<text x=\"%d\" y=\"%d\">%d</text>\n", x + layout.side / 2,
                    y + layout.side + layout.number, i + 1);
    }
    fputs("</svg>\n", stream);
}
