/* Counts with ledgers in the test's folder: those that must go well, and those that must not.
 */
#ifndef UNIT_COUNTS_H
#define UNIT_COUNTS_H

#include <nqueens/nqueens.h>

nq_result count_ok(int n, const nq_options *options);

/* Counts in so many shards, with the method, plan, depth and kernel of `way`, threads and
 * memory by turns: their sum and, in ledgers, their join is the whole. */
void count_shards(int n, const nq_options *way, int shards);

/* Continues a count of `units` units in its ledger. The run may be stopped, but must add units
 * to the ledger. *recorded: the number of units in the ledger; updated. */
nq_status continue_count(int n, const nq_options *options, uint64_t units, uint64_t *recorded,
                         nq_result *result);

/* The count is refused, for a reason in which these words occur, and the ledger, the folder's
 * only file, stays as it was. */
void expect_refused(int n, const nq_options *options, nq_status expected, const char *why);

#endif
