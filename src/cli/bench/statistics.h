/* What a handful of samples says. */
#ifndef CLI_BENCH_STATISTICS_H
#define CLI_BENCH_STATISTICS_H

#include <stddef.h>

struct statistics {
    double median, mean, minimum, maximum, deviation; /* deviation: standard, of the sample */
    double spread; /* median distance from the median, scaled to a standard deviation of normal
                      samples, over the median: what one run differs by, outliers aside */
    size_t outliers; /* samples whose modified z-score is beyond 3.5, and that are 3 % off */
};

/* Of samples[0..count-1] >= 0, count >= 1. */
struct statistics statistics_of(const double *samples, size_t count);

/* Amdahl's law, time(p) = a + b / p, fitted to times at several thread counts by least squares
 * of relative errors: the share of the work that does not become faster, a / (a + b), 0..1.
 * Negative: fewer than two different thread counts. */
double serial_share(const int *threads, const double *seconds, size_t count);

#endif
