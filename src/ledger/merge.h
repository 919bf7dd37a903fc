/* Ledgers of one job, joined. */
#ifndef LEDGER_MERGE_H
#define LEDGER_MERGE_H

#include "ledger/show.h"

/* Joins ledgers of the same job (n, method, plan, version of the plan, depth) into a new one. A
 * unit may be in several ledgers if they agree on its result.
 *
 * files[0..count-1]: the ledgers, one or more. output: the new file, which must not exist or
 * be empty; it is written in one transaction, so if the process is killed it is complete or
 * empty.
 *
 * Returns what nqi_ledger_show() returns for the inputs, or
 *   NQ_LEDGER_IO: also if output exists, or if no input holds anything;
 *   NQ_LEDGER_OTHER: the ledgers do not belong to one job;
 *   NQ_DISAGREE: two ledgers differ on a unit; nq_error_message() names the unit and both
 *   results;
 *   NQ_INTERNAL. */
nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output);

#endif
