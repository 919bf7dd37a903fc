/* SPDX-License-Identifier: MIT */
/* Plan `rows`: the reference, simple enough to be checked by eye.
 *
 * Mirroring the board left to right maps solutions to solutions. For n >= 2 no solution is its
 * own image, so solutions come in pairs, and the solution whose first queen is in the left half
 * stands for both (weight 2). For odd n the first queen may be in the middle column. The second
 * queen is not in that column then, and the solution whose second queen is in the left half
 * stands for both.
 *
 * The first two or three rows are expanded, and each resulting state is a unit.
 */
#include "search/plan.h"

static bool rows_build(int n, int depth, struct families *out) {
    *out = (struct families){0};
    struct family whole = {.weight = n < 2 ? 1 : 2, .rows = n, .board = low_bits(n)};
    for (int row = 0; row < n; row++) {
        whole.open[row] = whole.board;
        whole.step[row] = 1;
    }
    if (n < 2) /* the only boards with a solution that is its own mirror image */
        return nqi_families_add_states(out, whole, depth);

    struct family left_half = whole;
    left_half.open[0] = low_bits(n / 2);
    bool added = nqi_families_add_states(out, left_half, depth);
    if (n % 2 == 1 && added) {
        struct family middle = whole;
        middle.open[0] = UINT32_C(1) << (n / 2);
        middle.open[1] = low_bits(n / 2);
        added = nqi_families_add_states(out, middle, depth);
    }
    if (!added)
        nqi_families_free(out);
    return added;
}

const struct plan nqi_plan_rows = {
    .name = "rows",
    .version = 1,
    .min_depth = 2,
    .max_depth = 3,
    .max_depth_from = 18, /* units of depth 2 would last longer than a second */
    .build = rows_build};
