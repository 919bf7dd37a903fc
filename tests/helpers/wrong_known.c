/* SPDX-License-Identifier: MIT */
/* Known numbers, some of which are wrong or missing, to see what the program makes of them:
 *
 *     n    number                                   here
 *     5    solutions that a half turn leaves alone  3 instead of 2
 *     8    total                                    93 instead of 92
 *     9    completions                              494 instead of 493
 *     11   total                                    2679 instead of 2680
 *
 * All other totals up to n = 11 are right. No other numbers are known here: no total for
 * n > 11, and none of classes or of solutions that a quarter turn leaves alone. */
#include "core/arrays.h"
#include "core/known.h"

bool nq_known_total(int n, uint64_t *total) {
    static const uint64_t totals[] = {1, 1, 0, 0, 2, 10, 4, 40, 93, 352, 724, 2679};
    if (n < 0 || n >= (int)LENGTH(totals))
        return false;
    *total = totals[n];
    return true;
}

bool nq_known_fundamental(int n, uint64_t *total) {
    (void)n, (void)total;
    return false;
}

bool nqi_known_completions(int n, uint64_t *number) {
    *number = 494;
    return n == 9;
}

bool nqi_known_half_turn(int n, uint64_t *total) {
    *total = 3;
    return n == 5;
}

bool nqi_known_quarter_turn(int n, uint64_t *total) {
    (void)n, (void)total;
    return false;
}
