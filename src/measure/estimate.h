/* SPDX-License-Identifier: MIT */
/* What a count would take on this machine. */
#ifndef MEASURE_ESTIMATE_H
#define MEASURE_ESTIMATE_H

#include <nqueens.h>

/* Times are in seconds. */
struct estimate {
    nq_job job;
    const char *kernel; /* as in nq_result */
    int threads;
    double cores;          /* threads that can run at the same time, by PUs and CPU quota */
    double seconds;        /* wall-clock time of the whole count, if these cores are free */
    double thread_seconds; /* CPU time of all units, added up over the threads */
    double cpu_share;      /* CPU time that the threads had while they measured, over what they
                              would have on free cores; 1: nothing was measured */
    /* Half the width of the 95 % confidence interval, relative to thread_seconds: of 100
     * estimates, 95 are off by no more. 0: all units were measured. If the machine is slower
     * or faster later, that comes on top. */
    double error;
    double unit_seconds;         /* CPU time, mean over all units */
    double longest_unit_seconds; /* of the units measured, at least the mean */
    double plan_seconds;         /* part of `seconds` before the first unit */
    uint64_t units_measured;     /* that count for the estimate */
    double calibration_seconds;  /* time that measuring took */
};

/* Estimates the time that nq_count_solutions() would take, from a random sample of the board's
 * units that it measures. From n = 25 on, where units of method `search` take hours, that
 * method is refused, as it is where they take too long.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults; without ledger and shard. budget:
 * seconds to measure for. 0 or less: 10; from n = 25 on, until the error is at most 0.05, but
 * at most 300, and from n = 27 on at most 600. At least eight units are measured, and those
 * under way to their end, which takes two minutes of two threads for n = 28 whatever the
 * budget. If there is time for all units, all are measured. Progress is reported as that of the
 * call, in phase "measuring": its share is that of the time to measure.
 *
 * Returns a status as nq_count_solutions() would, and sets nq_error_message(). */
nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate);

#endif
