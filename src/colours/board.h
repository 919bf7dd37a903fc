/* SPDX-License-Identifier: MIT */
/* The geometry of method `colours`: how lines and diagonals are numbered, and which sets of
 * rows of the black queens the symmetries turn into each other. docs/algorithm.md has the
 * proofs.
 *
 * Diagonals never leave their colour, so queens on black squares and queens on white ones can
 * be counted separately once it is known which rows and columns each colour takes. Rows and
 * columns, together called lines, count from 0. A square is black if its row and column add up
 * to an even number. Each colour has an odd half, its squares in odd columns, and an even half:
 *
 *                  odd columns         even columns
 *     odd rows     black, odd half     white, even half
 *     even rows    white, odd half     black, even half
 *
 * A placement of a colour's queens on its odd half is a first placement. Together with queens
 * on the even half that fill all its rows it is a completion.
 *
 * A word holds a set of lines of one parity. Bit i is line 2i + 1 of the odd lines, or line 2i
 * of the even ones. For even n, however, the even lines are numbered from the other end, and
 * bit i is line n - 2 - 2i. Then a half turn of the board takes each even half to the odd half
 * of the same colour, bit by bit, and every symmetry of the board swaps or complements sets.
 *
 * The letters of docs/algorithm.md have these names in the code:
 *
 *     X = (E, A)        struct x: the odd and the even rows of the black queens
 *     k = |E|           popcount(x.odd)
 *     h                 odds
 *     D                 the black queens' odd columns, listed in struct d_list (join.h)
 *     B                 the black queens' even columns; for even n, an entry of the lookup
 *                       table belongs to a set of white's even columns, and B has the others
 *     key(X)            colours_key()
 *     key(Y), odd n     depends only on D: d_weight() (colours_solver.c)
 *     key(Y), even n    the lesser of the key of D and the key of B, which are their least
 *                       images. Each of these two keys is compared with key(X): the key of D
 *                       before the join (`factors` in join.h), the key of B when the entries
 *                       of the lookup table are weighed (b_keys)
 *
 * For even n, black has at most as many queens as white, because the least X of an orbit has
 * |E| <= h / 2. So black fills the lookup table, and an entry belongs to the columns that black
 * leaves to white. */
#ifndef COLOURS_BOARD_H
#define COLOURS_BOARD_H

#include "core/sets.h"

#include <nqueens.h>

#include <stdbool.h>
#include <stdint.h>

/* The largest number of lines of one parity. */
enum { COLOURS_LINES = (NQ_MAX_N + 1) / 2 };

_Static_assert(2 * (COLOURS_LINES - 1) < 32, "a word holds all diagonals");

/* The diagonals of a colour, on which its odd half and its even half meet. They are numbered by
 * the rows and columns of the even half: its row r and its column q cross on diagonal
 * q + last - r of those that lead down to the right, and on diagonal q + r of those that lead
 * down to the left. `last` is the number of the half's last row. A queen in row i and column c
 * of the odd half attacks the diagonals sign (c - i) + right and sign (c + i) + left. board.c
 * derives these three members. */
struct colour {
    int sign, right, left;
};

struct colours_board {
    int n, odds, evens; /* numbers of odd and even lines */
    struct colour black, white;
};

/* X, the rows of the black queens. All X of an orbit contribute the same number of solutions.
 */
struct x {
    uint32_t odd, even;
};

/* Fills in the board for n = 0..NQ_MAX_N. */
void nqi_colours_board_init(int n, struct colours_board *board);

/* Returns whether a set of `size` odd lines is as large as its complement, so that a symmetry
 * may exchange the two. Returns false for odd n, where no symmetry complements a set. */
static inline bool colours_halved(const struct colours_board *board, int size) {
    return board->n % 2 == 0 && 2 * size == board->odds;
}

/* Returns the largest number of odd rows of any X whose weight is above 0. */
static inline int colours_most_rows(const struct colours_board *board) {
    return board->n % 2 == 0 ? board->odds / 2 : board->odds;
}

/* Returns the lesser of a set of `size` odd lines and its image, if a symmetry gives it one.
 * For odd n the image is the mirror image; for even n it is the complement, if that is as
 * large. For even n, the set may have even lines instead, and must have at most half of the
 * lines of its parity, so that its complement never has fewer lines. */
static inline uint32_t colours_least_image(const struct colours_board *board, uint32_t set,
                                           int size) {
    uint32_t image = set;
    if (board->n % 2 == 1)
        image = mirrored_bits(set, board->odds);
    else if (colours_halved(board, size))
        image = low_bits(board->odds) & ~set;
    return image < set ? image : set;
}

/* Returns whether white has at least as many queens on its odd half as black has. Then white
 * has the longer list of first placements, which depends only on the even rows, so the X of a
 * unit share their even rows; otherwise they share their odd rows. Always true for even n and
 * an X whose weight is above 0. */
static inline bool colours_even_shared(const struct colours_board *board, struct x x) {
    return 2 * __builtin_popcount(x.odd) <= board->odds;
}

/* Returns the board's row or column with this number among the odd lines (parity 1) or the even
 * lines (parity 0). */
static inline int colours_line(const struct colours_board *board, int line, int parity) {
    return parity == 1 ? 2 * line + 1 : board->n % 2 == 0 ? board->n - 2 - 2 * line : 2 * line;
}

/* Returns the rows of the black queens, or of the white ones, which take all other rows. */
static inline struct x colours_rows(const struct colours_board *board, struct x x, bool white) {
    return white ? (struct x){low_bits(board->odds) & ~x.odd, low_bits(board->evens) & ~x.even}
                 : x;
}

/* Returns whether black has no more queens than white. */
static inline bool colours_black_is_minority(const struct colours_board *board, struct x x) {
    return __builtin_popcount(x.odd) + __builtin_popcount(x.even) <= board->n / 2;
}

/* Returns key(X), the least set of odd rows in the orbit of X. The weight of X must be above 0.
 * For even n the key is x.even: the orbit also has the X whose odd rows are x.even, and no set
 * in the orbit is less, because X is the least of it. */
static inline uint32_t colours_key(const struct colours_board *board, struct x x) {
    return board->n % 2 == 0 ? x.even
                             : colours_least_image(board, x.odd, __builtin_popcount(x.odd));
}

/* Returns whether the colour with more queens may have placements on its rows. It has none if
 * its rows are so near the middle that not even the outermost columns give each queen diagonals
 * of its own. */
bool nqi_colours_x_leaves_room(const struct colours_board *board, struct x x);

/* Returns the weight of X: the size of its orbit under reflections, 4, 2 or 1, if X is the
 * least of the orbit, otherwise 0. The rows that the X of a unit share are compared first. For
 * even n, x.odd must have at most half of the odd rows. */
int nqi_colours_x_weight(const struct colours_board *board, struct x x);

/* Writes the lines of `set`, which have this parity, in the order in which to fill them, and
 * returns their number. `filled` are lines of the other parity that have their queens already.
 *
 * The lines that are attacked most come first, because then few states lead to each completion.
 * The nearer two lines are, the more often their queens attack each other: of the n^2 pairs of
 * squares on two lines, n - distance share a diagonal of each direction. */
int nqi_order_lines(const struct colours_board *board, uint32_t set, int parity,
                    uint32_t filled, uint8_t line[COLOURS_LINES]);

#endif
