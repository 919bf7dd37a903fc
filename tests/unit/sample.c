/* Samples of units: frames, draws, and how often the truth is inside the interval. Times are
 * made up or made of real units' work, so that the truth is known and alike in every run. */
#include "measure/sample.h"

#include "jobs.h"
#include "made_up.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

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
        const uint64_t unit = sample->unit[nqi_sample_draw(sample)];
        nqi_sample_keep(sample, unit, board->seconds[unit]);
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

/* The real units of a job: costs as expected, and times in proportion to the work and to an
 * exponential noise. */
static struct board real_board(const char *name, struct solver *job) {
    struct board board = new_board(name, job->partition->unit_count);
    uint64_t seed = job->partition->unit_count;
    void *worker = job->call->worker_new(job);
    cr_assert_not_null(worker);
    for (uint64_t id = 0; id < job->partition->unit_count; id++) {
        const struct unit_result result = solve_unit(job, worker, id);
        board.cost[id] = (double)job->partition->units[id].cost;
        board.seconds[id] = 1e-9 * (double)(result.work + 1) * (1 - 0.3 * log(uniform(&seed)));
    }
    job->call->worker_free(worker);
    close_solver(job);
    add_up(&board);
    return board;
}

Test(sample, a_frame_of_all_units_has_each_once_the_costliest_first) {
    struct board board = made_up_board(1000);
    struct sample sample = begin(&board, 1000, (struct sample_random){123456789, 0});
    bool found[1000] = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        cr_assert_lt(sample.unit[i], 1000);
        cr_expect_not(found[sample.unit[i]]);
        found[sample.unit[i]] = true;
        if (i > 0)
            cr_expect_leq(board.cost[sample.unit[i]], board.cost[sample.unit[i - 1]]);
    }
    cr_expect_eq(sample.frame_variance, 0);
    nqi_sample_end(&sample);
    free_board(&board);
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
            nqi_sample_keep(&sample, sample.unit[i], 1);
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

Test(sample, draws_are_spread_evenly) {
    struct board board = new_board("equal", 1000);
    for (int id = 0; id < 1000; id++)
        board.cost[id] = 1;
    for (uint64_t start = 0; start < 100; start++) {
        uint64_t seed = start;
        struct sample sample = begin(&board, 1000, random_start(&seed));
        int tenth[10] = {0};
        for (int k = 0; k < 100; k++)
            tenth[nqi_sample_draw(&sample) / 100]++;
        for (int i = 0; i < 10; i++)
            cr_expect(tenth[i] >= 8 && tenth[i] <= 12, "%d of 100 draws", tenth[i]);
        nqi_sample_end(&sample);
    }
    free_board(&board);
}

Test(sample, all_units_measured_have_no_error) {
    struct board board = made_up_board(100);
    struct sample sample = begin(&board, 100, (struct sample_random){0, 0});
    for (uint64_t id = 0; id < 100; id++)
        nqi_sample_keep(&sample, id, board.seconds[id]);
    const struct sample_total total = nqi_sample_total(&sample);
    cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
    cr_expect_eq(total.error, 0);
    nqi_sample_end(&sample);
    free_board(&board);
}

