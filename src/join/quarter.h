/* Quarter tables: all placements of queens on the upper left quarter of a board, by the columns
 * and rows that they take. Halves are listed from them: a half is a left and a right quarter on
 * complementary rows whose signatures have nothing in common.
 *
 * The right quarter's placements are the left quarter's mirrored. Both are kept, next to each
 * other for each set of columns, so that listing a half reads two stretches of memory.
 */
#ifndef JOIN_QUARTER_H
#define JOIN_QUARTER_H

#include "join/half.h"
#include "work/heartbeat.h"

#include <stdatomic.h>

struct quarters {
    const struct half_board *board;
    int rows, cols;  /* of a quarter; for odd n the left one has the middle column, too */
    uint32_t *first; /* [columns << rows | rows taken]: where its placements begin */
    uint64_t *left, *right; /* signatures */
    uint64_t count;
    atomic_bool stopped;
    bool counted; /* how many there are: not stopped until then */
    bool wrong;   /* as many placements as expected were not found: a mistake in the program */
};

/* How many placements a quarter of a board has; 0: more than anybody has room for. */
uint64_t nqi_quarters_count(int n);

/* Memory that the tables take, in bytes; UINT64_MAX: more than anybody has. */
uint64_t nqi_quarters_bytes(int n);

/* Allocates the tables of nqi_quarters_bytes(board->n). False: out of memory. */
bool nqi_quarters_allocate(const struct half_board *board, struct quarters *quarters);

/* Fills them; to be called by all threads of a team, each of which takes a part. heartbeat:
 * each thread's own; NULL to go on whatever happens. Sets `stopped` if a heartbeat says no: the
 * tables are of no use then. */
void nqi_quarters_fill(struct quarters *quarters, const struct heartbeat *heartbeat);

void nqi_quarters_free(struct quarters *quarters);

/* Appends to out what a and b make together where they and `excluded` have no bit in common;
 * all lists may be read and written up to HALF_SLACK beyond their ends. Returns how many. */
typedef size_t combine_function(const uint64_t *a, size_t a_count, const uint64_t *b,
                                size_t b_count, uint64_t excluded, uint64_t *out);

/* Lists the halves that nqi_half_list_search lists, in another order. False: out of memory. */
bool nqi_quarters_list(const struct quarters *quarters, combine_function *combine,
                       uint32_t columns, uint64_t excluded, struct half_list *list);

#endif
