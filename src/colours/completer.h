/* SPDX-License-Identifier: MIT */
/* The interface between the solver and its kernels, the completers. A completer is given first
 * placements, the placements of a colour's queens on its odd half, and finds all ways to
 * complete them on the even half. Nearly all time is spent there, so each instruction set has a
 * completer of its own. */
#ifndef COLOURS_COMPLETER_H
#define COLOURS_COMPLETER_H

#include "colours/board.h"
#include "core/isa.h"
#include "core/method.h"

#include <stddef.h>

/* Ranks the sets of odd columns of each size. Even n: in the order of their numbers. Odd n:
 * sets less than their mirror images come first, then sets that are their own mirror images,
 * then the others, which never count; each of these groups is in the order of the numbers. The
 * D that count for an X therefore have (nearly) consecutive ranks.
 *
 * If a set has rank r, its complement has rank set_count - 1 - r among the sets of the
 * complement's size. So the lists of both colours are in the order of D, one of them backwards.
 */
struct column_ranks {
    uint16_t set_counts[COLOURS_LINES + 1]; /* [size]: number of such sets */
    uint16_t rank[1 << (NQ_MAX_N / 2)];     /* [set] */
};

void nqi_column_ranks_init(const struct colours_board *board, struct column_ranks *ranks);

/* All placements of queens that do not attack each other, one in each of some rows of an odd
 * half, in the order of the ranks of their columns. A placement is described by the diagonals
 * on which its queens attack the even half, numbered as struct colour says. */
struct first_list {
    uint32_t *right, *left; /* [placement]: its diagonals in each direction, as sets of bits */
    uint16_t *rank;         /* [placement]: rank of its columns */
    uint32_t *begin;        /* [rank]: its first placement; [set_count]: number of placements */
    size_t bytes;           /* of memory that the list takes */
};

/* Bytes that a placement takes while its list is made: 12 in the array of those that were
 * found, and 10 in the list. */
enum { FIRST_BYTES = 12 + 10 };

/* Completers load whole vectors, which may reach beyond the last placement of a list. So the
 * arrays of a list have room for this many more placements. */
enum { FIRST_MARGIN = 64 };

/* Lists the placements of one colour on exactly these rows of its odd half. Returns NULL if
 * memory runs out. Release the list with nqi_first_list_free(). */
struct first_list *nqi_first_list_new(const struct colours_board *board, bool white,
                                      uint32_t rows, const struct column_ranks *ranks);
void nqi_first_list_free(struct first_list *list); /* NULL allowed */

/* The rows of a colour's even half that get queens, in the order in which they are filled. */
struct even_half {
    int columns;   /* of the half */
    int last;      /* number of the half's last row */
    int row_count; /* rows to fill */
    uint8_t row[COLOURS_LINES];
};

/* Consecutive placements in a list of first placements. */
struct first_slice {
    const uint32_t *right, *left; /* as in struct first_list */
    const uint16_t *rank;
    uint16_t flip, base; /* for first_slice_table */
    size_t count;
};

/* Returns the number of the lookup table for a placement: the position of its D among the D
 * that are counted together. White's placements have the rank of the complement of D, which
 * becomes less as the rank of D grows. For them all bits of `flip` are set, so that ^ turns the
 * rank into ~rank, which is -1 - rank. */
static inline uint16_t first_slice_table(const struct first_slice *slice, size_t i) {
    return (uint16_t)((slice->rank[i] ^ slice->flip) + slice->base);
}

/* What is done with completions. TALLY counts the completions of the colour with fewer queens
 * in lookup tables. SUM adds up the entries that completions of the other colour look up. */
enum pass { TALLY, SUM };

/* A completer. All completers agree on every entry, every sum and every number of completions.
 *
 * A lookup table has an entry for each set of even columns. All sets that occur have one size,
 * so bit 0 of a set follows from the other bits and is left out: the set's entry in table t is
 * number t x 2^(columns - 1) + set / 2, which is below 2^15. */
struct completer {
    struct kernel impl;   /* first, so that a pointer to it can be cast to the whole */
    size_t scratch_bytes; /* memory that a call takes, aligned to 64 bytes */
    /* Adds 1, for each completion, to the entry of the even columns that it leaves. Returns the
     * number of completions. */
    uint64_t (*tally)(const struct even_half *half, const struct first_slice *slice,
                      void *scratch, uint32_t *table);
    /* Looks up, for each completion, the entry of the even columns that the completion takes,
     * and adds the entry to *sum. The sum saturates at UINT64_MAX. Returns the number of
     * completions. */
    uint64_t (*sum)(const struct even_half *half, const struct first_slice *slice,
                    void *scratch, const uint32_t *table, uint64_t *sum);
    /* Weighs the entries of one table by their keys, b_keys[entry]. An entry whose key is less
     * than `key` becomes 0; one whose key is greater is doubled if `doubles` is set; all others
     * stay as they are. */
    void (*weigh)(uint32_t *table, size_t entries, const uint32_t *b_keys, uint32_t key,
                  bool doubles);
};

/* Makes the solver that uses the completer `kernel`; the member `solver` of each completer. */
nq_status nqi_colours_solver_new(const struct partition *partition, const struct kernel *kernel,
                                 const char *devices, const struct observer *observer,
                                 struct solver **solver, struct failure *failure);

#define COMPLETER_DECLARE(name) extern const struct completer nqi_completer_##name;
KERNELS_HERE(COMPLETER_DECLARE)

/* The completers of this build as kernels, the slowest first, with NULL at the end. */
extern const struct kernel *const nqi_completer_list[];

#endif