/* If seconds are in proportion to costs, any draw tells the total. */
Test(sample, exact_costs_give_an_exact_total) {
    struct board board = made_up_board(100);
    for (int id = 0; id < 100; id++)
        board.seconds[id] = 3 * board.cost[id];
    add_up(&board);
    struct sample sample = begin(&board, 100, (struct sample_random){0, 77});
    measure(&board, &sample, 10);
    const struct sample_total total = nqi_sample_total(&sample);
    cr_expect_float_eq(total.seconds, board.total, 1e-9 * board.total);
    cr_expect_lt(total.error, 1e-6);
    nqi_sample_end(&sample);
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

/* A thousand estimates of so many draws, or until an error is reached: is the mean the truth,
 * within four of its standard errors, and is the truth inside the interval as often as it
 * should be, within four standard errors, too? An estimate that ends early has a small bias: it
 * ends more readily where times are alike. */
static void expect_honest(const struct board *board, uint64_t frame, uint64_t draws,
                          double error) {
    enum { ESTIMATES = 1000 };
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
    struct board board = made_up_board(5000);
    for (uint64_t draws = 8; draws <= 128; draws *= 4)
        expect_honest(&board, board.units, draws, 0);
    expect_honest(&board, board.units, 0, 0.1);
    free_board(&board);
}

Test(sample, estimates_from_a_part_of_the_units_are_honest) {
    struct board board = made_up_board(200000);
    for (uint64_t draws = 8; draws <= 128; draws *= 4)
        expect_honest(&board, 1500, draws, 0);
    free_board(&board);
}

/* The frame's own share of the error. Here it is all of it. */
Test(sample, the_error_of_a_small_frame_is_counted) {
    struct board board = made_up_board(200000);
    for (uint64_t id = 0; id < board.units; id++)
        board.seconds[id] = board.cost[id];
    add_up(&board);
    expect_honest(&board, 100, 8, 0);
    free_board(&board);
}

Test(sample, estimates_of_real_boards_are_honest) {
    struct board boards[] = {
        real_board("join, n = 15", open_join(15, "scalar64", true, 1)),
        real_board("join, n = 16", open_join(16, "scalar64", true, 1)),
        real_board("search, n = 15", open_search(15, "cross", 0, "scalar64")),
        real_board("search, rows, n = 12", open_search(12, "rows", 3, "scalar64")),
        real_board("search, rows, n = 13", open_search(13, "rows", 3, "scalar64")),
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        for (uint64_t draws = 32; draws <= boards[i].units / 3; draws *= 2)
            expect_honest(&boards[i], boards[i].units, draws, 0);
        free_board(&boards[i]);
    }
}

static uint64_t more_after(uint64_t draws, double seconds, double error, double used,
                           struct sample_aim aim) {
    struct board board = made_up_board(1000);
    struct sample sample = begin(&board, 1000, (struct sample_random){0, 0});
    measure(&board, &sample, draws);
    const struct sample_total total = {.seconds = seconds, .error = error};
    const uint64_t more = nqi_sample_more(&sample, &total, &aim, used);
    nqi_sample_end(&sample);
    free_board(&board);
    return more;
}

Test(sample, draws_follow_the_time_that_is_left) {
    const struct sample_aim aim = {.seconds = 10, .threads = 2};
    cr_expect_eq(more_after(4, 1e6, 0.5, 1, aim), 8); /* at most twice as many as so far */
    cr_expect_eq(more_after(40, 1e6, 0.5, 5, aim), 40);
    cr_expect_eq(more_after(40, 1e6, 0.5, 9, aim), 0); /* little is left */
    cr_expect_eq(more_after(40, 1e6, 0.5, 90, aim), 0);
    cr_expect_eq(more_after(4, 12, 0.5, 1, aim), SAMPLE_ALL); /* at most 18 of 2 x 9 */
    cr_expect_lt(more_after(4, 12.1, 0.5, 1, aim), SAMPLE_ALL);
    const struct sample_aim none = {.seconds = NAN, .threads = 2};
    cr_expect_eq(more_after(4, 1, 0.5, 1, none), 0);
}

/* The units outside the frame could not be measured with the others. */
Test(sample, a_part_of_the_units_is_never_all) {
    struct board board = made_up_board(1000);
    struct sample sample = begin(&board, 100, (struct sample_random){0, 0});
    measure(&board, &sample, 4);
    const struct sample_total total = {.seconds = 1};
    const struct sample_aim aim = {.seconds = 1000, .threads = 2};
    cr_expect_eq(nqi_sample_more(&sample, &total, &aim, 1), 8);
    nqi_sample_end(&sample);
    free_board(&board);
}

Test(sample, draws_follow_the_error) {
    const struct sample_aim aim = {.seconds = 1000, .error = 0.1, .threads = 2};
    cr_expect_eq(more_after(4, 1e6, 0.05, 1, aim), 2); /* four draws can agree by chance */
    cr_expect_eq(more_after(40, 1e6, 0.05, 1, aim), 0);
    cr_expect_eq(more_after(40, 1e6, 0.10, 1, aim), 0);
    cr_expect_eq(more_after(100, 1e6, 0.12, 1, aim), 60); /* 1.1 x 1.44 times as many in all */
    cr_expect_eq(more_after(100, 1e6, 0.9, 1, aim), 200);
    cr_expect_eq(more_after(100, 1e6, 0.9, 900, aim), 0);
}
