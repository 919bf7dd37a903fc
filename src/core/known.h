/* SPDX-License-Identifier: MIT */
/* Known numbers that the public header does not have. Each function stores the number for n and
 * returns true, or returns false if none is known. */
#ifndef CORE_KNOWN_H
#define CORE_KNOWN_H

#include "core/text.h"
#include "core/total.h"

#include <nqueens.h>

/* Solutions that a half turn leaves as they are, for n = 1..32: https://oeis.org/A032522 */
bool nqi_known_half_turn(int n, uint64_t *number);

/* Solutions that a quarter turn leaves as they are, for n = 1..63: https://oeis.org/A033148 */
bool nqi_known_quarter_turn(int n, uint64_t *number);

/* Completions of method colours, plan orbits version 2, for n = 8..22: found alike by every
 * kernel and by a device, in counts whose totals were right. Nobody else has published them. */
bool nqi_known_completions(int n, uint64_t *number);

/* Compares the total of a complete count with the known one. how: "counted" or "recorded", for
 * the sentence if they differ. Returns the verdict. */
static inline nq_verdict nqi_known_verdict(int n, struct total solutions, const char *how,
                                           struct failure *failure) {
    struct total known = {0};
    char wrong[NQ_TOTAL_SIZE], right[NQ_TOTAL_SIZE];
    if (!nq_known_total(n, &known.low))
        return NQ_UNVERIFIED;
    if (total_equal(known, solutions))
        return NQ_VERIFIED;
    nqi_fail(failure, NQ_MISMATCH, "n = %d: %s %s, but the known total is %s", n, how,
             nq_total_text(solutions.low, solutions.high, wrong),
             nq_total_text(known.low, known.high, right));
    return NQ_WRONG;
}

#endif
