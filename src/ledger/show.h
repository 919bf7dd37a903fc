/* SPDX-License-Identifier: MIT */
/* Whole ledgers, for those who have them: what one holds, and several joined. */
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
