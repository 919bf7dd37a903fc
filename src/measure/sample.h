/* SPDX-License-Identifier: MIT */
/* A sample of a board's units, and what it says about the time of all of them.
 *
 * A unit is drawn with probability proportional to its expected cost. So seconds / cost,
 * averaged over the draws, times the cost of all units is an unbiased estimate of the seconds
 * of all units (Hansen and Hurwitz, 1943). Draws come in batches. The spread between the
 * batches' means gives the interval: it holds whatever the units of a batch have in common,
 * such as a machine that was busy for a while.
 */
#ifndef MEASURE_SAMPLE_H
#define MEASURE_SAMPLE_H

#include "core/partition.h"

struct sample {
    const struct partition *partition;
    double *cost_before; /* [unit]: cost of the units before; the last element: of all */
    unsigned short seed[3];
    int batches;
    double draws, rates, squares; /* sums over the batches of draws, draws x mean, and
                                     draws x mean^2; mean: of seconds / cost */
};

/* A batch: different units in order of ids, and how often each was drawn. */
struct sample_batch {
    uint64_t draws, count;
    uint64_t *unit;
    uint32_t *hits;
    double *seconds; /* [index of the unit]: one thread's CPU time, to be filled in */
};

struct sample_total {
    double seconds; /* one thread's, for all units of the board */
    double error;   /* half the width of the 95 % confidence interval, relative to `seconds`;
                       infinite for one batch */
};

/* Begins a sample of a partition, which must have units and outlive it. seed: 48 random bits.
 * False: out of memory. Release with nqi_sample_end. */
bool nqi_sample_begin(const struct partition *partition, const unsigned short seed[3],
                      struct sample *sample);
void nqi_sample_end(struct sample *sample);

/* Draws a batch, one unit from each of `draws` strata of equal cost. False: out of memory.
 * Release with nqi_sample_batch_free. */
bool nqi_sample_draw(struct sample *sample, uint64_t draws, struct sample_batch *batch);
void nqi_sample_batch_free(struct sample_batch *batch);

/* Returns the index of a unit of the batch. */
uint64_t nqi_sample_index(const struct sample_batch *batch, uint64_t unit);

/* Adds a batch whose units have all been measured. */
void nqi_sample_add(struct sample *sample, const struct sample_batch *batch);

/* Estimates the seconds of all units of the board, after one batch or more. */
struct sample_total nqi_sample_total(const struct sample *sample);

#endif
