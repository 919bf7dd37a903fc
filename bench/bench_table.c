/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "cli/number.h"

#include <stdio.h>

/* Of the trials for the board that was asked for. For scaling, of those that are compared with
 * the baseline. */
static const struct trial *report_fastest(const struct bench *bench) {
    const struct trial *fastest = NULL;
    for (size_t i = bench->scaling; i < bench->count; i++) {
        const struct trial *trial = &bench->trial[i];
        if (trial->n == bench->n &&
            (fastest == NULL || trial->statistics.median < fastest->statistics.median))
            fastest = trial;
    }
    return fastest;
}

/* "5"; "2 to 3", if a signal came in the middle of a round. */
static struct words report_runs(const struct bench *bench) {
    struct words words;
    size_t most = bench->trial[0].runs, fewest = bench->trial[bench->count - 1].runs;
    snprintf(words.text, sizeof words.text, fewest < most ? "%zu to %zu" : "%zu", fewest, most);
    return words;
}

/* " (1.65 to 1.75)". The ratio of the medians is never outside this range: if every run of
 * `slow` takes at least r times as long as that of `fast` in the same round, then so does its
 * median. */
static struct words report_range(const struct trial *fast, const struct trial *slow) {
    struct words words = {""};
    double low = slow->seconds[0] / fast->seconds[0], high = low;
    const size_t rounds = fast->runs < slow->runs ? fast->runs : slow->runs;
    for (size_t round = 1; round < rounds; round++) {
        double ratio = slow->seconds[round] / fast->seconds[round];
        low = ratio < low ? ratio : low;
        high = ratio > high ? ratio : high;
    }
    if (rounds > 1)
        snprintf(words.text, sizeof words.text, " (%.2f to %.2f)", low, high);
    return words;
}

static void report_summary(const struct bench *bench) {
    const struct trial *fast = report_fastest(bench);
    if (fast == NULL || fast->statistics.minimum <= 0)
        return;
    bool any = false;
    for (size_t i = 1; i <= bench->count; i++) { /* the baseline last */
        const struct trial *slow = &bench->trial[i % bench->count];
        if (slow == fast || slow->n != fast->n || (bench->scaling && slow != &bench->trial[0]))
            continue;
        any = true;
        printf("# %s %s %.2f times as fast as %s%s\n", fast->label,
               bench->scaling && fast->result.threads > 1 ? "are" : "is",
               slow->statistics.median / fast->statistics.median, slow->label,
               report_range(fast, slow).text);
    }
    if (any && bench->trial[0].runs > 1)
        printf(
            "# ratios of medians of %s runs; in parentheses, the lowest and the highest ratio "
            "within one round of runs\n",
            report_runs(bench).text);
    else if (any)
        puts("# from 1 run of each");
}

/* Per second of the median run; 0 if that took no time. */
static double report_rate(uint64_t number, const struct trial *trial) {
    return trial->statistics.median > 0 ? (double)number / trial->statistics.median : 0;
}

static void report_row(const struct bench *bench, const struct trial *trial) {
    const struct statistics *s = &trial->statistics;
    char mad[24] = "-", work[24] = "-";
    if (trial->runs > 1)
        snprintf(mad, sizeof mad, "%.1f", 100 * s->relative_mad);
    if (trial->result.work > 0)
        snprintf(work, sizeof work, "%.3e", report_rate(trial->result.work, trial));
    printf("%-15s %7d %11.6f %6s %11.3e %10s ", trial->label, trial->result.threads, s->median,
           mad, report_rate(trial->result.solutions, trial), work);
    if (bench->scaling)
        printf("%8.2f %12.1f\n", speedup(bench, trial),
               100 * speedup(bench, trial) / trial->result.threads);
    else
        printf("%8.3f\n", s->median / bench->trial[0].statistics.median);
}

void report_table(const struct bench *bench) {
    const struct trial *baseline = &bench->trial[0];
    printf("# n = %d, %s run%s of each in turns%s; seconds: the median run\n", bench->n,
           report_runs(bench).text, baseline->runs == 1 ? "" : "s",
           bench->interrupted ? ", interrupted" : "");
    puts("# MAD: median absolute deviation, x 1.4826, in % of the median");
    if (!bench->scaling)
        printf("# T = %.4g s, %s\n", baseline->statistics.median, baseline->label);
    printf("benchmark       threads     seconds  MAD %% solutions/s     work/s%s\n",
           bench->scaling ? "  speedup efficiency %" : "     in T");
    for (size_t i = 0; i < bench->count; i++)
        report_row(bench, &bench->trial[i]);
    report_summary(bench);
}
