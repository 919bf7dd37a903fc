/* Samples of units: frames, draws, and how often the truth is inside the interval. Times are
 * made up or made of real units' work, so that the truth is known and alike in every run. */
#include "measure/sample.h"

#include "length.h"
#include "made_up.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A board with known times. */
struct board {
    const char *name;
    uint64_t units;
    double *cost, *seconds; /* [unit] */
    double total;           /* seconds of all units */
};

static double cost_of(void *context, uint64_t id) {
    const struct board *board = context;
    return board->cost[id];
}

static struct sample_random random_start(uint64_t *seed) {
    const uint64_t frame = (uint64_t)random_bits(seed) << 32 | random_bits(seed),
                   draws = (uint64_t)random_bits(seed) << 32 | random_bits(seed);
    return (struct sample_random){frame, draws};
}

static struct sample begin(const struct board *board, uint64_t frame,
                           struct sample_random random) {
    struct sample sample;
    cr_assert(nqi_sample_begin(board->units, frame, cost_of, (void *)board, &random, &sample));
    return sample;
}

static void measure(const struct board *board, struct sample *sample, uint64_t draws) {
    for (; draws > 0; draws--) {
        const uint64_t position = nqi_sample_draw(sample), unit = sample->unit[position];
        if (sample->hits[position] == 1)
            nqi_sample_add(sample, unit, board->seconds[unit]);
    }
}

/* Above 0 and below 1. */
static double uniform(uint64_t *seed) {
    return (random_bits(seed) + 0.5) / 4294967296.0;
}

static struct board new_board(const char *name, uint64_t units) {
    struct board board = {.name = name,
                          .units = units,
                          .cost = malloc((units + 1) * sizeof(double)),
                          .seconds = malloc((units + 1) * sizeof(double))};
    cr_assert(board.cost != NULL && board.seconds != NULL);
    return board;
}

static void free_board(struct board *board) {
    free(board->cost);
    free(board->seconds);
}

static void add_up(struct board *board) {
    board->total = 0;
    for (uint64_t id = 0; id < board->units; id++)
        board->total += board->seconds[id];
}

/* Costs over two orders of magnitude, that change slowly from unit to unit. Times that these
 * costs miss by a factor: more for the cheap units, and with a long tail. */
static struct board made_up_board(uint64_t units) {
    struct board board = new_board("made up", units);
    uint64_t seed = units;
    for (uint64_t id = 0; id < units; id++) {
        const double wave = sin(0.001 * (double)id);
        board.cost[id] = exp(2 * wave + 2 * uniform(&seed));
        board.seconds[id] =
            pow(board.cost[id], 0.8) * (0.5 + 0.5 * uniform(&seed) - 0.3 * log(uniform(&seed)));
    }
    add_up(&board);
    return board;
}

/* Of 30 possible starts, each unit is in the frames of 7. */
Test(sample, each_unit_is_in_a_frame_with_the_same_probability) {
    struct board board = made_up_board(30);
    int found[30] = {0};
    for (uint64_t start = 0; start < 30; start++) {
        struct sample sample = begin(&board, 7, (struct sample_random){start, 0});
        for (uint64_t i = 0; i < sample.count; i++) {
            cr_assert_lt(sample.unit[i], 30);
            found[sample.unit[i]]++;
            nqi_sample_add(&sample, sample.unit[i], 1);
            cr_expect_eq(sample.seconds[i], 1, "unit %d", (int)sample.unit[i]);
        }
        cr_expect_eq(sample.measured, 7);
        nqi_sample_end(&sample);
    }
    for (int id = 0; id < 30; id++)
        cr_expect_eq(found[id], 7, "unit %d: %d", id, found[id]);
    free_board(&board);
}

/* First draws from evenly spaced starts. */
Test(sample, units_are_drawn_with_probability_proportional_to_cost) {
    enum { STARTS = 1 << 16 };
    struct board board = made_up_board(50);
    double cost = 0;
    int drawn[50] = {0};
    for (uint64_t start = 0; start < STARTS; start++) {
        struct sample sample = begin(&board, 50, (struct sample_random){0, start << 48});
        drawn[sample.unit[nqi_sample_draw(&sample)]]++;
        nqi_sample_end(&sample);
    }
    for (int id = 0; id < 50; id++)
        cost += board.cost[id];
    for (int id = 0; id < 50; id++)
        cr_expect_float_eq(drawn[id], STARTS * board.cost[id] / cost, 1.001, "unit %d: %d", id,
                           drawn[id]);
    free_board(&board);
}

/* If seconds are in proportion to costs, any draw tells the total. */
Test(sample, exact_costs_give_an_exact_total) {
    struct board board = made_up_board(100);
    struct sample sample = begin(&board, 100, (struct sample_random){0, 77});
    for (uint64_t id = 0; id < 100; id++)
        board.seconds[id] = 3 * board.cost[id];
    add_up(&board);
    measure(&board, &sample, 10);
    const struct sample_total total = nqi_sample_total(&sample);
    cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
    cr_expect_leq(total.error, 1e-6);
    nqi_sample_end(&sample);
    free_board(&board);
}

/* A machine whose speed differs from batch to batch, in a ratio of up to 0.8 to 1.2: the truth
 * is what units take on average. */
