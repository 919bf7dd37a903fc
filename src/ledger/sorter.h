/* Sorts the rows of many ledgers by unit, in memory that does not grow with their number.
 *
 * Rows are collected, sorted and written to a temporary file, half a million at a time; at the
 * end these runs are merged (external merge sort). A ledger whose rows come by rising id is
 * written from front to back, and its pages are full. With ids in any order, each row would
 * touch another page. A checksum goes with each row to the file and back.
 */
#ifndef LEDGER_SORTER_H
#define LEDGER_SORTER_H

#include "ledger/table.h"

#include <nqueens/nqueens.h>

struct sorter;

/* Makes an empty sorter. beside: a file in whose folder the temporary file may be; borrowed.
 * Returns NULL if memory runs out. */
struct sorter *nqi_sorter_new(const char *beside);
void nqi_sorter_free(struct sorter *sorter); /* NULL does nothing */

/* Adds a unit's row. source: any number, such as that of its ledger. Returns NQ_OK,
 * NQ_NO_MEMORY, or NQ_LEDGER_IO (the temporary file; detail[0..size-1] says why). */
nq_status nqi_sorter_add(struct sorter *sorter, const struct row *unit, uint32_t source,
                         char *detail, size_t size);

/* Calls `visit` for every row by rising id, rows of the same id by rising source, and ends at
 * the first status other than NQ_OK, which it returns. Also returns NQ_NO_MEMORY, or
 * NQ_LEDGER_IO or NQ_LEDGER_DAMAGED (the temporary file) with a detail. Once it was called, no
 * rows can be added. */
typedef nq_status (*sorted_visit)(void *context, const struct row *unit, uint32_t source);
nq_status nqi_sorter_each(struct sorter *sorter, sorted_visit visit, void *context,
                          char *detail, size_t size);

#endif
