/* SPDX-License-Identifier: MIT */
/* Known numbers of which some are wrong or missing, to see what the program does then. The
 * total for n = 8 is too large by 1, that for n = 11 is too small by 1, and that for n = 12 is
 * missing. Too large by 1 are also, for n = 5, the number of solutions that a half turn leaves
 * as they are, and for n = 9 the number of completions. */
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
