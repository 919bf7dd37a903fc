/* Quarter tables: all placements of queens on the upper left quarter of a board, by the columns
 * and rows that they take. Halves are listed from these tables: a half is a left and a right
 * quarter on complementary rows whose signatures have no bit in common.
 *
 * The placements of the right quarter are those of the left quarter, mirrored. Both are kept,
 * sorted by columns first, so that listing a half reads one stretch of memory of each.
 */
#ifndef JOIN_QUARTER_H
#define JOIN_QUARTER_H

#include "join/half.h"

#include <stdatomic.h>

struct quarters {
    const struct half_board *board;
    int rows, cols;  /* of a quarter; for odd n the left one includes the middle column */
    uint32_t *first; /* [columns << rows | rows taken]: index of the first such placement */
    uint64_t *left, *right; /* signatures of placements on the left and on the right quarter */
    uint64_t count;         /* placements on one of them */
    atomic_bool stopped;    /* a heartbeat said stop */
    bool counted;           /* the first walk of nqi_quarters_fill was not stopped */
    bool wrong;             /* it did not find `count` placements: an error in the program */
};

/* Returns the number of placements on a quarter; 0: no tables, for n < 2 or n > 25. */
uint64_t nqi_quarters_count(int n);

/* Returns the size of the tables in bytes; UINT64_MAX: no tables. */
uint64_t nqi_quarters_bytes(int n);

/* Allocates the tables of nqi_quarters_bytes(board->n). False: out of memory. */
bool nqi_quarters_allocate(const struct half_board *board, struct quarters *quarters);

/* Fills the tables. Every thread of an OpenMP team calls it, and the threads share the work.
 * heartbeat: the thread's own; NULL, never stop. Sets `stopped` if a heartbeat says stop, and
 * `wrong` after an error; the tables are useless then. */
void nqi_quarters_fill(struct quarters *quarters, const struct heartbeat *heartbeat);

void nqi_quarters_free(struct quarters *quarters);

/* Functions that each matcher has for its instruction set. All lists may be read and written up
 * to HALF_SLACK signatures beyond their ends. */
struct listing {
    /* Writes to `out` the union of each signature of a and each of b that have no bit in
     * common; returns the number of unions. */
    size_t (*combine_disjoint)(const uint64_t *a, size_t a_count, const uint64_t *b,
                               size_t b_count, uint64_t *out);
    /* Copies to `out`, in order, the signatures that hold none of the excluded diagonals.
     * Returns their number. */
    size_t (*without)(const uint64_t *list, size_t count, uint64_t excluded, uint64_t *out);
};

/* Appends the halves that nqi_half_list_search appends, in another order. room: memory for the
 * function's own use. Returns as that does. */
nq_status nqi_quarters_list(const struct quarters *quarters, const struct listing *functions,
                            const struct half_choice *choice, const struct heartbeat *heartbeat,
                            struct half_list *list, struct half_list *room);

#endif
