/* Sorts the rows of many ledgers by unit: a temporary table of SQLite's in the output's
 * connection.
 *
 * A ledger whose rows come by rising id is written from front to back, and its pages are full.
 * With ids in any order, each row would touch another page. What does not fit into 16 MB goes
 * to SQLite's temporary files, which have no names, so that a kill leaves nothing.
 */
#ifndef LEDGER_SORTING_H
#define LEDGER_SORTING_H

#include "ledger/ledger.h"

struct sorting;

/* Begins to sort rows that are going to be added to that ledger. Returns NQ_OK or a status of
 * nqi_ledger_add. */
nq_status nqi_sorting_begin(struct ledger *output, struct sorting **sorting,
                            struct failure *failure);
void nqi_sorting_end(struct sorting *sorting); /* NULL does nothing */

/* Takes a unit's row, once the ledger has its job. source: any number, such as that of the
 * row's own ledger. Returns NQ_OK or a status of nqi_ledger_add. */
nq_status nqi_sorting_add(struct sorting *sorting, const struct row *unit, uint32_t source,
                          struct failure *failure);

/* Calls `visit` for every row by rising id, rows of the same id by rising source, and ends at
 * the first status other than NQ_OK, which it returns. Each row is checked once more. Also
 * returns NQ_LEDGER_DAMAGED (a temporary file did not keep what was written) or a status of
 * nqi_ledger_each. */
typedef nq_status (*sorted_visit)(void *context, const struct row *unit, uint32_t source);
nq_status nqi_sorting_each(struct sorting *sorting, sorted_visit visit, void *context,
                           struct failure *failure);

#endif
