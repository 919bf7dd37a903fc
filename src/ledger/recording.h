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

struct recording;

/* Begins to record a run of the job that the ledger is of. The ledger is the recording's until
 * nqi_recording_end. busy: asked during this call while other processes hold locks; NULL: none.
 */
nq_status nqi_recording_begin(struct ledger *ledger, const struct job *job, int threads,
                              struct busy_handler *busy, struct recording **recording,
                              char *detail, size_t size);

/* Where the run's results go. */
struct sink nqi_recording_sink(struct recording *recording);

/* Commits what is left and stops the writer. recording: NULL allowed; busy: as above. Returns
 * the first failure there was. */
nq_status nqi_recording_end(struct recording *recording, struct busy_handler *busy,
                            char *detail, size_t size);

#endif
