/* The job that a ledger is of. */
#ifndef LEDGER_JOB_H
#define LEDGER_JOB_H

#include "ledger/ledger.h"
#include "method/method.h"

/* The job; NULL: nothing is in the ledger yet. */
const struct ledger_job *nqi_ledger_job(const struct ledger *ledger);

/* Makes a new ledger one of this job, or compares it with the ledger's own. NQ_LEDGER_OTHER:
 * they differ. */
nq_status nqi_ledger_set_job(struct ledger *ledger, const struct job *job, char *detail,
                             size_t size);
/* Like nqi_ledger_set_job, for the job of another ledger. */
nq_status nqi_ledger_copy_job(struct ledger *ledger, const struct ledger *other, char *detail,
                              size_t size);

/* Opens the job of a ledger that has one, to solve its units or to weigh them. kernel,
 * table_memory: as in struct job_request. NQ_LEDGER_OTHER: this version cuts the board into
 * other units. */
nq_status nqi_ledger_open_job(const struct ledger *ledger, const char *kernel,
                              uint64_t table_memory, struct job **job, char *detail,
                              size_t size);

#endif
