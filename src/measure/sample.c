/* The draws are a golden-ratio (Kronecker) sequence from a random start: point + k phi mod 1,
 * over the costs of the frame's units, one after the other in order of cost. Each draw by
 * itself is uniform, so the estimate is unbiased; together they are spread evenly, so units of
 * all costs are in the sample in their proportion, however many draws there are.
 *
 * The usual variance of a mean, from the distances to it, would count what such a spread rules
 * out: that most draws fall on units of one kind. So the variance is taken from the differences
 * of neighbours, as for systematic samples (Wolter, "Introduction to Variance Estimation",
 * chapter 8), and the interval is Student's. tests/unit/sample.c and results/ show how often
 * the truth is inside.
 */
#include "measure/sample.h"

#include <math.h>
#include <stdlib.h>

/* Returns the id of a unit of the frame. Each of the board's units is in the frame with
 * probability count / units, since `offset` is uniform from 0 to units - 1. If all units are in
 * the frame, it is the index itself. */
static uint64_t id_at(const struct sample *sample, uint64_t index) {
    return (index * sample->units + sample->offset) / sample->count;
}

/* Returns the index of the first unit of the frame whose id is at least this one. */
static uint64_t index_of(const struct sample *sample, uint64_t id) {
    const uint64_t at = id * sample->count;
    return at <= sample->offset ? 0 : (at - sample->offset + sample->units - 1) / sample->units;
}

struct costed {
    double cost;
    uint64_t index;
};

