/* What a count would take on this machine. */
#ifndef MEASURE_ESTIMATE_H
#define MEASURE_ESTIMATE_H

#include <nqueens.h>

/* Times are in seconds. */
struct estimate {
    int n;
    const char *method, *plan, *kernel; /* as in nq_result */
    int depth, threads;
    uint64_t units;
    double cores;          /* threads that can run at the same time, by PUs and CPU quota */
    double seconds;        /* wall-clock time of the whole count, if these cores are free */
    double thread_seconds; /* CPU time of all units, added up over the threads */
    double cpu_share;      /* CPU time that the threads had while they measured, over what they
                              would have on free cores; 1: nothing was measured */
    /* Half the width of the 95 % confidence interval, relative to thread_seconds: of 100
     * estimates, 95 are off by no more. 0: all units were measured. If the machine is slower
     * or faster later, that comes on top. */
    double error;
    double unit_seconds;                /* CPU time, mean over all units */
    double longest_unit_seconds;        /* of the units measured, at least the mean */
    double plan_seconds, table_seconds; /* parts of `seconds` before the first unit */
    uint64_t table_bytes, thread_bytes; /* as in struct settings */
    uint64_t units_measured;            /* that count for the estimate */
    uint64_t draws;             /* that the interval is made of; 0: all units were measured */
    double calibration_seconds; /* time that measuring took */
};

/* Estimates the time and the memory that nq_count_solutions() would take, from a sample of
 * units of the board that it measures. From n = 25 on, where units of method `search` take
 * hours, that method is refused, as it is where they take too long. The sample is a random one,
 * so that two estimates differ. It is unbiased for a number of draws fixed beforehand (a
 * Hansen-Hurwitz estimator). An estimate that ends by its time is a little too large, one that
 * ends by its error a little too small, by less than the interval. The interval holds from some
 * 32 draws on; with fewer, it is too narrow more often. Draws are of three units of method
 * `join` up to n = 25, else of one.
 *
 * n: 0..NQ_MAX_N. options: NULL for the defaults; ledger, shard and shards are refused. budget:
 * seconds to measure for, in addition to the time for tables. 0 or less: 10; from n = 25 on,
 * until the error is at most 0.1, but at most 300; from n = 27 on 0.15 and 600. Units under way
 * are measured to their end, and there are at least four draws, and as many as threads, which
 * takes minutes for n = 27 and 28 whatever the budget. Progress is reported as that of the
 * call, in phases "making tables" and "measuring": its share is that of the time to measure
 * for.
 *
 * Returns a status as nq_count_solutions() would, and sets nq_error_message(). */
nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate);

#endif
