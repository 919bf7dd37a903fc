/* SPDX-License-Identifier: MIT */
/* Known numbers of which some are wrong or missing, to see what the program makes of that:
 * of the totals n = 8 is one too many, n = 11 one too few, n = 12 is not known; of the
 * solutions that a half turn leaves as they are n = 5 is one too many, and so are the
 * completions of n = 9. */
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
