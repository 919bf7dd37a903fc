/* What a ledger holds. */
#ifndef LEDGER_SHOW_H
#define LEDGER_SHOW_H

#include "ledger/ledger.h"

#include <stddef.h>

struct ledger_info {
    nq_job job;
    bool current; /* this version of the library makes the same units, and so can continue, add
                     up and audit them */
    uint64_t units_done;
    uint64_t solutions; /* what the finished units contribute to the count; 0 if not current */
    nq_verdict verdict; /* once all units are finished */
    uint64_t work;      /* UINT64_MAX: that or more */
    const char *work_name; /* as in nq_result; "work" if not current */
    double share;          /* finished share of the expected work, 0..1; if not current, of the
                              number of units */
    double seconds;        /* wall-clock time of all runs, added up */
    double thread_seconds; /* time that threads spent on the finished units */
    double remaining;      /* expected seconds to go at the pace so far; negative: not known */
    int runs;              /* processes that wrote to the ledger */
    int runs_open;         /* still running, or killed and not yet marked as killed: 0 or 1 */
    int runs_killed;       /* killed before they could mark themselves as ended */
    size_t hosts;          /* that solved units; may be more than the caller's array holds */
};

/* Reads a ledger and checks every row.
 *
 * info: what the ledger holds. hosts[0..capacity-1]: the hosts, those with the most units
 * first; may be NULL if capacity is 0.
 *
 * Returns NQ_OK, or sets nq_error_message() and returns
 *   NQ_LEDGER_IO: the file cannot be read, or holds nothing yet;
 *   NQ_LEDGER_BUSY: another process kept the file locked;
 *   NQ_LEDGER_DAMAGED: the file is damaged, or not a ledger that this version knows;
 *   NQ_MISMATCH: the ledger is complete and its total is wrong;
 *   NQ_OVERFLOW: the sum of solutions outgrew 64 bits;
 *   NQ_NO_MEMORY. */
nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct ledger_host *hosts,
                          size_t capacity);

#endif
