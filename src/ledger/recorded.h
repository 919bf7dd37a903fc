/* SPDX-License-Identifier: MIT */
/* The sums of what a ledger holds. */
#ifndef LEDGER_RECORDED_H
#define LEDGER_RECORDED_H

#include "core/method.h"
#include "ledger/ledger.h"

struct recorded {
    uint64_t *units; /* one bit per unit: it is recorded; owned */
    uint64_t count, solutions;
    uint64_t work; /* as of work_sum */
    uint64_t cost; /* expected cost of these units */
    double seconds, thread_seconds;
    int runs, runs_open, runs_killed;
};

/* Reads and checks all rows of runs and units. partition: of the ledger's job, for weights and
 * costs; NULL: `solutions` and `cost` stay 0. Returns NQ_OK, NQ_OVERFLOW (the sum of solutions
 * exceeds 64 bits), NQ_NO_MEMORY, or a status of nqi_ledger_each. */
nq_status nqi_recorded_read(struct ledger *ledger, const struct partition *partition,
                            struct recorded *recorded, struct failure *failure);

void nqi_recorded_free(struct recorded *recorded);

#endif
