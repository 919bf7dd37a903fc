/* SPDX-License-Identifier: MIT */
/* Solves units for other ends than a count: to estimate its time, to audit a ledger, or to burn
 * in a machine. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "core/method.h"

/* What a count would take on this machine. Times are in seconds. */
struct estimate {
    nq_job job;
    const char *kernel;    /* as in nq_result */
    int threads;           /* threads that the count would start */
    bool on_devices;       /* these threads serve devices, which solve the units */
    double cores;          /* how many threads can run at the same time, by PUs and CPU quota */
    double seconds;        /* wall-clock time of the whole count, if `cores` cores are free */
    double thread_seconds; /* CPU time of all units, added up over the threads */
    /* CPU time that the threads had while they measured, relative to what they would have on
     * free cores; 1 if nothing was measured. */
    double cpu_share;
    /* Half the width of the 95 % confidence interval of thread_seconds, relative to it. It
     * allows for a small sample and for changes of the machine's speed, so that 95 of 100
     * estimates are off by no more. At least 0.05, even if all units were measured.
     */
    double error;
    double unit_seconds;         /* CPU time of a unit, on average over all units */
    double longest_unit_seconds; /* CPU time of the longest unit measured; at least the mean */
    double plan_seconds;         /* the part of `seconds` that precedes the first unit */
    uint64_t units_measured;     /* units on which the estimate rests */
    uint64_t work;               /* work of these units */
    const char *work_name;       /* as in nq_result */
    double measuring_seconds;    /* time that measuring took */
};

/* Estimates the time that nq_count_solutions() would take, by measuring a random sample of the
 * board's units. A board on which a unit of the method takes too long is refused
 * (max_estimated_n of struct method).
 *
 * n: 0..NQ_MAX_N. options: those of the count, without ledger and shard. budget: seconds to
 * measure for. If it is 0 or less, ten seconds are measured up to n = 24. Beyond, measuring
 * goes on until the sample's own error is at most 0.05, but no longer than 300 seconds for n =
 * 25 and 26, and 600 for larger boards.
 *
 * Whatever the budget, at least eight draws are measured, and units that were begun are
 * measured to their end; for n = 28, that takes two threads two minutes. If there is time to
 * measure all units, all are measured.
 *
 * Progress has the phase "measuring". Its share is the part of the budget that is over or, if
 * the eight draws take longer than the budget, the part of these draws that is done.
 *
 * Returns a status of nq_count_solutions(). */
nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate, struct failure *failure);

/* A unit for which an audit came to a result that differs from the ledger's. Solutions are
 * those found in the unit, without the weight that symmetry gives it. */
struct difference {
    uint64_t unit;
    struct unit_result recorded, found;
    char recorded_kernel[80]; /* with the device, if there was one */
    const char *kernel;       /* the kernel that counted it again */
};

/* Most differences that a result describes. */
enum { MAX_DIFFERENCES = 16 };

struct audit_result {
    int n;
    uint64_t lines_damaged;  /* lines of the ledger that are not intact, and were left out */
    uint64_t units_recorded; /* units in the ledger */
    uint64_t units_chosen;   /* units chosen at random, to be counted again */
    uint64_t units_audited;  /* chosen units that were counted again */
    /* Chosen units that went to the kernel that had counted them before, because no other one
     * runs here or because the options name it. */
    uint64_t same_kernel;
    uint64_t work;                                 /* work of the units counted again */
    const char *work_name;                         /* as in nq_result */
    uint64_t differences;                          /* number of units that differ */
    struct difference difference[MAX_DIFFERENCES]; /* the first of them */
    double seconds;
};

/* Counts a random share of a ledger's units again, and compares solutions and work. Each unit
 * goes to the fastest kernel here that is not the one that counted it.
 *
 * share: above 0, at most 1; at least one unit is counted. options: threads, their places, and
 * devices. If they name a kernel, it counts all chosen units. The method is the ledger's.
 *
 * Returns NQ_OK, or
 *   NQ_DISAGREE: a unit differs, as the result says, whatever else went wrong;
 *   NQ_CANCELLED: the callback asked to stop before all chosen units were counted;
 *   NQ_LEDGER_IO: also if no unit is recorded;
 *   or another status of nqi_ledger_open, nqi_ledger_partition or nq_count_solutions(). */
nq_status nqi_ledger_audit(const char *file, double share, const nq_options *options,
                           struct audit_result *audit, struct failure *failure);

enum { MAX_PUS = 16 };

/* PUs by the operating system's numbers; at most the first MAX_PUS that were found. */
struct pus {
    int count, pu[MAX_PUS];
};

struct burn_in {
    double seconds; /* time since the burn-in began */
    bool counting;  /* counting has begun, so the devices and threads are ready */
    uint64_t counts_done;
    /* Counts whose total was not the known one, or in which a unit differed. */
    uint64_t counts_wrong;
    uint64_t units_compared; /* units that were compared with those of an earlier count */
    char first_failure[512]; /* says what was wrong first; "" if all was right */
    /* PUs that counted units wrong. If two results differ and nothing tells which one is right,
     * both PUs are here. A device has no PU. */
    struct pus suspects;
};

/* What to count, for how long, and whom to tell. */
struct burn_in_request {
    const bool *boards; /* boards[n]: whether to count n = 0..NQ_MAX_KNOWN_N; at least one */
    double seconds;     /* how long to count */
    /* Called several times a second by one thread of the count. If it returns false, the
     * burn-in stops. */
    bool (*report)(void *context, const struct burn_in *so_far);
    void *context;
};

/* Counts the boards one after the other, by each method whose burn-ins take boards of that size
 * (max_burn_in_n of struct method), with each kernel that runs here. Then begins again, until
 * the time is over.
 *
 * Every count is compared with the known total. A method's first count of a board also keeps
 * the result of each unit, which takes 32 bytes of memory a unit; units of later counts are
 * compared with it. A count that is stopped because the time is over is not added to
 * counts_done.
 *
 * options: if method or kernel is given, the others are left out; ledger and shard have no
 * effect. The progress is that of the burn-in: its share is the share of the time that has
 * passed, and its phase names the method and the kernel that count.
 *
 * Returns NQ_OK if no count was wrong, or
 *   NQ_MISMATCH: some counts were wrong; burn_in->first_failure describes the first;
 *   NQ_CANCELLED: the callback asked to stop, and no count was wrong;
 *   or another status of nq_count_solutions(). */
nq_status nqi_burn_in(const struct burn_in_request *request, const nq_options *options,
                      struct burn_in *burn_in, struct failure *failure);

#endif
