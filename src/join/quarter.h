/* Quarters: the placements of queens on the upper left or the upper right quarter of a board,
 * with a queen on each of some columns. A half is a left and a right quarter on complementary
 * rows whose signatures have no bit in common.
 *
 * A quarter is made when a unit needs it. On small boards it is then kept, and all threads
 * share it. On large ones, keeping it would be slower than making it again.
 */
#ifndef JOIN_QUARTER_H
#define JOIN_QUARTER_H

#include "join/half.h"

#include <stdatomic.h>

/* A list in stretches, borrowed: stretch i has the signatures start[i] to start[i + 1] - 1. */
struct stretches {
    const uint64_t *signature;
    const uint32_t *start;
};

/* Functions that each matcher has for its instruction set. They may read lists, and write
 * `out`, up to HALF_SLACK signatures beyond their ends. */
struct listing {
    /* Writes to `out`, for i = first to end - 1, the union of each signature of stretch i on
     * the left and each of stretch i ^ complement on the right that have no bit in common.
     * Returns the number of unions. */
    size_t (*combine)(struct stretches left, struct stretches right, size_t first, size_t end,
                      size_t complement, uint64_t *out);
    /* Copies the signatures of `count` stretches, from the first one of the list on, that hold
     * none of these diagonals. */
    void (*remaining)(struct stretches list, size_t count, uint64_t diagonals, uint64_t *out,
                      uint32_t *start);
    /* Copies `count` signatures, upside down (half_flip). `out` may be the list itself. */
    void (*turned)(const struct half_board *board, const uint64_t *list, size_t count,
                   uint64_t *out);
    /* Copies to `out`, in order, the signatures that hold of these diagonals the `held` ones
     * and no others. Returns their number. */
    size_t (*holding)(const uint64_t *list, size_t count, uint64_t diagonals, uint64_t held,
                      uint64_t *out);
};

/* For odd n, the left side has the middle column. */
enum side { LEFT, RIGHT, SIDES };

/* All placements of a queen on each of these columns. Those that take the same rows are a
 * *stretch*. Stretches follow each other in order of the rank of their rows (core/subsets.h),
 * so that halves are combined from memory that is read in order. With the middle column there
 * are as many for each row, from 0 on, that its queen may have. */
struct quarter {
    uint32_t columns; /* all of one side; 0: the one placement without queens */
    struct half_list list;
    uint32_t *start; /* [stretch], and behind the last one the list's end; owned */
};

/* The quarters that all threads share. */
struct quarters {
    const struct half_board *board;
    /* [side]: NULL, quarters are not kept; [columns, from the side's first one on]: NULL until
     * made */
    _Atomic(struct quarter *) *kept[SIDES];
};

/* A quarter without the placements that hold some diagonals. */
struct filtered {
    const struct quarter *of; /* NULL: none yet */
    uint64_t diagonals;
    struct quarter remaining; /* its placements that hold none of these; its columns then */
};

/* A thread's own quarters. */
struct own_quarters {
    struct quarter latest[SIDES][2]; /* [side][upside down] */
    struct quarter made, smaller;    /* for making them */
    struct filtered filtered[SIDES];
    struct half_list chosen;
};

/* Returns the most bytes that all quarters take; UINT64_MAX: from n = 22 on
 * reading so many takes longer than making them again (docs/tried.md). */
uint64_t nqi_quarters_bytes(int n);

/* Makes no quarter yet. keep: each will be kept. False: out of memory. */
bool nqi_quarters_init(const struct half_board *board, bool keep, struct quarters *quarters);

/* Makes all quarters if they are kept. Every thread of an OpenMP team calls it, and the threads
 * share the work. heartbeat: the thread's own; NULL, never stop. Returns as
 * nqi_half_list_reserve does, for this thread. */
nq_status nqi_quarters_make_all(const struct quarters *quarters,
                                const struct listing *functions,
                                const struct heartbeat *heartbeat);

void nqi_quarters_free(struct quarters *quarters);

/* Allocates what a thread needs. False: out of memory; nqi_own_quarters_free is to be called
 * all the same. */
bool nqi_own_quarters_init(const struct half_board *board, struct own_quarters *own);
void nqi_own_quarters_free(struct own_quarters *own);

/* Where halves with some keys begin in a list. */
struct key_starts {
    int count;
    const uint32_t *key; /* below the choice's end */
    size_t *start;       /* [i]: index of the first half with key[i] or a greater key, or the
                            list's end; not before start[i - 1] */
};

/* Appends chosen halves to a list, those with the least keys first, until it has `enough` or
 * all are listed. For odd n, their columns lack the middle one. starts: NULL, of no interest.
 * *next: the least key of those that are not listed; choice->end if all are. Each call while
 * halves remain lists those of some key. Returns as nqi_half_list_reserve does. */
nq_status nqi_quarters_list(const struct quarters *quarters, struct own_quarters *own,
                            const struct listing *functions, const struct half_choice *choice,
                            size_t enough, const struct heartbeat *heartbeat,
                            struct half_list *list, const struct key_starts *starts,
                            uint32_t *next);

/* For odd n and columns with the middle one: appends all chosen halves, with any key, in order
 * of the row of the middle column's queen. start[row]: index of the first half with that row or
 * a later one, for rows 0 to board->rows. Returns as nqi_half_list_reserve does. */
nq_status nqi_quarters_list_by_row(const struct quarters *quarters, struct own_quarters *own,
                                   const struct listing *functions,
                                   const struct half_choice *choice,
                                   const struct heartbeat *heartbeat, struct half_list *list,
                                   size_t *start);

#endif
