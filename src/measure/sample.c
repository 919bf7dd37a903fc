/* SPDX-License-Identifier: MIT */
#include "measure/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool nqi_sample_begin(const struct partition *partition, const unsigned short seed[3],
                      struct sample *sample) {
    *sample = (struct sample){.partition = partition};
    memcpy(sample->seed, seed, sizeof sample->seed);
    sample->cost_before = malloc((partition->job.units + 1) * sizeof *sample->cost_before);
    if (sample->cost_before == NULL)
        return false;
    sample->cost_before[0] = 0;
    for (uint64_t unit = 0; unit < partition->job.units; unit++)
        sample->cost_before[unit + 1] =
            sample->cost_before[unit] + (double)partition->units[unit].cost;
    return true;
}

void nqi_sample_end(struct sample *sample) {
    free(sample->cost_before);
    *sample = (struct sample){0};
}

/* Returns the index of the last element that is at most `value`; the first one must be. */
static uint64_t last_at_most(const double *array, uint64_t count, double value) {
    uint64_t low = 0, high = count - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (array[middle] <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool nqi_sample_draw(struct sample *sample, uint64_t draws, struct sample_batch *batch) {
    const uint64_t units = sample->partition->job.units;
    *batch = (struct sample_batch){.draws = draws,
                                   .unit = malloc(draws * sizeof *batch->unit),
                                   .hits = malloc(draws * sizeof *batch->hits),
                                   .seconds = calloc(draws, sizeof *batch->seconds)};
    if (batch->unit == NULL || batch->hits == NULL || batch->seconds == NULL) {
        nqi_sample_batch_free(batch);
        return false;
    }
    for (uint64_t i = 0; i < draws; i++) {
        const double point =
            ((double)i + erand48(sample->seed)) / (double)draws * sample->cost_before[units];
        const uint64_t unit = last_at_most(sample->cost_before, units, point);
        if (batch->count > 0 && batch->unit[batch->count - 1] == unit) {
            batch->hits[batch->count - 1]++;
        } else {
            batch->unit[batch->count] = unit;
            batch->hits[batch->count++] = 1;
        }
    }
    return true;
}

void nqi_sample_batch_free(struct sample_batch *batch) {
    free(batch->unit);
    free(batch->hits);
    free(batch->seconds);
    *batch = (struct sample_batch){0};
}

static int compare_units(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

uint64_t nqi_sample_index(const struct sample_batch *batch, uint64_t unit) {
    const uint64_t *found =
        bsearch(&unit, batch->unit, batch->count, sizeof unit, compare_units);
    return (uint64_t)(found - batch->unit);
}

void nqi_sample_add(struct sample *sample, const struct sample_batch *batch) {
    const double draws = (double)batch->draws;
    double mean = 0;
    for (uint64_t i = 0; i < batch->count; i++)
        mean += batch->hits[i] * batch->seconds[i] /
                (double)sample->partition->units[batch->unit[i]].cost / draws;
    sample->batches++;
    sample->draws += draws;
    sample->rates += draws * mean;
    sample->squares += draws * mean * mean;
}

/* Returns the quantile of Student's distribution that 97.5 % are below: the first terms of its
 * Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5). 0.8 % too small for 2 degrees of
 * freedom, 0.1 % for 3. */
static double student(double freedom) {
    return 1.95996 +
           (2.37227 + (2.82250 + (2.55585 + 1.58953 / freedom) / freedom) / freedom) / freedom;
}

struct sample_total nqi_sample_total(const struct sample *sample) {
    const double cost = sample->cost_before[sample->partition->job.units],
                 mean = sample->rates / sample->draws, freedom = sample->batches - 1;
    struct sample_total total = {.seconds = mean * cost, .error = HUGE_VAL};
    if (freedom > 0) { /* of batches whose variances are inverse to their draws */
        const double variance =
            fmax(sample->squares - sample->draws * mean * mean, 0) / freedom / sample->draws;
        total.error = student(freedom) * sqrt(variance) / mean;
    }
    return total;
}
