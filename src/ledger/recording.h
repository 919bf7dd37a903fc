/* A run whose results are recorded: what the ledger held before, and a thread of its own that
 * writes what comes.
 *
 * Solved units are handed over in memory; the writer commits them at once, but no more often
 * than four times a second. So the threads that solve never wait for a disk, and a kill loses
 * the units under way and, where units are short, those of the last quarter of a second.
 */
#ifndef LEDGER_RECORDING_H
#define LEDGER_RECORDING_H

#include "ledger/ledger.h"
#include "run/run.h"

/* What a ledger holds, added up. */
struct recorded {
    uint64_t *units; /* a bit for every unit; owned */
    uint64_t count, solutions, work;
    double cost; /* expected, of these units */
    double seconds, thread_seconds;
    int runs, runs_open, runs_killed;
};

/* Reads all rows. job: the ledger's, to weigh the units with; NULL: they are counted, not
 * weighed. NQ_OVERFLOW: the sum outgrew 64 bits. */
nq_status recorded_read(struct ledger *ledger, const struct job *job, struct recorded *recorded,
                        char *detail, size_t size);
void recorded_free(struct recorded *recorded);

struct recording;

/* Begins to record a run of the job that the ledger is of. The ledger is the recording's until
 * recording_end. */
nq_status recording_begin(struct ledger *ledger, const struct job *job, int threads,
                          struct recording **recording, char *detail, size_t size);

/* Where the run's results go. */
struct sink recording_sink(struct recording *recording);

/* Commits what is left and stops the writer. NULL allowed. Returns the first failure there was.
 */
nq_status recording_end(struct recording *recording, char *detail, size_t size);

#endif
