/* SPDX-License-Identifier: MIT */
/* Prints columns and boards, and says which queens attack each other. */
#ifndef BOARDS_PRINT_H
#define BOARDS_PRINT_H

#include <nqueens.h>
#include <stdio.h>

/* Prints n columns with the separator between them, without a newline. */
void nqi_columns_print(const int *columns, int n, const char *separator);

/* Writes "queens at row 1, column 2 and row 3, column 4 share a diagonal (3 pairs attack each
 * other in all)". pairs: their number, which is left out if it is 1, or 0 for unknown. */
void nqi_attack_text(const nq_attack *attack, uint64_t pairs, char *text, size_t size);

/* Prints a placement, one line per row: letters and dots, or chess pieces on coloured squares.
 * A square is two columns wide, which looks about square on a terminal. marked[0..n-1]: whether
 * to mark a row's queen; NULL: none. */
void nqi_board_print(int n, const int *columns, const bool *marked, bool coloured,
                     FILE *stream);

#endif
