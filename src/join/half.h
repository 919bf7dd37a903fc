/* Half boards: what the upper half of a board can look like on a given set of columns.
 *
 * n = 2h or 2h + 1. A half is a placement of h non-attacking queens on the upper h rows; all
 * that the lower half needs to know of it is its signature: which of the diagonals that leave
 * the half at its lower edge hold a queen. Part one has those that run down to the left, part
 * two those that run down to the right, each numbered so that flipping the board upside down
 * swaps the two parts (docs/algorithm.md). So the lower half on some columns is the upper half
 * on the same columns with its parts swapped, and two halves fit when their columns are
 * disjoint and their signatures, one of them swapped, have no bit in common.
 */
#ifndef JOIN_HALF_H
#define JOIN_HALF_H

#include <nqueens/nqueens.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct half_board {
    int n, rows;                            /* h */
    uint64_t queen[NQ_MAX_N / 2][NQ_MAX_N]; /* [row][col]: what a queen there adds */
};

/* n = 0..NQ_MAX_N; below 2 a half has no rows, and one placement. */
void nqi_half_board_init(struct half_board *board, int n);

/* The signature with its parts swapped: the half upside down. */
static inline uint64_t half_flip(const struct half_board *board, uint64_t signature) {
    uint64_t part = (UINT64_C(1) << board->n) - 1;
    return signature >> board->n | (signature & part) << board->n;
}

/* The signature of the half mirrored left to right. */
uint64_t nqi_half_mirror(const struct half_board *board, uint64_t signature);

/* Odd n: the diagonals through that column of the middle row, which a queen there attacks. */
uint64_t nqi_half_through(const struct half_board *board, int col);

/* Signatures of halves. Room for HALF_SLACK more than are in it is always there, so that whole
 * vectors may be read and written beyond the end. */
enum { HALF_SLACK = 64 };
struct half_list {
    uint64_t *signature; /* aligned to 64; owned */
    size_t count, room;
};

/* Makes room for that many signatures. False: out of memory. */
bool nqi_half_list_reserve(struct half_list *list, size_t count);
void nqi_half_list_free(struct half_list *list);

/* Lists all halves on exactly those columns (as many as there are rows) that have none of the
 * excluded diagonals, row by row: needs no tables. False: out of memory. */
bool nqi_half_list_search(const struct half_board *board, uint32_t columns, uint64_t excluded,
                          struct half_list *list);

#endif
