/* SPDX-License-Identifier: MIT */
/* Prints columns and boards, and says which queens attack each other. */
#ifndef BOARDS_PRINT_H
#define BOARDS_PRINT_H

#include <nqueens.h>
#include <stdio.h>

/* Prints n columns to stdout, with the separator between them and no newline at the end. */
void nqi_columns_print(const int *columns, int n, const char *separator);

/* Writes a text such as "queens at row 1, column 2 and row 3, column 4 share a diagonal (3
 * pairs attack each other in all)". pairs: number of pairs that attack each other; if it is 1,
 * or 0 for unknown, the text does not mention it. */
void nqi_attack_text(const nq_attack *attack, uint64_t pairs, char *text, size_t size);

/* Prints a placement, one line per row. A queen is a 'Q' or, if it is marked, an 'X', and other
 * squares are dots. If `coloured` is set, there are chess queens on coloured squares instead.
 * Each square is two characters wide, which is about square on a terminal. marked[0..n-1]:
 * whether to mark the queen of each row; NULL marks none. */
void nqi_board_print(int n, const int *columns, const bool *marked, bool coloured,
                     FILE *stream);

#endif
