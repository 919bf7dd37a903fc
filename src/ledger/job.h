/* The job that a ledger belongs to. */
#ifndef LEDGER_JOB_H
#define LEDGER_JOB_H

#include "ledger/ledger.h"
#include "method/method.h"

/* Returns the ledger's job; NULL if nothing is in the ledger yet. */
const struct ledger_job *nqi_ledger_job(const struct ledger *ledger);

/* Gives a new ledger this job, or compares the job with the ledger's own. Returns NQ_OK,
 * NQ_LEDGER_OTHER (the jobs differ), or a status of nqi_ledger_add. */
nq_status nqi_ledger_set_job(struct ledger *ledger, const struct job *job, char *detail,
                             size_t size);

/* Like nqi_ledger_set_job, with the job of another ledger, which must have one. */
nq_status nqi_ledger_copy_job(struct ledger *ledger, const struct ledger *other, char *detail,
                              size_t size);

/* Opens the job of a ledger that has one, to solve its units or to weigh them. kernel:
 * as in struct job_request. memory: likewise; NULL: no units are solved. Returns NQ_OK,
 * NQ_LEDGER_OTHER (this version makes other units), or a status of nqi_job_open. */
nq_status nqi_ledger_open_job(const struct ledger *ledger, const char *kernel,
                              const struct memory_limits *memory, struct job **job,
                              char *detail, size_t size);

#endif
