/* SPDX-License-Identifier: MIT */
/* First placements, and completers, which find all ways to complete these on the second class:
 * one completer for each instruction set. */
#ifndef COLOURS_COMPLETER_H
#define COLOURS_COMPLETER_H

#include "colours/board.h"
#include "core/isa.h"
#include "core/method.h"

#include <stddef.h>

/* Ranks of sets of odd columns among those of one size, by number. Odd n: sets below their
 * mirror images come first, then sets that are their own image, then the others, which never
 * count. So the D that count beside an X have ranks in a row, or nearly so, and the complement
 * of the set of rank r has rank set_count - 1 - r: both colours' lists are in the order of D,
 * one of them backwards. */
struct column_ranks {
    uint16_t set_counts[COLOURS_LINES + 1]; /* [size] */
    uint16_t rank[1 << (NQ_MAX_N / 2)];     /* [set] */
};

void nqi_column_ranks_init(const struct colours_board *board, struct column_ranks *ranks);

/* First placements: all placements of non-attacking queens on some rows of a first class,
 * listed by the ranks of their columns. Each is given by the diagonals of the second class that
 * its queens attack, as struct colour numbers them. */
struct first_list {
    uint32_t *right, *left; /* of placement 0, 1, ... */
    uint16_t *rank;         /* of its columns; all three readable for FIRST_MARGIN more */
    uint32_t *begin;        /* [rank]: its first placement; [set_count]: number of placements */
    size_t bytes;           /* of memory, for all of it */
};

/* Bytes of a placement while a list is made: as it is found, and sorted. */
enum { FIRST_BYTES = 12 + 10 };

/* A vector reads so many placements at once, beyond the last one, too. */
enum { FIRST_MARGIN = 64 };

/* Lists the placements of one colour on exactly these rows. NULL: out of memory. Release with
 * nqi_first_list_free. */
struct first_list *nqi_first_list_new(const struct colours_board *board, bool white,
                                      uint32_t rows, const struct column_ranks *ranks);
void nqi_first_list_free(struct first_list *list); /* NULL allowed */

/* The rows of a second class to fill, in this order. */
struct second_class {
    int columns;   /* of the class */
    int last;      /* number of the class's last row */
    int row_count; /* to fill */
    uint8_t row[COLOURS_LINES];
};

/* Neighbours in a list of first placements. */
struct first_slice {
    const uint32_t *right, *left; /* as in struct first_list */
    const uint16_t *rank;
    uint16_t flip, base; /* for first_slice_table */
    size_t count;
};

/* Returns the number of a placement's table: the place of its D among those counted together.
 * White's ranks, of complements of D, count backwards. */
static inline uint16_t first_slice_table(const struct first_slice *slice, size_t i) {
    return (uint16_t)((slice->rank[i] ^ slice->flip) + slice->base);
}

/* What is done with a completion: it is counted in a table, or its entry is added up. */
enum pass { TALLY, SUM };

/* Completers agree on every entry, sum and number of completions.
 *
 * All sets of a table have one size, so bit 0 of a set follows from the others: its entry is
 * table x 2^(columns - 1) + set / 2, below 2^15. */
struct completer {
    struct kernel impl;   /* first: a list of completers is a list of kernels */
    size_t scratch_bytes; /* memory for one call, aligned to 64 */
    /* For each completion adds 1 to the entry of the columns that it leaves. Returns the
     * completions. */
    uint64_t (*tally)(const struct second_class *second, const struct first_slice *slice,
                      void *scratch, uint32_t *table);
    /* Adds the entry of each completion's columns to *sum, which saturates at UINT64_MAX.
     * Returns the completions. */
    uint64_t (*sum)(const struct second_class *second, const struct first_slice *slice,
                    void *scratch, const uint32_t *table, uint64_t *sum);
    /* Multiplies each of a table's entries: by 0 if its key is less than `key`, by 2 if it is
     * greater and `doubles` is set, else by 1. */
    void (*weigh)(uint32_t *table, size_t entries, const uint32_t *b_keys, uint32_t key,
                  bool doubles);
};

/* For the struct kernel of each completer. */
nq_status nqi_colours_solver_new(const struct partition *partition, const struct kernel *kernel,
                                 const char *devices, const struct observer *observer,
                                 struct solver **solver, struct failure *failure);

#define COMPLETER_DECLARE(name) extern const struct completer nqi_completer_##name;
KERNELS_HERE(COMPLETER_DECLARE)

/* The `impl` of each completer of this build: slowest first, NULL at the end. */
extern const struct kernel *const nqi_completer_list[];

#endif
