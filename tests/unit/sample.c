/* SPDX-License-Identifier: MIT */
/* Samples of units: how draws spread, and how often the truth is inside the interval. Times are
 * made up, so that the truth is known and alike in every run. */
#include "measure/sample.h"
#include "made_up.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* A board with known times. */
struct board {
    struct partition partition;
    struct unit *units;
    double *seconds; /* [unit] */
    double total;    /* of all units */
};

/* Above 0 and below 1. */
static double uniform(uint64_t *seed) {
    return (random_bits(seed) + 0.5) / 4294967296.0;
}

/* Costs differ by a factor of 1000, and times differ from them by `spread` in logarithms. */
static struct board new_board(uint64_t units, double spread, uint64_t seed) {
    struct board board = {.units = malloc(units * sizeof *board.units),
                          .seconds = malloc(units * sizeof *board.seconds)};
    cr_assert(board.units != NULL && board.seconds != NULL);
    for (uint64_t i = 0; i < units; i++) {
        const double cost = exp(log(1000) * uniform(&seed));
        const double normal =
            sqrt(-2 * log(uniform(&seed))) * cos(2 * 3.14159265 * uniform(&seed));
        board.units[i] = (struct unit){.weight = 1, .cost = (uint64_t)(1000 * cost)};
        board.seconds[i] = cost * exp(spread * normal);
        board.partition.cost += board.units[i].cost;
        board.total += board.seconds[i];
    }
    board.partition.job.units = units;
    board.partition.units = board.units;
    return board;
}

static void free_board(struct board *board) {
    free(board->units);
    free(board->seconds);
}

static struct sample begin(const struct board *board, uint64_t *seed) {
    const unsigned short start[3] = {(unsigned short)random_bits(seed),
                                     (unsigned short)random_bits(seed),
                                     (unsigned short)random_bits(seed)};
    struct sample sample;
    cr_assert(nqi_sample_begin(&board->partition, start, &sample));
    return sample;
}

/* slowness: of the machine while it measures the batch. */
static void measure(const struct board *board, struct sample *sample, uint64_t draws,
                    double slowness) {
    struct sample_batch batch;
    cr_assert(nqi_sample_draw(sample, draws, &batch));
    for (uint64_t i = 0; i < batch.count; i++)
        batch.seconds[nqi_sample_index(&batch, batch.unit[i])] =
            slowness * board->seconds[batch.unit[i]];
    nqi_sample_add(sample, &batch);
    nqi_sample_batch_free(&batch);
}

Test(sample, a_batch_has_its_draws_in_order_of_ids) {
    uint64_t seed = 1;
    struct board board = new_board(50, 0.3, 2);
    struct sample sample = begin(&board, &seed);
    for (uint64_t draws = 1; draws <= 300; draws += 13) {
        struct sample_batch batch;
        uint64_t hits = 0;
        cr_assert(nqi_sample_draw(&sample, draws, &batch));
        for (uint64_t i = 0; i < batch.count; i++) {
            cr_expect(i == 0 || batch.unit[i] > batch.unit[i - 1]);
            cr_expect_lt(batch.unit[i], 50);
            cr_expect_eq(nqi_sample_index(&batch, batch.unit[i]), i);
            hits += batch.hits[i];
        }
        cr_expect_eq(hits, draws);
        nqi_sample_batch_free(&batch);
    }
    nqi_sample_end(&sample);
    free_board(&board);
}

Test(sample, units_are_drawn_in_proportion_to_their_costs) {
    enum { UNITS = 20, BATCHES = 20000, DRAWS = 3 };
    uint64_t seed = 3, hits[UNITS] = {0};
    struct board board = new_board(UNITS, 0, 4);
    struct sample sample = begin(&board, &seed);
    for (int i = 0; i < BATCHES; i++) {
        struct sample_batch batch;
        cr_assert(nqi_sample_draw(&sample, DRAWS, &batch));
        for (uint64_t k = 0; k < batch.count; k++)
            hits[batch.unit[k]] += batch.hits[k];
        nqi_sample_batch_free(&batch);
    }
    for (int unit = 0; unit < UNITS; unit++) {
        const double expected = (double)BATCHES * DRAWS * (double)board.units[unit].cost /
                                (double)board.partition.cost;
        cr_expect_float_eq((double)hits[unit], expected, 5 * sqrt(expected) + 1,
                           "unit %d: %.0f instead of %.0f", unit, (double)hits[unit], expected);
    }
    nqi_sample_end(&sample);
    free_board(&board);
}

Test(sample, times_in_proportion_to_costs_have_no_error) {
    uint64_t seed = 5;
    struct board board = new_board(100, 0, 6);
    board.total = 0;
    for (int i = 0; i < 100; i++)
        board.total += board.seconds[i] = 1e-6 * (double)board.units[i].cost;
    struct sample sample = begin(&board, &seed);
    measure(&board, &sample, 4, 1);
    cr_expect_eq(nqi_sample_total(&sample).error, HUGE_VAL, "nothing is known after one batch");
    measure(&board, &sample, 8, 1);
    const struct sample_total total = nqi_sample_total(&sample);
    cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
    cr_expect_lt(total.error, 1e-6);
    nqi_sample_end(&sample);
    free_board(&board);
}

/* Estimates many times; returns in how many of a hundred the truth is inside, and checks that
 * the mean is right. drift: how much slower the machine is from batch to batch, at random, in
 * logarithms. */
static double coverage(const struct board *board, int batches, uint64_t draws, double drift,
                       uint64_t *seed) {
    enum { ESTIMATES = 2000 };
    int inside = 0;
    double sum = 0, squares = 0;
    for (int i = 0; i < ESTIMATES; i++) {
        struct sample sample = begin(board, seed);
        for (int batch = 0; batch < batches; batch++)
            measure(board, &sample, batch == 0 ? draws / 2 : draws,
                    exp(drift * (uniform(seed) - 0.5)));
        const struct sample_total total = nqi_sample_total(&sample);
        inside += fabs(total.seconds - board->total) <= total.error * total.seconds;
        sum += total.seconds / board->total;
        squares += total.seconds / board->total * (total.seconds / board->total);
        nqi_sample_end(&sample);
    }
    const double mean = sum / ESTIMATES,
                 error = sqrt((squares / ESTIMATES - mean * mean) / ESTIMATES);
    cr_expect_float_eq(mean, 1, 4 * error + 0.001 + drift * drift / 20,
                       "%d batches of %d: the mean is %.4f of the truth", batches, (int)draws,
                       mean);
    return 100.0 * inside / ESTIMATES;
}

Test(sample, the_truth_is_inside_the_interval_of_95_of_100_estimates) {
    uint64_t seed = 7;
    struct board like_colours = new_board(4000, 0.25, 8), rough = new_board(4000, 0.8, 9);
    for (int batches = 3; batches <= 24; batches *= 2)
        for (uint64_t draws = 4; draws <= 64; draws *= 4)
            for (int drifting = 0; drifting < 2; drifting++) {
                const double drift = drifting ? 0.2 : 0,
                             found = coverage(&like_colours, batches, draws, drift, &seed);
                cr_expect(found > 92.5 && found < 99.5, "%d batches of %d: %.1f %%", batches,
                          (int)draws, found);
            }
    const double found = coverage(&rough, 8, 32, 0, &seed);
    cr_expect(found > 91, "a rough board: %.1f %%", found);
    free_board(&like_colours);
    free_board(&rough);
}
