/* SPDX-License-Identifier: MIT */
/* First placements, and completers, which find all ways to complete these on the second class:
 * one completer for each instruction set.
 */
#ifndef COLOURS_COMPLETER_H
#define COLOURS_COMPLETER_H

#include "colours/board.h"
#include "core/isa.h"
#include "core/method.h"

#include <stdalign.h>
#include <stddef.h>

/* First placements: all placements of non-attacking queens on some rows of a first class,
 * listed by their columns. Each is given by the diagonals of the second class that its queens
 * attack, as struct colour numbers them. */
struct first_list {
    uint32_t *right,
        *left;       /* of placement 0, 1, ...; readable for FIRST_MARGIN beyond the last */
    uint32_t *begin; /* [set of columns]: its first placement; [2^columns]: their number */
    size_t bytes;    /* of memory, for all of it */
};

/* Bytes of a placement while a list is made: as it is found, and sorted. */
enum { FIRST_BYTES = 20 };

/* Placements are copied this many at a time, beyond the last one, too. */
enum { FIRST_MARGIN = 16 };

/* Lists the placements on exactly these rows. NULL: out of memory. Release with
 * nqi_first_list_free. */
struct first_list *nqi_first_list_new(const struct colour *colour, uint32_t rows);
void nqi_first_list_free(struct first_list *list); /* NULL allowed */

/* The rows of a second class to fill. */
struct second {
    int columns;     /* of the class */
    int last;        /* number of the class's last row */
    int row_count;   /* to fill */
    uint8_t row[32]; /* room for each bit of a set */
};

/* First placements, at most MAX_BATCH. The arrays may be read up to their ends. */
enum { MAX_BATCH = 256, BATCH_ROOM = MAX_BATCH + FIRST_MARGIN };
struct batch {
    alignas(64) uint32_t right[BATCH_ROOM]; /* as in struct first_list */
    alignas(64) uint32_t left[BATCH_ROOM];
    alignas(64) uint16_t table[BATCH_ROOM]; /* number of the table of each, see below */
    size_t count;
};

/* What is done with a completion: it is counted in a table, or its entry is added up. */
enum pass { TALLY, SUM };

/* Completers agree on every entry, sum and number of completions.
 *
 * All sets of a table have one size, so bit 0 of a set follows from the others: its entry is
 * table x 2^(columns - 1) + set / 2, below 2^16. */
struct completer {
    struct implementation impl; /* first: a list of completers is a list of implementations */
    size_t scratch_bytes;       /* memory for one call, aligned to 64 */
    /* Returns how many first placements to complete at once, at most MAX_BATCH. */
    size_t (*most)(int columns);
    /* For each completion adds 1 to the entry of the columns that it leaves. Returns the
     * completions. */
    uint64_t (*tally)(const struct second *second, const struct batch *batch, void *scratch,
                      uint32_t *table);
    /* Adds the entry of each completion's columns to *sum, which must not wrap. Returns the
     * completions. */
    uint64_t (*sum)(const struct second *second, const struct batch *batch, void *scratch,
                    const uint32_t *table, uint64_t *sum);
    /* Multiplies each of a table's entries: by 0 if its key is less than `key`, by 2 if it is
     * greater and `twice` is set, else by 1. */
    void (*weigh)(uint32_t *table, size_t entries, const uint32_t *keys, uint32_t key,
                  bool twice);
};

#define COMPLETER_DECLARE(name, in_search) extern const struct completer nqi_completer_##name;
KERNELS_HERE(COMPLETER_DECLARE)

/* The `impl` of each completer of this build: slowest first, NULL at the end. */
extern const struct implementation *const nqi_completer_list[];

#endif
