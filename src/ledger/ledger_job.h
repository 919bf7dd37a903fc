/* SPDX-License-Identifier: MIT */
/* The job that a ledger belongs to. */
#ifndef LEDGER_LEDGER_JOB_H
#define LEDGER_LEDGER_JOB_H

#include "core/method.h"
#include "ledger/ledger.h"

/* Returns the ledger's job; NULL if nothing is in the ledger yet. */
const nq_job *nqi_ledger_job(const struct ledger *ledger);

/* Gives a new ledger this job, or compares it with the ledger's own. Returns NQ_OK,
 * NQ_LEDGER_OTHER (the jobs differ), or a status of nqi_ledger_add. */
nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job,
                               struct failure *failure);

/* Opens the partition of a ledger that has a job. Returns NQ_OK, NQ_LEDGER_OTHER (this version
 * makes other units), or NQ_NO_MEMORY; *partition is NULL then. */
nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition);

/* Says that this version cannot solve the units of the ledger's job. Returns NQ_LEDGER_OTHER.
 */
nq_status nqi_ledger_fail_unknown(const struct ledger *ledger, struct failure *failure);

#endif
