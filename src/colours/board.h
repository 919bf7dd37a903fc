/* SPDX-License-Identifier: MIT */
/* The board by the colours of its squares, and its symmetries. The proofs are in
 * docs/algorithm.md, "Method `colours`".
 *
 * Rows and columns count from 0. Even and odd ones divide the squares into four classes:
 *
 *                  odd columns     even columns
 *     odd rows     black, first    white, second
 *     even rows    white, first    black, second
 *
 * A set of rows or columns of one class is a word: bit i is line 2i or 2i + 1. For even n the
 * even lines count from the other end, bit i is line n - 2 - 2i: a half turn of the second
 * classes lays them on the first ones, and all symmetries become swaps and complements.
 *
 * The letters of docs/algorithm.md, and their names here:
 *
 *     X = (E, A)        struct x: odd and even rows of the black queens
 *     k = |E|, h        popcount(x.odd), odds
 *     D                 a member of struct d_list (join.h)
 *     B                 a table's entry has white's even columns: B are the others
 *     key(X)            colours_key
 *     key(Y), odd n     d_weight (colours_solver.c): of D alone
 *     key(Y), even n    the lesser of two least images: of D (exceeds_key in join.h), known
 *                       before any work, and of B (b_keys), weighed in the table
 *
 * Black has no more queens than white for even n, since the least X has |E| <= h / 2. So black
 * fills the table, whose entries are the sets left to white.
 */
#ifndef COLOURS_BOARD_H
#define COLOURS_BOARD_H

#include "core/sets.h"

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* Lines of one parity, at most: rows or columns of a class. */
enum { COLOURS_LINES = (NQ_MAX_N + 1) / 2 };

_Static_assert(2 * (COLOURS_LINES - 1) < 32, "a word holds all diagonals");

/* The two classes of one colour. A queen on the first class, in row i and column c, attacks the
 * squares of the second class on two diagonals, one that leads right and one that leads left.
 * These diagonals are numbered: square (e, d) of the second class lies on d + last - e and on
 * d + e, where `last` is the number of the class's last row. The queen attacks the diagonals
 * sign (c - i) + right and sign (c + i) + left: board.c derives the three numbers. */
struct colour {
    int sign, right, left;
};

struct colours_board {
    int n, odds, evens; /* numbers of odd and even lines */
    struct colour black, white;
};

/* X, the rows of the black queens. All X of an orbit contribute equally many solutions. */
struct x {
    uint32_t odd, even;
};

/* Fills in the board of n = 0..NQ_MAX_N. */
void nqi_colours_board_init(int n, struct colours_board *board);

/* Returns whether a set of `size` odd lines is as large as its complement. False for odd n: no
 * symmetry takes complements there. */
static inline bool colours_halved(const struct colours_board *board, int size) {
    return board->n % 2 == 0 && 2 * size == board->odds;
}

/* Returns the largest number of odd rows that an X of weight above 0 has. */
static inline int colours_most_rows(const struct colours_board *board) {
    return board->n % 2 == 0 ? board->odds / 2 : board->odds;
}

/* Returns the lesser of a set of odd lines and its image: its mirror image for odd n; for even
 * n its complement, if that is as large. Takes even lines, too, if n is even. size: of the set;
 * for even n at most half of the lines, since every orbit has such a set. */
static inline uint32_t colours_least_image(const struct colours_board *board, uint32_t set,
                                           int size) {
    uint32_t image = set;
    if (board->n % 2 == 1)
        image = mirrored_bits(set, board->odds);
    else if (colours_halved(board, size))
        image = low_bits(board->odds) & ~set;
    return image < set ? image : set;
}

/* Returns whether white has the longer list of first placements, so that the X of a unit share
 * their even rows. Always true for even n. */
static inline bool colours_even_shared(const struct colours_board *board, struct x x) {
    return 2 * __builtin_popcount(x.odd) <= board->odds;
}

/* Returns the board's row or column that is this line, of parity 1 for odd lines. */
static inline int colours_line(const struct colours_board *board, int line, int parity) {
    return parity == 1 ? 2 * line + 1 : board->n % 2 == 0 ? board->n - 2 - 2 * line : 2 * line;
}

/* Returns the rows of one colour's queens. */
static inline struct x colours_rows(const struct colours_board *board, struct x x, bool white) {
    return white ? (struct x){low_bits(board->odds) & ~x.odd, low_bits(board->evens) & ~x.even}
                 : x;
}

/* Returns whether black has no more queens than white. */
static inline bool colours_black_is_minority(const struct colours_board *board, struct x x) {
    return __builtin_popcount(x.odd) + __builtin_popcount(x.even) <= board->n / 2;
}

/* Returns key(X) of an X of weight above 0. Even n: x.even, since (even, odd) is in the orbit
 * and even <= odd. */
static inline uint32_t colours_key(const struct colours_board *board, struct x x) {
    return board->n % 2 == 0 ? x.even
                             : colours_least_image(board, x.odd, __builtin_popcount(x.odd));
}

/* Returns whether the colour with more queens may have placements on its rows. If not, it has
 * too few diagonals there. */
bool nqi_colours_x_leaves_room(const struct colours_board *board, struct x x);

/* Returns the size of X's orbit under reflections, 4, 2 or 1, if X is its least (the shared
 * rows are compared first), else 0. For even n x.odd has at most half of the odd rows. */
int nqi_colours_x_weight(const struct colours_board *board, struct x x);

/* Writes the lines of a set of this parity in the order in which to fill them, after `filled`,
 * lines of the other parity. Returns their number.
 *
 * Lines that are attacked most come first: then few states lead to each completion. The nearer
 * two lines of a colour, the more often do their queens attack each other: n - distance of n^2
 * pairs of squares, in either direction. */
int nqi_order_lines(const struct colours_board *board, uint32_t set, int parity,
                    uint32_t filled, uint8_t line[COLOURS_LINES]);

#endif
