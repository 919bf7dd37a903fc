/* SPDX-License-Identifier: MIT */
/* Computes statistics of the timings, and warns if they should not be trusted: if the machine
 * was busy, if counts are too short, or if timings differ too much. */
#include "bench/bench.h"
#include "cli/options.h"
#include "cli/say.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int statistics_compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Returns the median; sorts the samples. */
static double statistics_median(double *samples, size_t count) {
    qsort(samples, count, sizeof *samples, statistics_compare);
    return (samples[(count - 1) / 2] + samples[count / 2]) / 2;
}

struct statistics statistics_of(const double *samples, size_t count) {
    /* Outliers are as in Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993):
     * their modified z-score is above 3.5. The factor 1.4826 turns the median distance from the
     * median into the standard deviation of a normal distribution. Samples of a quiet machine
     * are so close together that a harmless sample would have such a score, so an outlier must
     * also be 3 % off the median. */
    static const double normal = 1.4826, beyond = 3.5, far = 0.03;
    double sorted[MAX_REPEAT];
    struct statistics s = {0};
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
    return s;
}

/* Prints a warning on stderr unless --quiet is given, and adds it to the report's list. */
__attribute__((format(printf, 2, 3))) static void warnings_add(struct report *warnings,
                                                               const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!given.quiet)
        message("warning: %s", text);
    report_text(warnings, NULL, text);
}

void bench_add_statistics(struct bench *bench, struct report *warnings) {
    static const double short_time = 0.01, wide = 0.05; /* seconds; share of the median */
    if (bench->load > 0.25 * bench->machine.pus)
        warnings_add(warnings, "load average %.1f on %d PU%s: " OTHERS_RUN, bench->load,
                     bench->machine.pus, bench->machine.pus == 1 ? "" : "s");
    for (size_t i = 0; i < bench->count; i++) {
        struct trial *trial = &bench->trial[i];
        const struct statistics s = statistics_of(trial->seconds, bench->timings);
        trial->statistics = s;
        if (s.median < short_time)
            warnings_add(warnings,
                         "n = %d, %s: counts of %.1f ms are mostly start-up: take a larger N",
                         bench->n, trial->label, 1e3 * s.median);
        else if (s.relative_mad > wide)
            warnings_add(warnings,
                         "n = %d, %s: timings differ by %.0f %% (MAD): take a larger N, more "
                         "timings (--repeat) or a quieter machine",
                         bench->n, trial->label, 100 * s.relative_mad);
    }
}
