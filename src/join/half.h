/* Halves of a board: the placements of queens on its upper rows, by their columns.
 *
 * n = 2h or 2h + 1. A half is a placement of h non-attacking queens on the upper h rows. Its
 * signature says which of the diagonals that leave the half at its lower edge hold a queen; the
 * lower half needs no more. Field one of a signature has the diagonals that go down to the
 * left, field two those that go down to the right, numbered so that flipping the board upside
 * down swaps the two fields (docs/algorithm.md). So the signature of a lower half is that of
 * its image in the upper half, with the fields swapped. An upper and a lower half fit when
 * their columns are disjoint and their signatures have no bit in common.
 */
#ifndef JOIN_HALF_H
#define JOIN_HALF_H

#include "core/heartbeat.h"
#include "core/subsets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct half_board {
    int n, rows;                            /* rows of a half: h */
    uint64_t queen[NQ_MAX_N / 2][NQ_MAX_N]; /* [row][col]: a queen's bits in a signature */
    struct subsets
        rows_on_left; /* for even n: sets of rows whose queens are on the left side */
};

/* Which halves to list: those on exactly these columns (as many as rows) whose signatures, as
 * listed, hold of these diagonals the `held` ones and no others, and whose key is at least
 * `least` and less than `end`. The key of a half is that of the set of rows whose queens are on
 * the left side of the board (core/subsets.h), for odd n with the middle column.
 */
struct half_choice {
    uint32_t columns;
    uint64_t diagonals, held;
    uint32_t least, end;
    bool upside_down; /* list the signatures upside down */
};

/* Bits that a signature may have. */
enum { HALF_BITS = 2 * NQ_MAX_N };

/* Fills in the board for n = 0..NQ_MAX_N. For n < 2 a half has no rows and one placement. */
void nqi_half_board_init(struct half_board *board, int n);

/* Returns the signature of the half upside down: its fields swapped. */
static inline uint64_t half_flip(const struct half_board *board, uint64_t signature) {
    uint64_t field = (UINT64_C(1) << board->n) - 1;
    return signature >> board->n | (signature & field) << board->n;
}

/* Returns, for odd n, the diagonals that a queen in that column of the middle row attacks. */
uint64_t nqi_half_through(const struct half_board *board, int col);

/* A list of signatures. It has memory for HALF_SLACK signatures beyond its room, so that whole
 * vectors may be read and written there. */
enum { HALF_SLACK = 64 };
struct half_list {
    uint64_t *signature; /* aligned to 64; owned */
    size_t count, room;
};

/* Borrowed signatures: to be read, with HALF_SLACK more behind them, never written. */
struct half_span {
    const uint64_t *signature;
    size_t count;
};

static inline struct half_span half_span_of(const struct half_list *list) {
    return (struct half_span){list->signature, list->count};
}

/* Returns up to `most` signatures of a span from `first`, 0..count, on. */
static inline struct half_span half_span_from(struct half_span span, size_t first,
                                              size_t most) {
    const size_t rest = span.count - first;
    return (struct half_span){span.signature + first, rest < most ? rest : most};
}

/* Steps of work on lists between two heartbeats. A signature that is copied or combined takes
 * 100 ns or less even on a slow machine: 30 ms. */
enum { STEPS_PER_BEAT = 1 << 18 };

/* Makes room for at least `count` signatures. Returns NQ_OK; NQ_NO_MEMORY, with the list as
 * before, except that a large empty one has lost its room, since it gives up its memory before
 * it takes more; or NQ_CANCELLED: the heartbeat said stop, and the list is empty. heartbeat:
 * hears of no work; NULL, never stop. */
nq_status nqi_half_list_reserve(struct half_list *list, size_t count,
                                const struct heartbeat *heartbeat);
void nqi_half_list_free(struct half_list *list);

/* The same if the list is so large that its memory is missed elsewhere. */
void nqi_half_list_free_large(struct half_list *list);

#endif
