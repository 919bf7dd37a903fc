/* SPDX-License-Identifier: MIT */
/* What `list`, `draw` and others begin with: N, the argument of most commands, or a board that
 * tells it; files of text. */
#ifndef COMMANDS_INPUT_H
#define COMMANDS_INPUT_H

#include "boards/board.h"

/* Opens a file, or stdin if its name is "-", behind a byte order mark; or says why it cannot.
 * holds: "placements, one a line", for the user who may type them. Returns an exit code. */
int text_open(const char *name, const char *holds, struct reader *reader);

/* Says what was wrong with what was read from the file, or with reading it. Returns an exit
 * code. */
int text_done(const struct reader *reader, nq_status status, const struct failure *failure);

/* Reads the board of --board, if there is one, into given.count.board, and warns of one that
 * was hardly meant. *n: its side; -1: gets it. Comes after all checks of the call: the user may
 * type the board. Returns an exit code. */
int read_board(int *n);

/* Reads N, the first of `count` arguments, in lowest..highest, and the board, which tells N
 * where there is no argument; or says what is wrong with them. name: the command's. Returns an
 * exit code. */
int read_n(const char *name, int count, char **arguments, int lowest, int highest, int *n);

/* Opens the list of the solutions for n, with --fundamental of the first of each class, or of
 * the ways to complete the board. Returns an exit code. */
int solutions_open(int n, nq_list **list);

#endif
