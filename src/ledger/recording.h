/* SPDX-License-Identifier: MIT */
/* Records the results of a run. A thread of its own writes them to the ledger.
 *
 * Threads that solve units pass the results on in memory, and never wait for a disk. The writer
 * commits them at once, but at most four times a second. So a kill loses the units under way,
 * and the units that finished in the last quarter of a second.
 *
 * While another process reads the ledger, a commit has to wait, however long that takes:
 * results wait in memory.
 */
#ifndef LEDGER_RECORDING_H
#define LEDGER_RECORDING_H

#include "ledger/ledger.h"
#include "run/run.h"

struct recording;

/* Begins to record a run of the ledger's job, and starts the writer. Until nqi_recording_end
 * only the recording may use the ledger. busy: called, during this call, while another process
 * holds a lock; NULL: none. Returns NQ_OK, or a status of nqi_ledger_each, nqi_ledger_add,
 * nqi_ledger_commit or nqi_ledger_resume. */
nq_status nqi_recording_begin(struct ledger *ledger, const struct solver *solver, int threads,
                              struct busy_handler *busy, struct recording **recording,
                              struct failure *failure);

/* Returns the sink that takes the run's results. */
struct sink nqi_recording_sink(struct recording *recording);

/* Commits the remaining results and stops the writer. recording: NULL does nothing. busy: as
 * above. Returns NQ_OK or the writer's first failure. If that is NQ_LEDGER_BUSY, the sentence
 * says how many results are lost. */
nq_status nqi_recording_end(struct recording *recording, struct busy_handler *busy,
                            struct failure *failure);

#endif
