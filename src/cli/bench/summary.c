#include "cli/bench/summary.h"

#include "cli/bench/suites.h"

#include <string.h>

const struct trial *baseline_of(const struct trials *trials) {
    return &trials->trial[0];
}

double speedup(const struct trials *trials, const struct trial *trial) {
    const struct trial *baseline = baseline_of(trials);
    double times = baseline->statistics.median / trial->statistics.median;
    return trial->series != NULL ? times * baseline->threads : times;
}

double rate(double number, const struct trial *trial) {
    return trial->statistics.median > 0 ? number / trial->statistics.median : 0;
}

double serial_share_of(const struct trials *trials) {
    int threads[MAX_LISTED_THREADS];
    double seconds[MAX_LISTED_THREADS];
    size_t count = 0;
    for (size_t i = 0; i < trials->count && count < MAX_LISTED_THREADS; i++) {
        const struct trial *trial = &trials->trial[i];
        if (trial->series == NULL || trial->series != trials->trial[0].series)
            continue;
        threads[count] = trial->threads;
        seconds[count++] = trial->statistics.median;
    }
    return serial_share(threads, seconds, count);
}

/* Of the trials for the board that was asked for, which is the last one's. For scaling, the
 * fastest of those that are compared with the baseline. */
static const struct trial *fastest_of(const struct trials *trials) {
    const struct trial *fastest = NULL;
    int n = trials->trial[trials->count - 1].n;
    for (size_t i = trials->trial[0].series != NULL; i < trials->count; i++) {
        const struct trial *trial = &trials->trial[i];
        if (trial->n == n &&
            (fastest == NULL || trial->statistics.median < fastest->statistics.median))
            fastest = trial;
    }
    return fastest;
}

static void put_name(FILE *stream, const struct trials *trials, const struct trial *trial,
                     void (*put)(const char *name, FILE *stream)) {
    if (trial->series == NULL) {
        put(trial->label, stream);
        return;
    }
    fprintf(stream, "%d thread%s", trial->threads, trial->threads == 1 ? "" : "s");
    if (trials->trial[trials->count - 1].series != trials->trial[0].series)
        fprintf(stream, " (%s)", trial->series);
}

static void put_ratio(FILE *stream, double ratio) {
    fprintf(stream, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
}

/* The ratio of the medians is never outside this range: if every run of `slow` takes at least
 * r times as long as that of `fast` in the same round, then so does its median. */
static void put_range(FILE *stream, const struct trials *trials, const struct trial *fast,
                      const struct trial *slow) {
    double low = slow->seconds[0] / fast->seconds[0], high = low;
    for (int round = 1; round < trials->repeat; round++) {
        double ratio = slow->seconds[round] / fast->seconds[round];
        low = ratio < low ? ratio : low;
        high = ratio > high ? ratio : high;
    }
    fputs(" (", stream);
    put_ratio(stream, low);
    fputs(" to ", stream);
    put_ratio(stream, high);
    fputc(')', stream);
}

bool summary_write(FILE *stream, const struct trials *trials, const char *prefix,
                   void (*put)(const char *name, FILE *stream)) {
    const struct trial *fast = fastest_of(trials);
    if (fast == NULL || fast->statistics.minimum <= 0)
        return false;
    bool scaling = fast->series != NULL, begun = false;
    for (size_t i = 1; i <= trials->count; i++) { /* the baseline last */
        const struct trial *slow = &trials->trial[i % trials->count];
        if (slow == fast || slow->n != fast->n || (scaling && slow != baseline_of(trials)))
            continue;
        begun = true;
        fputs(prefix, stream);
        put_name(stream, trials, fast, put);
        fputs(scaling && fast->threads > 1 ? " are " : " is ", stream);
        put_ratio(stream, slow->statistics.median / fast->statistics.median);
        fputs(" times as fast as ", stream);
        put_name(stream, trials, slow, put);
        if (trials->repeat > 1)
            put_range(stream, trials, fast, slow);
        fputc('\n', stream);
    }
    return begun;
}

void summary_explain(FILE *stream, const struct trials *trials) {
    if (trials->repeat > 1)
        fprintf(
            stream,
            "ratios of medians of %d runs; in parentheses, the lowest and the highest ratio "
            "within one round of runs\n",
            trials->repeat);
    else
        fputs("from 1 run of each\n", stream);
}