Test(sample, batches_that_differ_widen_the_interval) {
    enum { ESTIMATES = 300, BATCHES = 8, DRAWS = 40 };
    struct board board = made_up_board(3000);
    uint64_t seed = 5;
    int inside = 0;
    memcpy(board.seconds, board.cost, board.units * sizeof *board.cost);
    add_up(&board);
    for (int i = 0; i < ESTIMATES; i++) {
        struct sample sample = begin(&board, board.units, random_start(&seed));
        for (int batch = 0; batch < BATCHES; batch++) {
            const double speed = 0.8 + 0.4 * uniform(&seed);
            for (uint64_t id = 0; id < board.units; id++)
                board.seconds[id] = speed * board.cost[id];
            measure(&board, &sample, DRAWS);
            nqi_sample_end_batch(&sample);
        }
        const struct sample_total total = nqi_sample_total(&sample);
        inside += fabs(total.seconds - board.total) <= total.error * total.seconds;
        nqi_sample_end(&sample);
    }
    cr_expect_geq(inside, 85 * ESTIMATES / 100, "%d inside", inside);
    free_board(&board);
}

/* Draws until the aim is reached. used: no time passes. */
static void measure_until(const struct board *board, struct sample *sample, double error) {
    const struct sample_aim aim = {
        .seconds = 1e-6 * board->total, .error = error, .threads = 1};
    uint64_t more = 4;
    while (more != 0) {
        measure(board, sample, more);
        const struct sample_total total = nqi_sample_total(sample);
        more = nqi_sample_more(sample, &total, &aim, 1e-9 * board->total);
        cr_assert_leq(more, 2 * sample->draws);
    }
}

/* Many estimates of so many draws, or until an error is reached: is the mean the truth,
 * within four of its standard errors, and is the truth inside the interval as often as it
 * should be, within four standard errors, too? An estimate that ends early has a small bias: it
 * ends more readily where times are alike. */
static void expect_honest(const struct board *board, uint64_t frame, uint64_t draws,
                          double error) {
    enum { ESTIMATES = 500 };
    uint64_t seed = draws + frame;
    double sum = 0, squares = 0;
    int inside = 0;
    for (int i = 0; i < ESTIMATES; i++) {
        struct sample sample = begin(board, frame, random_start(&seed));
        if (error > 0)
            measure_until(board, &sample, error);
        else
            measure(board, &sample, draws);
        const struct sample_total total = nqi_sample_total(&sample);
        const double off = total.seconds / board->total - 1;
        if (error > 0)
            cr_expect_leq(total.error, error);
        sum += off;
        squares += off * off;
        inside += fabs(off) <= total.error * total.seconds / board->total;
        nqi_sample_end(&sample);
    }
    const double bias = sum / ESTIMATES, standard_error = sqrt(squares) / ESTIMATES;
    cr_expect_lt(fabs(bias), error > 0 ? error / 10 : 4 * standard_error,
                 "%s, %d draws: %.3f %% off, give or take %.3f %%", board->name, (int)draws,
                 100 * bias, 100 * standard_error);
    cr_expect_geq(inside, 92 * ESTIMATES / 100, "%s, %d draws, error %g: %d inside",
                  board->name, (int)draws, error, inside);
}

Test(sample, estimates_of_made_up_boards_are_honest) {
    struct board board = made_up_board(3000);
    for (uint64_t draws = 8; draws <= 128; draws *= 4)
        expect_honest(&board, board.units, draws, 0);
    expect_honest(&board, board.units, 0, 0.1);
    free_board(&board);
}

/* With exact costs, the frame's own share of the error is all of it. */
Test(sample, estimates_from_a_part_of_the_units_are_honest) {
    struct board board = made_up_board(200000);
    expect_honest(&board, 1500, 8, 0);
    expect_honest(&board, 1500, 64, 0);
    memcpy(board.seconds, board.cost, board.units * sizeof *board.cost);
    add_up(&board);
    expect_honest(&board, 100, 8, 0);
    free_board(&board);
}

/* The draws that follow `draws` ones, of 1000 units, with `frame` of them in the frame. */
static uint64_t more_after(uint64_t draws, uint64_t frame, struct sample_total total,
                           double used, struct sample_aim aim) {
    struct board board = made_up_board(1000);
    struct sample sample = begin(&board, frame, (struct sample_random){0, 0});
    measure(&board, &sample, draws);
    const uint64_t more = nqi_sample_more(&sample, &total, &aim, used);
    nqi_sample_end(&sample);
    free_board(&board);
    return more;
}

Test(sample, draws_follow_the_time_that_is_left_and_the_error) {
    const struct sample_aim time = {.seconds = 10, .threads = 2},
                            error = {.seconds = 1000, .error = 0.1, .threads = 2};
    const struct {
        uint64_t draws, frame;
        struct sample_total total;
        double used;
        struct sample_aim aim;
        uint64_t more;
    } cases[] = {
        {4, 1000, {1e6, 0.5}, 0.5, time, 8}, /* at most twice as many as so far */
        {40, 1000, {1e6, 0.5}, 5, time, 10}, /* an eighth of the time */
        {40, 1000, {1e6, 0.5}, 9, time, 0},  /* little is left */
        {40, 1000, {1e6, 0.5}, 90, time, 0},
        {4, 1000, {12, 0.5}, 1, time, SAMPLE_ALL}, /* at most 18 of 2 x 9 */
        {4, 1000, {12.1, 0.5}, 1, time, 6},
        {4, 100, {1, 0.5}, 1, time, 6}, /* units outside the frame cannot be measured */
        {4, 1000, {1, 0.5}, 1, {.seconds = NAN, .threads = 2}, 0},
        {4, 1000, {1e6, 0.05}, 1, error, 2}, /* four draws can agree by chance */
        {40, 1000, {1e6, 0.10}, 1, error, 0},
        {100, 1000, {1e6, 0.12}, 1, error, 60}, /* 1.1 x 1.44 times as many in all */
        {100, 1000, {1e6, 0.9}, 1, error, 200},
        {100, 1000, {1e6, 0.9}, 900, error, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        cr_expect_eq(more_after(cases[i].draws, cases[i].frame, cases[i].total, cases[i].used,
                                cases[i].aim),
                     cases[i].more, "case %zu", i);
}
