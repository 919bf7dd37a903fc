/* SPDX-License-Identifier: MIT */
/* Known numbers that the public header lacks, and the comparison of a total with the known one.
 * Each function nqi_known_... stores the number for n and returns true, or returns false if
 * none is known. */
#ifndef CORE_KNOWN_H
#define CORE_KNOWN_H

#include "core/failure.h"

#include <inttypes.h>
#include <nqueens.h>

/* Solutions that a half turn leaves as they are, for n = 1..32: https://oeis.org/A032522 */
bool nqi_known_half_turn(int n, uint64_t *number);

/* Solutions that a quarter turn leaves as they are, for n = 1..63: https://oeis.org/A033148 */
bool nqi_known_quarter_turn(int n, uint64_t *number);

/* Completions that method `colours`, version 2, finds for n = 8..22. They come from this
 * program: each kernel and a device found the same numbers, in counts whose totals were right.
 * There is no other source for them. */
bool nqi_known_completions(int n, uint64_t *number);

/* Compares the total of a complete count with the known one, and returns the verdict. If they
 * differ, `failure` says so; `how` is a word of that sentence, "counted" or "recorded". */
static inline nq_verdict nqi_known_verdict(int n, uint64_t solutions, const char *how,
                                           struct failure *failure) {
    uint64_t known;
    if (!nq_known_total(n, &known))
        return NQ_UNVERIFIED;
    if (known == solutions)
        return NQ_VERIFIED;
    nqi_fail(failure, NQ_MISMATCH, "n = %d: %s %" PRIu64 ", but the known total is %" PRIu64, n,
             how, solutions, known);
    return NQ_WRONG;
}

#endif
