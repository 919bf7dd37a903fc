/* SPDX-License-Identifier: MIT */
/* Known boards counted again and again: a test of the machine. */
#ifndef MEASURE_BURN_IN_H
#define MEASURE_BURN_IN_H

#include <nqueens.h>

struct burn_in {
    double seconds;  /* since the burn-in began */
    uint64_t counts; /* finished */
    uint64_t wrong;  /* those of them with another total than the known one, or another unit */
    uint64_t units;  /* compared with those of an earlier count */
    char first[512]; /* says what was wrong first; "": nothing */
};

/* What to count, for how long, and who is told. */
struct burn_in_request {
    int first, last; /* 0 <= first <= last <= NQ_MAX_KNOWN_N */
    double seconds;
    /* Called several times a second by one thread of the count; false: stop. */
    bool (*report)(void *context, const struct burn_in *so_far);
    void *context;
};

/* Counts the boards from first to last, one after the other, by each method with each kernel
 * that runs here, and begins again, until the time is over. A method's first count of a board
 * is compared with the known total, and keeps the result of every unit, 32 bytes each; the
 * later counts are compared with these, too. A count that the end of the time stops is not
 * among the finished ones.
 *
 * options: NULL for the defaults; method and kernel leave the others out; plan, depth, ledger,
 * shard and the progress callback have no effect.
 *
 * Returns NQ_OK: no count was wrong; NQ_CANCELLED: report said stop, and none was wrong;
 * NQ_MISMATCH: some were wrong, and burn_in->first names the first; or another status of
 * nq_count_solutions(). */
nq_status nqi_burn_in(const struct burn_in_request *request, const nq_options *options,
                      struct burn_in *burn_in);

#endif
