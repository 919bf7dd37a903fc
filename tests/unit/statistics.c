/* Statistics of a few samples, compared with numbers worked out by hand. */
#include "bench/statistics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double close = 1e-12;

#define COUNT(array) (sizeof(array) / sizeof *(array))

Test(statistics, are_right_for_an_odd_number_of_samples) {
    const double samples[] = {3, 1, 2};
    struct statistics s = statistics_of(samples, COUNT(samples));
    cr_expect_float_eq(s.median, 2, close);
    cr_expect_float_eq(s.mean, 2, close);
    cr_expect_float_eq(s.deviation, 1, close);
    cr_expect_float_eq(s.minimum, 1, close);
    cr_expect_float_eq(s.maximum, 3, close);
    cr_expect_float_eq(s.relative_mad, 1.4826 * 1 / 2, close); /* distances 1, 1, 0 */
    cr_expect_eq(s.outliers, 0);
}

Test(statistics, are_right_for_an_even_number_of_samples) {
    const double samples[] = {4, 1, 3, 2};
    struct statistics s = statistics_of(samples, COUNT(samples));
    cr_expect_float_eq(s.median, 2.5, close);
    cr_expect_float_eq(s.mean, 2.5, close);
    cr_expect_float_eq(s.deviation, sqrt(5.0 / 3), close); /* squares 2 x 2.25, 2 x 0.25 */
    cr_expect_float_eq(s.relative_mad, 1.4826 * 1 / 2.5,
                       close); /* distances 2 x 1.5, 2 x 0.5 */
    cr_expect_eq(s.outliers, 0);
}

Test(statistics, are_right_for_two_samples) {
    const double samples[] = {1, 3};
    struct statistics s = statistics_of(samples, COUNT(samples));
    cr_expect_float_eq(s.median, 2, close);
    cr_expect_float_eq(s.deviation, sqrt(2), close);
    cr_expect_float_eq(s.relative_mad, 1.4826 / 2, close);
    cr_expect_eq(s.outliers, 0);
}

Test(statistics, tell_the_median_from_the_mean) {
    const double samples[] = {10, 1, 1, 2, 1};
    struct statistics s = statistics_of(samples, COUNT(samples));
    cr_expect_float_eq(s.median, 1, close);
    cr_expect_float_eq(s.mean, 3, close);
    cr_expect_float_eq(s.deviation, sqrt(62.0 / 4), close); /* 49, 4, 4, 1, 4 */
}

static void expect_all_equal(double value, size_t count) {
    double samples[9];
    for (size_t i = 0; i < count; i++)
        samples[i] = value;
    struct statistics s = statistics_of(samples, count);
    cr_expect_float_eq(s.median, value, close, "%zu x %g", count, value);
    cr_expect_float_eq(s.mean, value, close, "%zu x %g", count, value);
    cr_expect_float_eq(s.minimum, value, close, "%zu x %g", count, value);
    cr_expect_float_eq(s.maximum, value, close, "%zu x %g", count, value);
    cr_expect_float_eq(s.deviation, 0, close, "%zu x %g", count, value);
    cr_expect_float_eq(s.relative_mad, 0, close, "%zu x %g", count, value);
    cr_expect_eq(s.outliers, 0, "%zu x %g", count, value);
}

Test(statistics, of_equal_samples_have_no_spread) {
    expect_all_equal(2, 2);
    expect_all_equal(0.25, 9);
}

Test(statistics, of_one_sample_have_no_spread) {
    expect_all_equal(5, 1);
    expect_all_equal(1e-9, 1);
}

/* The spread is relative to the median, which is 0 here. */
Test(statistics, of_zeros_have_no_spread) {
    expect_all_equal(0, 1);
    expect_all_equal(0, 4);
}

/* Distances from 1.005: 0.005, 0.005, 0.015, 0.015, 0.025 and 0.995. */
Test(statistics, count_an_outlier) {
    const double samples[] = {1.00, 1.01, 0.99, 1.02, 0.98, 2.00};
    struct statistics s = statistics_of(samples, COUNT(samples));
    cr_expect_float_eq(s.relative_mad, 1.4826 * 0.015 / 1.005, close);
    cr_expect_eq(s.outliers, 1);
}

