/* SPDX-License-Identifier: MIT */
/* Compares the statistics that `bench` shows of timings with numbers worked out by hand. */
#include "bench/bench.h"
#include "core/arrays.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double close = 1e-12;

/* mad is the median of the distances from the median. relative_mad is 1.4826 times that,
 * divided by the median. The distance of an outlier from the median exceeds both 3.5 times
 * 1.4826 mad and 3 % of the median. The second of these bounds is the greater one if timings
 * agree very closely. */
Test(statistics, are_those_worked_out_by_hand) {
    static const struct {
        size_t count;
        double samples[9];
        double median, mad; /* mad: -1 if it is not compared */
        size_t outliers;
    } cases[] = {
        {3, {3, 1, 2}, 2, 1, 0},      /* distances 1, 1, 0 */
        {4, {4, 1, 3, 2}, 2.5, 1, 0}, /* distances 1.5, 1.5, 0.5, 0.5 */
        {1, {5}, 5, 0, 0},
        {4, {0, 0, 0, 0}, 0, 0, 0},
        {5, {10, 1, 1, 2, 1}, 1, 0, 2}, /* distances 9, 0, 0, 1, 0 */
        {6, {1, 1.01, 0.99, 1.02, 0.98, 2}, 1.005, 0.015, 1},
        /* A timing is no outlier up to the distance 3.5 x 1.4826 x 0.1 = 0.51891. */
        {7, {0.9, 1, 1.1, 0.9, 1.1, 1, 1.51}, 1, 0.1, 0},
        {7, {0.9, 1, 1.1, 0.9, 1.1, 1, 1.53}, 1, 0.1, 1},
        {7, {0.9, 1, 1.1, 0.9, 1.1, 1, 0.47}, 1, 0.1, 1},
        {6, {1, 1.0001, 0.9999, 1.0002, 0.9998, 1.02}, 1.00005, -1, 0},
        {6, {1, 1.0001, 0.9999, 1.0002, 0.9998, 1.04}, 1.00005, -1, 1},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        double samples[9];
        memcpy(samples, cases[i].samples, sizeof samples);
        const struct statistics s = statistics_of(samples, cases[i].count);
        const double median = cases[i].median;
        cr_expect_eq(memcmp(samples, cases[i].samples, sizeof samples), 0);
        cr_expect_float_eq(s.median, median, close, "case %zu", i);
        cr_expect_eq(s.outliers, cases[i].outliers, "case %zu: %d", i, (int)s.outliers);
        if (cases[i].mad >= 0)
            cr_expect_float_eq(s.relative_mad, median > 0 ? 1.4826 * cases[i].mad / median : 0,
                               close, "case %zu", i);
        for (size_t k = 0; k < cases[i].count; k++)
            cr_expect(s.minimum <= samples[k] && samples[k] <= s.maximum, "case %zu", i);
    }
}
