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

/* Functions that each matcher has for its instruction set. They may read b and `list`, and
 * write `out`, up to HALF_SLACK signatures beyond their ends. */
struct listing {
    /* Writes to `out` the union of each signature of a and each of b that have no bit in
     * common; returns the number of unions. */
    size_t (*combine_disjoint)(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out);
    /* Copies to `out`, in order, the signatures that hold of these diagonals the `held` ones
     * and no others. Returns their number. */
    size_t (*holding)(const uint64_t *list, size_t count, uint64_t diagonals, uint64_t held,
                      uint64_t *out);
    /* Marks the signatures that hold none of these diagonals: signature i by bit i % 64 of
     * lacks[i / 64]. Writes no word behind that of the last signature, whose further bits may
     * be anything. */
    void (*lacking)(const uint64_t *list, size_t count, uint64_t diagonals, uint64_t *lacks);
};

/* For odd n, the left side has the middle column. */
enum side { LEFT, RIGHT, SIDES };

/* Those placements of a quarter that take the same rows. */
struct stretch {
    uint32_t first, count;
};

/* All placements of a queen on each of these columns. */
struct quarter {
    uint32_t columns; /* all of one side; 0: the one placement without queens */
    struct half_list list;
    struct stretch *taking; /* [rows taken]: of as many rows as there are columns */
};

/* Quarters of up to so many placements are filtered as a whole, since most of their stretches
 * are short. In larger ones the stretches are filtered one by one. */
enum { MOST_FILTERED = 1 << 16 };
enum { FILTERED_WORDS = MOST_FILTERED / 64 + 1 }; /* that hold bits 0 to MOST_FILTERED */

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
    uint32_t columns;         /* the quarter's at that time */
    uint64_t diagonals;
    struct quarter remaining;        /* its placements that hold none of these */
    uint64_t lacks[FILTERED_WORDS];  /* placement i of the quarter is one of them if bit i % 64
                                        of  word i / 64 is set */
    uint32_t before[FILTERED_WORDS]; /* so many bits are set in the words before this */
};

/* A thread's own quarters. */
struct own_quarters {
    struct quarter latest[SIDES][2]; /* [side][upside down] */
    struct quarter made, smaller;    /* for making them */
    struct filtered filtered[SIDES];
    struct half_list chosen;
    uint32_t *listed; /* [rows taken]: signatures of a stretch that have been combined */
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

/* Appends chosen halves to a list, those with the least keys first, until it has `enough` or
 * all are listed. *next: the least key of those that are not listed; choice->end if all are.
 * Each call while halves remain lists those of some key. Returns as nqi_half_list_reserve does.
 */
nq_status nqi_quarters_list(const struct quarters *quarters, struct own_quarters *own,
                            const struct listing *functions, const struct half_choice *choice,
                            size_t enough, const struct heartbeat *heartbeat,
                            struct half_list *list, uint32_t *next);

/* For odd n: appends all chosen halves that have a queen in the middle column, in order of its
 * row. start[row]: index of the first half with that row or a later one, for rows 0 to
 * board->rows. Returns as nqi_half_list_reserve does. */
nq_status nqi_quarters_list_by_row(const struct quarters *quarters, struct own_quarters *own,
                                   const struct listing *functions,
                                   const struct half_choice *choice,
                                   const struct heartbeat *heartbeat, struct half_list *list,
                                   size_t *start);

#endif
