/* SPDX-License-Identifier: MIT */
/* Picks blocks of units with probability proportional to their costs. Each block knows the cost
 * of all blocks before it, so that binary search finds the block in which a random point of the
 * whole cost falls. */
#include "measure/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const double golden_ratio = 0.6180339887498949; /* (sqrt(5) - 1) / 2 */

static uint64_t sample_block_end(const struct sample *sample, uint64_t block) {
    const uint64_t end = (block + 1) * sample->block_units,
                   units = sample->partition->job.units;
    return end < units ? end : units;
}

static bool sample_block_is_measured(const struct sample *sample, uint64_t block) {
    return sample->block[block].measured ==
           sample_block_end(sample, block) - block * sample->block_units;
}

void nqi_sample_seed(unsigned short seed[3]) {
    if (getrandom(seed, 3 * sizeof *seed, 0) != (ssize_t)(3 * sizeof *seed))
        seed[0] = (unsigned short)time(NULL);
}

/* Returns the last block with at most this cost before it. */
static uint64_t sample_block_at(const struct sample *sample, double cost) {
    uint64_t low = 0, high = sample->blocks - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (sample->block[middle].cost_before <= cost)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool nqi_sample_begin(const struct partition *partition, uint64_t block_units, double point,
                      struct sample *sample) {
    const uint64_t blocks = (partition->job.units + block_units - 1) / block_units,
                   picks = blocks < MAX_PICKS ? blocks : MAX_PICKS;
    *sample = (struct sample){.partition = partition,
                              .block_units = block_units,
                              .blocks = blocks,
                              .block = calloc(blocks + 1, sizeof *sample->block),
                              .picks = picks,
                              .pick = calloc(picks + 1, sizeof *sample->pick)};
    if (sample->block == NULL || sample->pick == NULL) {
        nqi_sample_end(sample);
        return false;
    }
    for (uint64_t block = 0; block < blocks; block++) {
        double cost = sample->block[block].cost_before;
        for (uint64_t unit = block * block_units; unit < sample_block_end(sample, block);
             unit++)
            cost += (double)partition->units[unit].cost;
        sample->block[block + 1].cost_before = cost;
    }
    for (uint64_t i = 0; i < picks; i++) {
        sample->pick[i] = sample_block_at(sample, point * sample->block[blocks].cost_before);
        point += golden_ratio;
        point -= floor(point);
    }
    return true;
}

void nqi_sample_end(struct sample *sample) {
    free(sample->block);
    free(sample->pick);
    *sample = (struct sample){0};
}

bool nqi_sample_take(struct sample *sample, uint64_t *unit) {
    const uint64_t picks = sample->picks;
    if (sample->census && sample->place < picks)
        sample->place = picks;
    while (sample->next == sample->end && sample->place < picks + sample->blocks &&
           !sample->closed) {
        const uint64_t place = sample->place++,
                       block = place < picks ? sample->pick[place] : place - picks;
        if (sample->block[block].taken)
            continue;
        sample->block[block].taken = true;
        sample->next = block * sample->block_units;
        sample->end = sample_block_end(sample, block);
    }
    if (sample->next == sample->end)
        return false;
    *unit = sample->next++;
    return true;
}

void nqi_sample_add(struct sample *sample, uint64_t unit, double seconds) {
    struct sample_block *block = &sample->block[unit / sample->block_units];
    block->seconds += seconds;
    block->measured++;
    sample->measured++;
}

/* Returns the quantile below which 97.5 % of Student's distribution lie, by the first terms of
 * its Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5). The result is 0.8 % too small
 * for 2 degrees of freedom, and 0.1 % for 3. */
static double sample_student(double freedom) {
    return 1.95996 +
           (2.37227 + (2.82250 + (2.55585 + 1.58953 / freedom) / freedom) / freedom) / freedom;
}

/* Returns seconds / cost of a block, all of whose units are measured. */
static double sample_block_rate(const struct sample *sample, uint64_t block) {
    return sample->block[block].seconds /
           (sample->block[block + 1].cost_before - sample->block[block].cost_before);
}

static int sample_by_block(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Returns the variance of a pick's rate, from the differences between picks that are neighbours
 * on the board; infinite if memory runs out. picks: how many of the first picks to use, at
 * least two. Consecutive differences share a pick, so that the result has about 2 (picks - 1) /
 * 3 degrees of freedom. */
static double sample_variance(const struct sample *sample, uint64_t picks) {
    uint64_t *blocks = malloc(picks * sizeof *blocks);
    double squares = 0;
    if (blocks == NULL)
        return HUGE_VAL;
    memcpy(blocks, sample->pick, picks * sizeof *blocks);
    qsort(blocks, picks, sizeof *blocks, sample_by_block);
    for (uint64_t i = 1; i < picks; i++) {
        const double difference =
            sample_block_rate(sample, blocks[i]) - sample_block_rate(sample, blocks[i - 1]);
        squares += difference * difference;
    }
    free(blocks);
    return squares / 2 / (double)(picks - 1);
}

struct sample_total nqi_sample_total(const struct sample *sample) {
    struct sample_total total = {.error = HUGE_VAL};
    if (sample->measured == sample->partition->job.units) {
        for (uint64_t block = 0; block < sample->blocks; block++)
            total.seconds += sample->block[block].seconds;
        total.picks = sample->picks;
        total.error = 0;
        return total;
    }
    double rates = 0;
    while (total.picks < sample->picks &&
           sample_block_is_measured(sample, sample->pick[total.picks]))
        rates += sample_block_rate(sample, sample->pick[total.picks++]);
    if (total.picks == 0)
        return total;
    const double picks = (double)total.picks, mean = rates / picks;
    total.seconds = mean * sample->block[sample->blocks].cost_before;
    if (total.picks > 1)
        total.error = sample_student(2 * (picks - 1) / 3) *
                      sqrt(sample_variance(sample, total.picks) / picks) / mean;
    return total;
}
