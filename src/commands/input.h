/* SPDX-License-Identifier: MIT */
/* N, the argument of most commands, or a board that tells it. */
#ifndef COMMANDS_INPUT_H
#define COMMANDS_INPUT_H

/* Reads the board of --board, if there is one, and warns of one that was hardly meant. Its text
 * goes to given.count.board as it stands. *n: the number of its rows; or -1, which the board's
 * number then replaces. It is called after all checks of the call, because the user may type
 * the board. Returns an exit code. */
int read_board(int *n);

/* Reads N, the first of `count` arguments, in lowest..highest, and the board, which tells N
 * where there is no argument; or says what is wrong with them. name: the command's. Returns an
 * exit code. */
int read_n(const char *name, int count, char **arguments, int lowest, int highest, int *n);

#endif