Test(statistics, count_outliers_on_both_sides) {
    const double samples[] = {0.5, 1.00, 1.01, 0.99, 1.02, 0.98, 1.00, 2.0, 3.0};
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 3);
}

/* 3.5 x 1.4826 x 0.1 = 0.51891 from the median. */
Test(statistics, count_outliers_from_a_score_of_3_5) {
    double samples[] = {0.9, 1.0, 1.1, 0.9, 1.1, 1.0, 1.0 + 0.51};
    cr_expect_float_eq(statistics_of(samples, COUNT(samples)).relative_mad, 1.4826 * 0.1,
                       close);
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 0);
    samples[6] = 1.0 + 0.53;
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 1);
    samples[6] = 1.0 - 0.53;
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 1);
}

/* The others agree so closely that 2 % are many deviations, but still too little to matter. */
Test(statistics, count_nothing_near_the_median_as_an_outlier) {
    double samples[] = {1.0000, 1.0001, 0.9999, 1.0002, 0.9998, 1.02};
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 0);
    samples[5] = 1.04;
    cr_expect_eq(statistics_of(samples, COUNT(samples)).outliers, 1);
}

Test(statistics, leave_the_samples_as_they_are) {
    const double before[] = {3, 1, 2, 5, 4};
    double samples[COUNT(before)];
    memcpy(samples, before, sizeof samples);
    statistics_of(samples, COUNT(samples));
    cr_expect_eq(memcmp(samples, before, sizeof samples), 0);
}

/* The serial share found in times a + b / p, which follow Amdahl's law. */
static double share_of(double a, double b, const int *threads, size_t count) {
    double seconds[8];
    for (size_t i = 0; i < count; i++)
        seconds[i] = a + b / threads[i];
    return serial_share(threads, seconds, count);
}

Test(serial_share, is_found_in_exact_times) {
    static const int threads[] = {1, 2, 3, 4, 8, 16, 64, 4096};
    const double shares[] = {0.5, 0.25, 0.1, 0.01, 1e-4, 0.9};
    for (size_t i = 0; i < COUNT(shares); i++)
        for (size_t count = 2; count <= COUNT(threads); count++)
            for (double scale = 1e-3; scale < 1e4; scale *= 1e3)
                cr_expect_float_eq(
                    share_of(scale * shares[i], scale * (1 - shares[i]), threads, count),
                    shares[i], 1e-9, "%g, %zu numbers of threads", shares[i], count);
}

Test(serial_share, needs_no_order_and_no_time_of_one_thread) {
    const int threads[] = {8, 2, 6};
    cr_expect_float_eq(share_of(1, 9, threads, COUNT(threads)), 0.1, close);
}

Test(serial_share, may_be_nothing_or_everything) {
    const int threads[] = {1, 2, 4};
    cr_expect_float_eq(share_of(0, 1, threads, COUNT(threads)), 0, 1e-9);
    cr_expect_float_eq(share_of(1, 0, threads, COUNT(threads)), 1, 1e-9);
}

/* For 1 s and 2 s at one thread, 1.2 s has the least squares of relative errors; 1.5 s would
 * have those of absolute errors. And 0.6 + 0.6 / p is 0.9 s at two threads. */
Test(serial_share, has_the_least_relative_errors) {
    const int threads[] = {1, 1, 2};
    const double seconds[] = {1, 2, 0.9};
    cr_expect_float_eq(serial_share(threads, seconds, COUNT(threads)), 0.5, close);
}

Test(serial_share, is_unknown_for_one_number_of_threads) {
    const int threads[] = {2, 2, 2};
    const double seconds[] = {1, 1.5, 2};
    for (size_t count = 0; count <= COUNT(threads); count++)
        cr_expect_lt(serial_share(threads, seconds, count), 0, "%zu times", count);
}

/* Twice the threads may take less than half the time, for example because of caches. */
Test(serial_share, is_zero_if_the_gain_is_more_than_linear) {
    const int threads[] = {1, 2};
    cr_expect_eq(serial_share(threads, (double[]){8, 3}, 2), 0);
}

Test(serial_share, is_one_if_more_threads_are_slower) {
    const int threads[] = {1, 2};
    cr_expect_eq(serial_share(threads, (double[]){1, 2}, 2), 1);
}
