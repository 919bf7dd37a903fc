/* SPDX-License-Identifier: MIT */
/* What the runs say, and whether to trust it: statistics, and warnings of a machine that is not
 * fit for measurements, and of doubtful runs. */
#include "bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

/* Adds a warning. */
__attribute__((format(printf, 2, 3))) static void doubts_add(struct bench *bench,
                                                             const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_array_append_new(bench->warnings, json_vsprintf(format, arguments));
    va_end(arguments);
}

void doubts_of_machine(struct bench *bench) {
    const nq_machine *machine = &bench->machine;
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
    if (file != NULL && fscanf(file, "%31s", bench->governor) != 1)
        bench->governor[0] = '\0';
    if (file != NULL)
        fclose(file);
    if (getloadavg(&bench->load, 1) != 1)
        bench->load = -1;
    if (bench->governor[0] != '\0' && strcmp(bench->governor, "performance") != 0)
        doubts_add(bench,
                   "the CPU's frequency governor is '%s': clocks will vary; 'cpupower "
                   "frequency-set -g performance' (as root) keeps them steady",
                   bench->governor);
    if (bench->load > 0.25 * machine->pus)
        doubts_add(bench, "load average %.1f on %d PUs: " OTHERS_RUN, bench->load,
                   machine->pus);
    if (machine->quota > 0 && machine->quota < machine->cores)
        doubts_add(bench,
                   "the cgroup allows %.2f of %d cores: threads beyond that are throttled",
                   machine->quota, machine->cores);
}

/* Warns of the first reason to doubt a trial's figures: later ones mostly follow from it. */
static void doubts_of_trial(struct bench *bench, struct trial *trial) {
    static const double short_run = 0.01, wide = 0.05; /* seconds; share of the median */
    const struct statistics *s = &trial->statistics;
    trial->statistics = statistics_of(trial->seconds, bench->runs);
    if (s->median < short_run)
        doubts_add(bench, "%s: runs of %.1f ms are mostly start-up: take a larger N",
                   trial->name, 1e3 * s->median);
    else if (s->relative_mad > wide)
        doubts_add(bench,
                   "%s: runs differ by %.0f %% (MAD): take a larger N, more runs (--repeat) or "
                   "a quieter machine",
                   trial->name, 100 * s->relative_mad);
    else if (s->outliers > 0)
        doubts_add(bench,
                   "%s: %zu of %zu runs %s (from %.4g to %.4g s, median %.4g s): other "
                   "programs may have run; take more runs (--repeat) or a quieter machine",
                   trial->name, s->outliers, bench->runs,
                   s->outliers == 1 ? "is an outlier" : "are outliers", s->minimum, s->maximum,
                   s->median);
}

void doubts_of_runs(struct bench *bench) {
    if (bench->interrupted)
        doubts_add(bench, "interrupted in the middle: these are the runs that had ended");
    for (size_t i = 0; i < bench->count; i++)
        doubts_of_trial(bench, &bench->trial[i]);
}
