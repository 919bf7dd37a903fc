/* From the number of solutions to the number of classes, by Burnside's lemma. */
#include "core/failure.h"
#include "core/known.h"
#include "library/symmetric.h"

#include <inttypes.h>
#include <stdio.h>

/* Computes the numbers of classes by Burnside's lemma. For n > 1 no reflection leaves a
 * solution as it is, since two queens would share a line; for n < 2 all eight symmetries do.
 * False: that number of solutions is impossible. */
static bool divide(int n, uint64_t solutions, nq_classes *classes) {
    uint64_t fixed; /* by the symmetries, summed over them */
    classes->half_turn = nqi_count_half_turn(n);
    classes->quarter_turn = nqi_count_quarter_turn(n);
    if (n < 2) {
        classes->fundamental = 1;
        return solutions == 1;
    }
    if (__builtin_add_overflow(solutions, classes->half_turn + 2 * classes->quarter_turn,
                               &fixed))
        return false;
    classes->fundamental = fixed / 8;
    return fixed % 8 == 0 && solutions >= classes->half_turn;
}

/* Compares a number with the known one; if none is known, increments *unknown. */
static nq_status compare(int n, const char *name, uint64_t number,
                         bool (*known)(int, uint64_t *), int *unknown,
                         struct failure *failure) {
    uint64_t expected;
    if (!known(n, &expected)) {
        ++*unknown;
        return NQ_OK;
    }
    if (number == expected)
        return NQ_OK;
    return nqi_fail(failure, NQ_MISMATCH,
                    "n = %d: %s: %" PRIu64 ", but the known number is %" PRIu64, n, name,
                    number, expected);
}

static nq_status count_classes(int n, uint64_t solutions, nq_classes *classes,
                               struct failure *failure) {
    if (n < 0 || n > NQ_MAX_N)
        return nqi_fail(failure, NQ_BAD_N, "n = %d: expected 0 to %d", n, NQ_MAX_N);
    int unknown = 0;
    nq_status status = NQ_MISMATCH;
    if (!divide(n, solutions, classes))
        nqi_fail(failure, status,
                 "n = %d: %" PRIu64 " solutions cannot be right: a half turn leaves %" PRIu64
                 " and a quarter turn %" PRIu64 " solutions as they are",
                 n, solutions, classes->half_turn, classes->quarter_turn);
    else
        status = compare(n, "solutions that a half turn leaves as they are (A032522)",
                         classes->half_turn, nqi_known_half_turn, &unknown, failure);
    if (status == NQ_OK)
        status = compare(n, "solutions that a quarter turn leaves as they are (A033148)",
                         classes->quarter_turn, nqi_known_quarter_turn, &unknown, failure);
    if (status == NQ_OK)
        status = compare(n, "fundamental solutions (A002562)", classes->fundamental,
                         nq_known_fundamental, &unknown, failure);
    classes->verdict = status != NQ_OK ? NQ_WRONG : unknown == 0 ? NQ_VERIFIED : NQ_UNVERIFIED;
    return status;
}

nq_status nq_count_classes(int n, uint64_t solutions, nq_classes *classes) {
    struct failure failure = {0};
    *classes = (nq_classes){0};
    nq_status status = count_classes(n, solutions, classes, &failure);
    return nqi_end_call(status, &failure);
}
