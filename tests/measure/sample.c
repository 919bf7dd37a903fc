/* SPDX-License-Identifier: MIT */
/* Samples of units: how draws spread, and how often the truth is inside the interval. Times are
 * made up, so that the truth is known, and the same in every run. */
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

/* Returns a random number above 0 and below 1. */
static double uniform(uint64_t *seed) {
    return (random_bits(seed) + 0.5) / 4294967296.0;
}

/* Makes a board whose costs differ by a factor of up to 1000. The times are the costs, changed
 * in three ways. They scatter: the logarithm of a factor is normal, with the deviation
 * `spread`. They grow faster than costs, so that a sample that is not drawn in proportion to
 * costs has a wrong mean. And they grow by a factor of 1 + trend over the board. */
static struct board new_board(uint64_t units, double spread, double trend, uint64_t seed) {
    struct board board = {.units = malloc(units * sizeof *board.units),
                          .seconds = malloc(units * sizeof *board.seconds)};
    cr_assert(board.units != NULL && board.seconds != NULL);
    for (uint64_t i = 0; i < units; i++) {
        const double cost = exp(log(1000) * uniform(&seed));
        const double normal =
            sqrt(-2 * log(uniform(&seed))) * cos(2 * 3.14159265 * uniform(&seed));
        board.units[i] = (struct unit){.weight = 1, .cost = (uint64_t)(1000 * cost)};
        board.seconds[i] = pow(cost, 1 + spread / 5) * exp(spread * normal) *
                           (1 + trend * (double)i / (double)units);
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

static struct sample begin(const struct board *board, uint64_t block_units, uint64_t *seed) {
    struct sample sample;
    cr_assert(nqi_sample_begin(&board->partition, block_units, uniform(seed), &sample));
    return sample;
}

/* Takes and measures `blocks` blocks, of `length` units each. */
static void measure(const struct board *board, struct sample *sample, uint64_t blocks,
                    uint64_t length) {
    for (uint64_t i = 0; i < blocks * length; i++) {
        uint64_t unit;
        cr_assert(nqi_sample_take(sample, &unit));
        nqi_sample_add(sample, unit, board->seconds[unit]);
    }
}

Test(sample, every_unit_is_taken_once_and_all_add_up) {
    uint64_t seed = 1;
    for (uint64_t units = 1; units <= 300; units += 13)
        for (uint64_t length = 1; length <= 9; length += 4) {
            struct board board = new_board(units, 0.3, 0, units);
            struct sample sample = begin(&board, length, &seed);
            cr_expect_eq(nqi_sample_total(&sample).error, HUGE_VAL, "nothing is measured");
            int *taken = calloc(units, sizeof *taken);
            uint64_t count = 0;
            cr_assert_not_null(taken);
            for (uint64_t unit, last = 0; nqi_sample_take(&sample, &unit); last = unit) {
                cr_assert_lt(unit, units);
                cr_expect(unit % length == 0 || unit == last + 1, "a block is left half done");
                taken[unit]++;
                nqi_sample_add(&sample, unit, board.seconds[unit]);
                count++;
            }
            cr_expect_eq(count, units);
            for (uint64_t unit = 0; unit < units; unit++)
                cr_expect_eq(taken[unit], 1);
            const struct sample_total total = nqi_sample_total(&sample);
            cr_expect_eq(total.error, 0);
            cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
            free(taken);
            nqi_sample_end(&sample);
            free_board(&board);
        }
}

Test(sample, times_in_proportion_to_costs_have_no_error) {
    uint64_t seed = 5, unit;
    struct board board = new_board(100, 0, 0, 6);
    board.total = 0;
    for (int i = 0; i < 100; i++) {
        board.seconds[i] = 1e-6 * (double)board.units[i].cost;
        board.total += board.seconds[i];
    }
    struct sample sample = begin(&board, 1, &seed);
    measure(&board, &sample, 1, 1);
    cr_expect_eq(nqi_sample_total(&sample).error, HUGE_VAL, "nothing is known after one draw");
    measure(&board, &sample, 8, 1);
    struct sample_total total = nqi_sample_total(&sample);
    cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
    cr_expect_lt(total.error, 1e-6);
    const uint64_t draws = total.draws;
    /* This unit is never measured, so its block does not count. */
    cr_assert(nqi_sample_take(&sample, &unit));
    measure(&board, &sample, 3, 1);
    total = nqi_sample_total(&sample);
    cr_expect(total.draws >= draws && total.draws < sample.draws);
    nqi_sample_end(&sample);
    free_board(&board);
}

/* Estimates many boards many times, and expects the right mean. Returns in how many of a
 * hundred estimates the truth is inside the interval. Stores half of the interval's mean width
 * in `half_width`. */
static double coverage(double spread, double trend, uint64_t length, uint64_t draws,
                       double *half_width) {
    enum { BOARDS = 100, ESTIMATES = 20, ALL = BOARDS * ESTIMATES };
    uint64_t seed = 7;
    int inside = 0;
    double sum = 0, squares = 0;
    *half_width = 0;
    for (uint64_t number = 0; number < BOARDS; number++) {
        struct board board = new_board(4000, spread, trend, number);
        for (int i = 0; i < ESTIMATES; i++) {
            struct sample sample = begin(&board, length, &seed);
            measure(&board, &sample, draws, length);
            const struct sample_total total = nqi_sample_total(&sample);
            const double ratio = total.seconds / board.total;
            inside += fabs(ratio - 1) <= total.error * ratio;
            sum += ratio;
            squares += ratio * ratio;
            *half_width += total.error / ALL;
            nqi_sample_end(&sample);
        }
        free_board(&board);
    }
    const double mean = sum / ALL, error = sqrt((squares / ALL - mean * mean) / ALL);
    cr_expect_float_eq(mean, 1, 4 * error + 0.001,
                       "%d draws of %d: the mean is %.4f of the truth", (int)draws, (int)length,
                       mean);
    return 100.0 * inside / ALL;
}

Test(sample, the_truth_is_inside_the_interval_of_95_of_100_estimates) {
    double half_width, found;
    for (uint64_t length = 1; length <= 8; length *= 8)
        for (uint64_t draws = 8; draws <= 128; draws *= 4) {
            found = coverage(0.25, 0, length, draws, &half_width);
            cr_expect(found > 93, "%d draws of %d: %.1f %%", (int)draws, (int)length, found);
        }
    found = coverage(0.8, 0, 1, 256, &half_width);
    cr_expect(found > 91, "rough boards: %.1f %%", found);
}

/* If the costs are wrong in a way that changes slowly over the board, draws that spread evenly
 * come nearer to the truth than independent ones, so the interval is narrower. */
Test(sample, a_trend_over_the_board_does_not_widen_the_interval) {
    double half_width;
    const double found = coverage(0.1, 0.5, 1, 64, &half_width);
    cr_expect(found > 93, "%.1f %%", found);
    /* Of 64 independent draws it would be 0.0375: two standard errors, with a deviation of
     * 0.15. */
    cr_expect_lt(half_width, 0.03);
}
