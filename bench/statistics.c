/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int statistics_compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Sorts the samples. */
static double statistics_median(double *samples, size_t count) {
    qsort(samples, count, sizeof *samples, statistics_compare);
    return (samples[(count - 1) / 2] + samples[count / 2]) / 2;
}

struct statistics statistics_of(const double *samples, size_t count) {
    /* Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993): a modified z-score
     * beyond 3.5, where 1.4826 scales the median distance to a standard deviation. */
    static const double normal = 1.4826, beyond = 3.5, far = 0.03;
    double *sorted = malloc(count * sizeof *sorted);
    struct statistics s = {0};
    for (size_t i = 0; i < count; i++)
        s.mean += samples[i] / (double)count;
    for (size_t i = 0; i < count && count > 1; i++)
        s.deviation += (samples[i] - s.mean) * (samples[i] - s.mean) / (double)(count - 1);
    s.deviation = sqrt(s.deviation);
    if (sorted == NULL) { /* out of memory: the mean stands in */
        s.median = s.minimum = s.maximum = s.mean;
        return s;
    }
    memcpy(sorted, samples, count * sizeof *sorted);
    s.median = statistics_median(sorted, count);
    s.minimum = sorted[0];
    s.maximum = sorted[count - 1];
    for (size_t i = 0; i < count; i++)
        sorted[i] = fabs(samples[i] - s.median);
    double distance = normal * statistics_median(sorted, count);
    s.relative_mad = s.median > 0 ? distance / s.median : 0;
    for (size_t i = 0; i < count; i++)
        s.outliers += sorted[i] > fmax(beyond * distance, far * s.median);
    free(sorted);
    return s;
}

double serial_share(const int *threads, const double *seconds, size_t count) {
    /* Least squares of seconds = a + b / threads, divided by seconds: 1 = a w + b x. So errors
     * are relative. */
    double ww = 0, wx = 0, xx = 0, wy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        double w = 1 / seconds[i], x = w / threads[i];
        ww += w * w;
        wx += w * x;
        xx += x * x;
        wy += w;
        xy += x;
    }
    double determinant = ww * xx - wx * wx;
    if (count < 2 || determinant <= 1e-12 * ww * xx)
        return -1;
    double a = (wy * xx - xy * wx) / determinant, b = (xy * ww - wy * wx) / determinant;
    return a < 0 ? -1 : b <= 0 ? 1 : a / (a + b);
}
