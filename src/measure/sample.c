/* SPDX-License-Identifier: MIT */
/* Draws blocks of units with probability proportional to their costs. Each block knows the cost
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
                   draws = blocks < MAX_DRAWS ? blocks : MAX_DRAWS;
    *sample = (struct sample){.partition = partition,
                              .block_units = block_units,
                              .blocks = blocks,
                              .block = calloc(blocks + 1, sizeof *sample->block),
                              .draws = draws,
                              .draw = calloc(draws + 1, sizeof *sample->draw)};
    if (sample->block == NULL || sample->draw == NULL) {
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
    for (uint64_t i = 0; i < draws; i++) {
        sample->draw[i] = sample_block_at(sample, point * sample->block[blocks].cost_before);
        point += golden_ratio;
        point -= floor(point);
    }
    return true;
}

void nqi_sample_end(struct sample *sample) {
    free(sample->block);
    free(sample->draw);
    *sample = (struct sample){0};
}

bool nqi_sample_take(struct sample *sample, uint64_t *unit) {
    const uint64_t draws = sample->draws;
    if (sample->census && sample->position < draws)
        sample->position = draws;
    while (sample->next == sample->end && sample->position < draws + sample->blocks &&
           !sample->closed) {
        const uint64_t position = sample->position++,
                       block = position < draws ? sample->draw[position] : position - draws;
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

/* Returns the variance of a draw's rate, from the differences between draws that are neighbours
 * on the board; infinite if memory runs out. draws: how many of the first draws to use, at
 * least two. Consecutive differences share a draw, so that the result has about 2 (draws - 1) /
 * 3 degrees of freedom. */
static double sample_variance(const struct sample *sample, uint64_t draws) {
    uint64_t *blocks = malloc(draws * sizeof *blocks);
    double squares = 0;
    if (blocks == NULL)
        return HUGE_VAL;
    memcpy(blocks, sample->draw, draws * sizeof *blocks);
    qsort(blocks, draws, sizeof *blocks, sample_by_block);
    for (uint64_t i = 1; i < draws; i++) {
        const double difference =
            sample_block_rate(sample, blocks[i]) - sample_block_rate(sample, blocks[i - 1]);
        squares += difference * difference;
    }
    free(blocks);
    return squares / 2 / (double)(draws - 1);
}

struct sample_total nqi_sample_total(const struct sample *sample) {
    struct sample_total total = {.error = HUGE_VAL};
    if (sample->measured == sample->partition->job.units) {
        for (uint64_t block = 0; block < sample->blocks; block++)
            total.seconds += sample->block[block].seconds;
        total.draws = sample->draws;
        total.error = 0;
        return total;
    }
    double rates = 0;
    while (total.draws < sample->draws &&
           sample_block_is_measured(sample, sample->draw[total.draws]))
        rates += sample_block_rate(sample, sample->draw[total.draws++]);
    if (total.draws == 0)
        return total;
    const double draws = (double)total.draws, mean = rates / draws;
    total.seconds = mean * sample->block[sample->blocks].cost_before;
    if (total.draws > 1)
        total.error = sample_student(2 * (draws - 1) / 3) *
                      sqrt(sample_variance(sample, total.draws) / draws) / mean;
    return total;
}
