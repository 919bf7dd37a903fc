/* Counts with ledgers in the test's folder. */
#ifndef UNIT_COUNTS_H
#define UNIT_COUNTS_H

#include <nqueens.h>

/* A count that must succeed. */
nq_result count_ok(int n, const nq_options *options);

/* Counts n in `shards` shards, with the method, plan, depth and kernel of `way`, every other
 * shard without memory for tables. The whole count must be the sum of the shards, and must be
 * in the ledger that they share, and in their own ledgers merged. */
void count_shards(int n, const nq_options *way, int shards);

/* Continues a count of `units` units in its ledger. The run may be stopped, but must add units
 * to the ledger. *recorded: the number of units in the ledger; updated. */
nq_status continue_count(int n, const nq_options *options, uint64_t units, uint64_t *recorded,
                         nq_result *result);

/* The count must be refused, with `why` in the detail. The ledger, the folder's only file, must
 * stay as it was. */
void expect_refused(int n, const nq_options *options, nq_status expected, const char *why);

#endif
