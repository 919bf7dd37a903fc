/* Boards as text. */
#ifndef CLI_SOLUTIONS_TEXT_BOARD_H
#define CLI_SOLUTIONS_TEXT_BOARD_H

#include <nqueens/nqueens.h>
#include <stdio.h>

enum text_style {
    TEXT_PLAIN,   /* letters and dots */
    TEXT_UNICODE, /* squares and a queen */
    TEXT_COLOURED /* a queen on coloured squares */
};

/* Prints a placement, one line per row. attack: two queens to mark; NULL: none. */
void text_board_print(int n, const int *columns, const nq_attack *attack, enum text_style style,
                      FILE *stream);

#endif
