/* What a ledger holds. */
#ifndef API_SHOW_H
#define API_SHOW_H

#include "ledger/ledger.h"
#include "method/partition.h"

struct host_list {
    nq_ledger_host *host; /* owned by the caller; those with the most units first */
    size_t count;
};

/* Reads a ledger and checks every row. Returns a status of nq_ledger_show(), and after a
 * failure says in detail[0..size-1] what was wrong. */
nq_status nqi_ledger_read(const char *file, nq_ledger_info *info, struct host_list *hosts,
                          char *detail, size_t size);

/* The same for an open ledger. kept: gets the partition of the ledger's job, which the caller
 * closes, or NULL if the status or info->current says that there is none; NULL: it is not kept.
 */
nq_status nqi_ledger_sum_up(struct ledger *ledger, nq_ledger_info *info,
                            struct host_list *hosts, struct partition **kept, char *detail,
                            size_t size);

/* Stores the job in info. */
void nqi_describe_ledger_job(const struct ledger_job *own, nq_ledger_info *info);

/* Compares the sum of solutions in info, if complete, with the known total, and stores the
 * verdict. Returns NQ_OK, or NQ_MISMATCH with a detail. */
nq_status nqi_verify_ledger(nq_ledger_info *info, char *detail, size_t size);

#endif
