/* From a ledger to the job that it is of. */
#ifndef API_SHOW_H
#define API_SHOW_H

#include "ledger/ledger.h"

/* Opens the job of a ledger that has one. kernel, memory: as in nq_options. NQ_LEDGER_OTHER:
 * this version makes other units; detail is not set then. */
nq_status ledger_open_job(const struct ledger *ledger, const char *kernel, uint64_t memory,
                          struct job **out, char *detail, size_t size);

#endif
