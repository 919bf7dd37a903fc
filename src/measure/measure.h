/* SPDX-License-Identifier: MIT */
/* What runs units without being a count: estimates, audits and burn-ins. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "core/method.h"

/* What a count would take on this machine. Times are in seconds. */
struct estimate {
    nq_job job;
    const char *kernel; /* as in nq_result */
    int threads;
    bool on_devices;       /* which these threads feed */
    double cores;          /* threads that can run at the same time, by PUs and CPU quota */
    double seconds;        /* wall-clock time of the whole count, if these cores are free */
    double thread_seconds; /* CPU time of all units, added up over the threads */
    double cpu_share;      /* CPU time that the threads had while they measured, over what they
                              would have on free cores; 1: nothing was measured */
    /* Half the width of the 95 % confidence interval, relative to thread_seconds, of the sample
     * and the machine's speed: of 100 estimates, 95 are off by no more. Never below 0.05, even
     * if all units were measured. */
    double error;
    double unit_seconds;         /* CPU time, mean over all units */
    double longest_unit_seconds; /* of the units measured, at least the mean */
    double plan_seconds;         /* part of `seconds` before the first unit */
    uint64_t units_measured;     /* that count for the estimate */
    uint64_t work;               /* of these units */
    const char *work_name;       /* as in nq_result */
    double measuring_seconds;    /* time that measuring took */
};

/* Estimates the time that nq_count_solutions() would take, from a random sample of the board's
 * units that it measures. A method whose units take long on this board (struct method) is
 * refused.
 *
 * n: 0..NQ_MAX_N. options: without ledger and shard. budget: seconds to measure for. 0 or less:
 * 10; from n = 25 on, until the sample's own error is at most 0.05, but at most 300, and from
 * n = 27 on at most 600. At least eight units are measured, and those under way to their end,
 * which takes two minutes of two threads for n = 28, whatever the budget. If there is time for
 * all units, all are measured. Progress is reported as that of the call, in phase "measuring":
 * its share is that of the time to measure or, where units take longer than that, of the least
 * number of units.
 *
 * Returns a status as nq_count_solutions() would. */
nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate, struct failure *failure);

/* A unit for which an audit came to a different result from the ledger's. Solutions are those
 * of the unit itself, without the weight that symmetry gives it. */
struct difference {
    uint64_t unit;
    struct unit_result recorded, found;
    char recorded_kernel[80]; /* with the device, if there was one */
    const char *kernel;
};

/* The number of different units that a result holds, at most. */
enum { MAX_DIFFERENCES = 16 };

struct audit_result {
    int n;
    uint64_t lines_damaged;  /* lines of the ledger that are not intact, and left out */
    uint64_t units_recorded; /* units in the ledger */
    uint64_t units_chosen;   /* units to count again, chosen at random */
    uint64_t units_audited;  /* those of units_chosen that were counted again */
    uint64_t same_kernel;    /* those of units_chosen given to the kernel that counted them
                                before: no other one runs here, or the options name it */
    uint64_t work;           /* of the units counted again */
    const char *work_name;   /* as in nq_result */
    uint64_t differences;    /* units that differ, and the first ones of them */
    struct difference difference[MAX_DIFFERENCES];
    double seconds;
};

/* Counts a random share of a ledger's units again, and compares solutions and work. Each unit
 * is given to the fastest kernel here other than the one that counted it.
 *
 * share: above 0, at most 1; at least one unit is counted. options: kernel counts all units
 * with that kernel. The ledger has the method.
 *
 * Returns NQ_OK, or
 *   NQ_DISAGREE: a unit differs, as the result says, whatever else went wrong;
 *   NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED: as nqi_ledger_show();
 *   or another status of nq_count_solutions(). */
nq_status nqi_ledger_audit(const char *file, double share, const nq_options *options,
                           struct audit_result *audit, struct failure *failure);

enum { MAX_PUS = 16 };

/* PUs by the operating system's numbers: the first MAX_PUS that were found. */
struct pus {
    int count, pu[MAX_PUS];
};

struct burn_in {
    double seconds; /* since the burn-in began */
    bool counts;    /* it has begun to: devices and threads are there */
    uint64_t counts_done;
    uint64_t
        counts_wrong; /* those of them with another total than the known one, or another unit */
    uint64_t units_compared; /* with those of an earlier count */
    char first_failure[512]; /* says what was wrong; "": nothing */
    struct pus suspects;     /* that counted units wrong. Where two results differ and nothing
                                tells which is right, both their PUs; none of devices. */
};

/* What to count, for how long, and the callback. */
struct burn_in_request {
    const bool *boards; /* [n], n = 0..NQ_MAX_KNOWN_N: n is to be counted; at least one is */
    double seconds;
    /* Called several times a second by one thread of the count; false: stop. */
    bool (*report)(void *context, const struct burn_in *so_far);
    void *context;
};

/* Counts the boards one after the other, by each method whose burn-ins take boards of that size
 * (struct method) with each kernel that runs here, and begins again, until the time is over. A
 * method's first count of a board is compared with the known total, and keeps the result of
 * every unit, 32 bytes each; the later counts are compared with these, too, until one differs.
 * A count that the end of the time stops is not among the finished ones.
 *
 * options: method and kernel leave the others out; ledger and shard have no effect. The
 * progress is that of the burn-in: its share is that of the time, and its phase names what is
 * counted.
 *
 * Returns NQ_OK: no count was wrong; NQ_CANCELLED: report said stop, and none was wrong;
 * NQ_MISMATCH: some were wrong, and burn_in->first_failure names the first; or another status
 * of nq_count_solutions(). */
nq_status nqi_burn_in(const struct burn_in_request *request, const nq_options *options,
                      struct burn_in *burn_in, struct failure *failure);

#endif
