/* What a ledger holds. */
#ifndef API_SHOW_H
#define API_SHOW_H

#include <nqueens/nqueens.h>

#include <stddef.h>

struct host_list {
    nq_ledger_host *host; /* owned by the caller; those with the most units first */
    size_t count, capacity;
};

/* Reads a ledger and checks every row. Returns a status of nq_ledger_show(), and after a
 * failure says in detail[0..size-1] what was wrong. */
nq_status nqi_ledger_read(const char *file, nq_ledger_info *info, struct host_list *hosts,
                          char *detail, size_t size);

#endif
