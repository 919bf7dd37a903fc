/* What the files about quarters share: a thread that makes quarters, and what it makes. */
#ifndef JOIN_QUARTER_MAKER_H
#define JOIN_QUARTER_MAKER_H

#include "core/bits.h"
#include "join/quarter.h"

/* A thread that makes or joins quarters. */
struct maker {
    const struct half_board *board;
    const struct listing *functions;
    const struct heartbeat *heartbeat;
    size_t unheard; /* steps since the last heartbeat */
};

/* Returns whether to go on. */
static inline bool maker_goes_on(struct maker *maker, size_t steps) {
    maker->unheard += steps;
    if (maker->unheard < STEPS_PER_BEAT)
        return true;
    maker->unheard = 0;
    return heartbeat_go_on(maker->heartbeat, 0);
}

/* Returns the number of columns on a side. */
static inline int side_width(int n, enum side side) {
    return side == LEFT ? (n + 1) / 2 : n / 2;
}

/* Returns whether columns of the left side of a board of odd n have the middle one. */
static inline bool has_middle(const struct half_board *board, uint32_t columns) {
    return board->n % 2 == 1 && (columns >> board->n / 2 & 1) != 0;
}

/* Returns the number of a quarter's stretches. */
size_t nqi_quarter_stretches(const struct half_board *board, uint32_t columns);

/* Makes a quarter without queens: one placement. False: out of memory. */
bool nqi_quarter_init(const struct half_board *board, struct quarter *quarter);
void nqi_quarter_clear(struct quarter *quarter);
void nqi_quarter_swap(struct quarter *a, struct quarter *b);

/* Makes own->made, one column after the other. */
nq_status nqi_quarter_make(struct maker *maker, struct own_quarters *own, enum side side,
                           uint32_t columns);

/* Copies a quarter as it is, to an empty one; false: out of memory. Or upside down: `to` may be
 * the quarter itself. */
bool nqi_quarter_copy(const struct half_board *board, const struct quarter *from,
                      struct quarter *to);
nq_status nqi_quarter_turn(struct maker *maker, const struct quarter *from, struct quarter *to);

/* The quarters of the halves on some columns. */
struct sides {
    const struct quarter *left, *right;
};

/* Finds the quarters that halves need, or makes them. The board has enough rows for each side's
 * queens. If only halves that hold none of some diagonals are chosen, finds what remains of the
 * quarters without these: all halves made of it are chosen. */
nq_status nqi_quarters_find(struct maker *maker, const struct quarters *quarters,
                            struct own_quarters *own, const struct half_choice *choice,
                            struct sides *sides);

#endif
