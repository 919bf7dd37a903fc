/* SPDX-License-Identifier: MIT */
/* Plan `rows`: the reference, simple enough to be checked by eye.
 *
 * Mirroring the board left to right maps solutions to solutions. For n >= 2 no solution is its
 * own image, so solutions come in pairs, and the solution whose first queen is in the left half
 * stands for both (weight 2). For odd n the first queen may be in the middle column. The second
 * queen is not in that column then, and the solution whose second queen is in the left half
 * stands for both.
 *
 * The first rows are expanded, and each resulting state is a unit: two rows, or three where
 * units of two would last longer than a second.
 */
#include "search/plan.h"

static bool rows_build(int n, struct families *out) {
    const int expanded = n < 18 ? 2 : 3;
    *out = (struct families){0};
    struct family whole = {.weight = n < 2 ? 1 : 2, .rows = n, .board = low_bits(n)};
    for (int row = 0; row < n; row++) {
        whole.open[row] = whole.board;
        whole.step[row] = 1;
    }
    if (n < 2) /* the only boards with a solution that is its own mirror image */
        return nqi_families_add_states(out, whole, expanded);

    struct family left_half = whole;
    left_half.open[0] = low_bits(n / 2);
    bool added = nqi_families_add_states(out, left_half, expanded);
    if (n % 2 == 1 && added) {
        struct family middle = whole;
        middle.open[0] = UINT32_C(1) << (n / 2);
        middle.open[1] = low_bits(n / 2);
        added = nqi_families_add_states(out, middle, expanded);
    }
    if (!added)
        nqi_families_free(out);
    return added;
}

const struct plan nqi_plan_rows = {.name = "rows", .version = 1, .build = rows_build};
