/* Boards as text. */
#ifndef CLI_TEXT_BOARD_H
#define CLI_TEXT_BOARD_H

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

#endif