static int costliest_first(const void *left, const void *right) {
    const struct costed *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Returns the variance of the mean of `count` evenly spread values, from the sum of the squared
 * differences of neighbours. */
static double variance_of_mean(double squares, uint64_t count) {
    return squares / (2 * (double)(count - 1) * (double)count);
}

/* Asks for the costs of the frame's units, in order of ids. Returns the variance of their
 * mean. */
static double ask_costs(const struct sample *sample, double (*cost)(void *, uint64_t),
                        void *context, struct costed *order) {
    double squares = 0;
    for (uint64_t index = 0; index < sample->count; index++) {
        order[index] = (struct costed){cost(context, id_at(sample, index)), index};
        const double step = index > 0 ? order[index].cost - order[index - 1].cost : 0;
        squares += step * step;
    }
    return sample->count > 1 && sample->count < sample->units
               ? variance_of_mean(squares, sample->count)
               : 0;
}

bool nqi_sample_begin(uint64_t units, uint64_t count,
                      double (*cost)(void *context, uint64_t id), void *context,
                      const struct sample_random *random, struct sample *sample) {
    *sample = (struct sample){.units = units, .count = count, .point = random->draws};
    if (units > 0)
        sample->offset = random->frame % units;
    struct costed *order = malloc((count + 1) * sizeof *order);
    sample->unit = malloc((count + 1) * sizeof *sample->unit);
    sample->position = malloc((count + 1) * sizeof *sample->position);
    sample->cost_before = malloc((count + 1) * sizeof *sample->cost_before);
    sample->seconds = malloc((count + 1) * sizeof *sample->seconds);
    sample->hits = calloc(count + 1, sizeof *sample->hits);
    sample->batch = calloc(count + 1, sizeof *sample->batch);
    if (order == NULL || sample->unit == NULL || sample->position == NULL ||
        sample->cost_before == NULL || sample->seconds == NULL || sample->hits == NULL ||
        sample->batch == NULL) {
        free(order);
        nqi_sample_end(sample);
        return false;
    }
    const double variance = ask_costs(sample, cost, context, order);
    qsort(order, count, sizeof *order, costliest_first);
    sample->cost_before[0] = 0;
    for (uint64_t i = 0; i < count; i++) {
        sample->unit[i] = id_at(sample, order[i].index);
        sample->position[order[i].index] = i;
        sample->cost_before[i + 1] = sample->cost_before[i] + order[i].cost;
        sample->seconds[i] = -1;
    }
    free(order);
    if (variance > 0) {
        const double mean = sample->cost_before[count] / (double)count;
        sample->frame_variance = variance / (mean * mean);
    }
    return true;
}

void nqi_sample_end(struct sample *sample) {
    free(sample->unit);
    free(sample->position);
    free(sample->cost_before);
    free(sample->seconds);
    free(sample->hits);
    free(sample->batch);
    *sample = (struct sample){0};
}

uint64_t nqi_sample_draw(struct sample *sample) {
    static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* phi x 2^64 */
    uint64_t low = 0, high = sample->count - 1;
    const double cost =
        ldexp((double)(sample->point >> 11), -53) * sample->cost_before[high + 1];
    while (low < high) { /* bisects for the last unit that begins at or before the point */
        const uint64_t middle = low + (high - low + 1) / 2;
        if (sample->cost_before[middle] <= cost)
            low = middle;
        else
            high = middle - 1;
    }
    sample->point += golden;
    sample->draws++;
    sample->hits[low]++;
    return low;
}

void nqi_sample_add(struct sample *sample, uint64_t unit, double seconds) {
    const uint64_t position = sample->position[index_of(sample, unit)];
    if (sample->seconds[position] < 0) {
        atomic_fetch_add(&sample->measured, 1);
        sample->seconds[position] = 0;
        sample->batch[position] = (uint8_t)sample->batches;
    }
    sample->seconds[position] += seconds;
}

void nqi_sample_end_batch(struct sample *sample) {
    if (sample->batches < SAMPLE_BATCHES - 1)
        sample->batches++;
}

/* 97.5 % of the normal distribution are below. */
static const double normal = 1.95996;

/* Returns the quantile of Student's distribution that 97.5 % are below: the first terms of its
 * Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5). 0.8 % too small for 2 degrees of
 * freedom, 0.1 % for 3. */
static double student(double freedom) {
    return normal +
           (2.37227 + (2.82250 + (2.55585 + 1.58953 / freedom) / freedom) / freedom) / freedom;
}

/* What the draws say about the mean of seconds / cost, the rate. */
struct rates {
    double mean;
    double variance; /* of the mean */
    double freedom;  /* degrees of freedom of the variance */
    double skew;     /* by how much the mean's distribution, if skewed, moves an end of the
                        interval (N. J. Johnson, 1978) */
};

/* Returns the rate of the unit at a position. */
static double rate_at(const struct sample *sample, uint64_t position) {
    return sample->seconds[position] /
           (sample->cost_before[position + 1] - sample->cost_before[position]);
}

/* Returns by how much the variance of the mean is larger because batches differ: one-way random
 * effects, by the method of moments. within: the variance of one unit's rate. */
static double variance_between_batches(const struct sample *sample, double within) {
    double sum[SAMPLE_BATCHES] = {0}, count[SAMPLE_BATCHES] = {0};
    double all = 0, mean = 0, squares = 0, counts_squared = 0;
    int batches = 0;
    for (uint64_t i = 0; i < sample->count; i++)
        if (sample->hits[i] > 0) {
            sum[sample->batch[i]] += rate_at(sample, i);
            count[sample->batch[i]]++;
            mean += rate_at(sample, i);
            all++;
        }
    mean /= all;
    for (int b = 0; b < SAMPLE_BATCHES; b++)
        if (count[b] > 0) {
            const double off = sum[b] / count[b] - mean;
            squares += count[b] * off * off;
            counts_squared += count[b] * count[b];
            batches++;
        }
    if (batches < 2)
        return 0;
    const double between = (squares - (batches - 1) * within) / (all - counts_squared / all);
    return fmax(between, 0) * counts_squared / (all * all);
}

static struct rates rates_of(const struct sample *sample) {
    const double draws = (double)sample->draws;
    /* A sum of squared differences of neighbours has so many degrees (von Neumann, 1941). */
    struct rates rates = {.freedom = 2 * (draws - 1) * (draws - 1) / (3 * draws - 4)};
    double steps = 0, before = -1, squares = 0, cubes = 0;
    for (uint64_t i = 0; i < sample->count; i++) {
        if (sample->hits[i] == 0)
            continue;
        const double rate = rate_at(sample, i), step = before >= 0 ? rate - before : 0;
        rates.mean += rate * sample->hits[i] / draws;
        steps += step * step;
        before = rate;
    }
    for (uint64_t i = 0; i < sample->count; i++) {
        if (sample->hits[i] == 0)
            continue;
        const double off = rate_at(sample, i) - rates.mean;
        squares += off * off * sample->hits[i];
        cubes += off * off * off * sample->hits[i];
    }
    rates.variance = variance_of_mean(steps, sample->draws);
    rates.variance += variance_between_batches(sample, rates.variance * draws);
    rates.skew =
        squares > 0 ? (1 + 2 * normal * normal) / 6 * fabs(cubes / squares) / draws : 0;
    return rates;
}

struct sample_total nqi_sample_total(const struct sample *sample) {
    struct sample_total total = {0};
    const struct rates rates = rates_of(sample);
    const double draws = student(rates.freedom) * sqrt(rates.variance) / rates.mean,
                 frame = normal * sqrt(sample->frame_variance);
    total.seconds = rates.mean * sample->cost_before[sample->count] * (double)sample->units /
                    (double)sample->count;
    total.error = hypot(draws, frame) + rates.skew / rates.mean;
    return total;
}

/* Batches in the time to measure for, at least, once it is known what a unit takes: so many are
 * compared. */
static const double least_batches = 8;

/* Fewer draws can agree by chance. */
enum { LEAST_DRAWS_TO_END_EARLY = 32 };

uint64_t nqi_sample_more(const struct sample *sample, const struct sample_total *total,
                         const struct sample_aim *aim, double used) {
    const double left = aim->seconds - used, draws = (double)sample->draws;
    double more = fmin(fmin(2, left / used), /* times the draws so far */
                       aim->seconds / least_batches / used);
    if (sample->count == sample->units &&
        total->seconds * (1 + total->error) / aim->threads <= left)
        return SAMPLE_ALL;
    if (!(left >= used / 8)) /* nor if one of them is not a number */
        return 0;
    if (sample->measured == sample->units)
        return SAMPLE_ALL;
    if (aim->error > 0) {
        /* The error falls with the square root of the number of draws. */
        const double ratio = total->error / aim->error;
        if (ratio <= 1 && sample->draws >= LEAST_DRAWS_TO_END_EARLY)
            return 0;
        more = fmin(more, fmax(1.1 * ratio * ratio - 1, 0.1));
    }
    /* All threads measure: one alone would have the caches and the memory for itself. */
    return (uint64_t)(ceil(draws * more / aim->threads) * aim->threads);
}
