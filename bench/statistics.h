/* Statistics of a few samples. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>

struct statistics {
    double median, mean, minimum, maximum, deviation; /* deviation: standard, of the sample */
    double relative_mad; /* median absolute deviation (MAD), scaled to a standard deviation of
                            normal samples, over the median: how much a run differs, outliers
                            aside; JSON calls it "spread" */
    size_t outliers;     /* samples more than 3 % off, with a modified z-score beyond 3.5 */
};

/* Of samples[0..count-1] >= 0, count >= 1. */
struct statistics statistics_of(const double *samples, size_t count);

/* Fits Amdahl's law, time(p) = a + b / p, to times at several thread counts by least squares of
 * relative errors. Returns the serial share of the work, a / (a + b), 0..1; negative if there
 * are fewer than two different thread counts. */
double serial_share(const int *threads, const double *seconds, size_t count);

#endif
