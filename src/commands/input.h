/* SPDX-License-Identifier: MIT */
/* Reads N, the argument of most commands, or a board, whose rows give N. */
#ifndef COMMANDS_INPUT_H
#define COMMANDS_INPUT_H

/* Reads the board of --board, if there is one, and warns of a board that was probably not
 * meant. The board's text goes to given.count.board unchanged. *n: the number of rows that the
 * board must have, or -1 for any number; afterwards the number of its rows. Call this function
 * after all other checks of the command line, because the user may have to type the board.
 * Returns an exit code. */
int read_board(int *n);

/* Reads N, which is the first argument, in lowest..highest, and then the board of --board;
 * without an argument, the board gives N. Writes to stderr what is wrong with them. name:
 * the command's. Returns an exit code. */
int read_n(const char *name, int count, char **arguments, int lowest, int highest, int *n);

#endif
