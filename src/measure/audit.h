/* SPDX-License-Identifier: MIT */
/* Units of a ledger, counted again. */
#ifndef MEASURE_AUDIT_H
#define MEASURE_AUDIT_H

#include <nqueens.h>

/* A unit for which an audit came to a different result from the ledger's. Solutions are those
 * of the unit itself, without the weight that symmetry gives it. */
struct difference {
    uint64_t unit;
    uint64_t recorded_solutions, recorded_work;
    uint64_t solutions, work;
    char recorded_kernel[16];
    const char *kernel;
};

/* Units that differ are told one by one, so many of them. */
enum { MAX_DIFFERENCES = 16 };

struct audit_result {
    int n;
    uint64_t units_recorded; /* units in the ledger */
    uint64_t units_chosen;   /* units to count again, chosen at random */
    uint64_t units_audited;  /* those of units_chosen that were counted again */
    uint64_t same_kernel;    /* those of units_chosen given to the kernel that counted them
                                before: no other one runs here, or the options name it */
    uint64_t differences;    /* units that differ, and the first ones of them */
    struct difference difference[MAX_DIFFERENCES];
    double seconds;
};

/* Counts a random share of a ledger's units again, and compares solutions and work. Each unit
 * is given to the fastest kernel here other than the one that counted it.
 *
 * share: above 0, at most 1; at least one unit is counted. options: NULL for the defaults;
 * kernel counts all units with that kernel, and "plain" by a plain search, which shares nothing
 * with method colours and compares solutions alone; the ledger has method, plan and depth.
 *
 * Returns NQ_OK, or
 *   NQ_DISAGREE: a unit differs, whatever else went wrong;
 *   NQ_BAD_OPTION: also if share is out of range;
 *   NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED: as nqi_ledger_show();
 *   NQ_LEDGER_OTHER: this version makes other units than the ledger's;
 *   or another status of nq_count_solutions(). */
nq_status nqi_ledger_audit(const char *file, double share, const nq_options *options,
                           struct audit_result *audit);

#endif
