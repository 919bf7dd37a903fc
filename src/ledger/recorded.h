/* What a ledger holds, added up. */
#ifndef LEDGER_RECORDED_H
#define LEDGER_RECORDED_H

#include "ledger/ledger.h"
#include "method/method.h"

struct recorded {
    uint64_t *units; /* a bit for every unit; owned */
    uint64_t count, solutions, work;
    double cost; /* expected, of these units */
    double seconds, thread_seconds;
    int runs, runs_open, runs_killed;
};

/* Reads all rows. job: the ledger's, to weigh the units with; NULL: they are counted, not
 * weighed. NQ_OVERFLOW: the sum outgrew 64 bits. */
nq_status nqi_recorded_read(struct ledger *ledger, const struct job *job,
                            struct recorded *recorded, char *detail, size_t size);
void nqi_recorded_free(struct recorded *recorded);

#endif
