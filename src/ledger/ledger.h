/* SPDX-License-Identifier: MIT */
/* A ledger: one SQLite file with the results of a job's units.
 *
 * A writer holds SQLite's RESERVED lock from opening to its last commit: other processes can
 * read, but not write. The lock is free for a moment between a commit and the next transaction.
 * If another process writes at such a moment, the first writer notices and stops.
 *
 * The rollback journal is used, not WAL, which network file systems do not support. The content
 * is not trusted: opening checks the file's structure, reading checks every row.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "core/method.h"
#include "core/text.h"
#include "ledger/table.h"

#include <nqueens.h>

struct ledger;

/* Most units of a job. Readers take a bit for each, so a false number must not ask for all
 * memory; n = 28 has 592,798. */
enum { MAX_UNITS = INT32_MAX };

enum ledger_use {
    LEDGER_READ,  /* an existing file; for any number of processes at a time */
    LEDGER_WRITE, /* an existing or a new file; for one process at a time */
    LEDGER_CREATE /* like LEDGER_WRITE, but the file must not exist */
};

/* Every function that takes `failure` explains NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED,
 * NQ_LEDGER_OTHER and NQ_INTERNAL in `failure`, and names the file. NQ_NO_MEMORY may
 * come without a sentence. */

/* Opens a ledger and checks all but its rows of runs and units. Returns NQ_OK, or
 *   NQ_LEDGER_IO: the file cannot be opened, is not a regular file, or exists (LEDGER_CREATE);
 *   NQ_LEDGER_BUSY: another process has locked it;
 *   NQ_LEDGER_DAMAGED: the file is damaged, or not a ledger that this version knows;
 *   NQ_NO_MEMORY. */
nq_status nqi_ledger_open(const char *file, enum ledger_use use, struct ledger **ledger,
                          struct failure *failure);

/* Closes a ledger; NULL does nothing. Rows that are not committed are dropped. A new file is
 * removed if nothing was committed to it. */
void nqi_ledger_close(struct ledger *ledger);

/* keep_waiting is called many times a second while another process holds a lock that blocks a
 * commit. The commit fails two seconds after keep_waiting returned false; it is not called
 * again then. Without a busy handler a commit waits for ten minutes, that of a recording for
 * ever. */
struct busy_handler {
    bool (*keep_waiting)(void *context);
    void *context;
};

/* Returns the file's name, as the caller of nqi_ledger_open gave it. */
const char *nqi_ledger_file(const struct ledger *ledger);

/* Returns for how many seconds a commit has been waiting for another process; 0: it does not.
 * Any thread may call it. */
double nqi_ledger_waiting(const struct ledger *ledger);

/* Returns whether nothing has been committed to the ledger yet. */
bool nqi_ledger_is_new(const struct ledger *ledger);

/* Calls `visit` for every row of a table by rising id, and ends at the first status other than
 * NQ_OK, which it returns. Rows that are passed to `visit` are intact; a unit's id is within
 * the job's range, and its numbers are not negative. Also returns NQ_LEDGER_DAMAGED,
 * NQ_LEDGER_IO, NQ_LEDGER_BUSY or NQ_NO_MEMORY. */
typedef nq_status (*row_visit)(void *context, const struct row *row);
nq_status nqi_ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                          void *context, struct failure *failure);

/* What one host contributed to a ledger. */
struct ledger_host {
    char name[65];
    uint64_t units;
    double thread_seconds;
    int64_t last; /* when its last unit was finished: seconds since 1970, by the host's clock */
};

/* Calls `visit` for every host that solved units, those with the most units first; otherwise
 * like nqi_ledger_each. Read the units by that before: this does not check their rows. */
typedef nq_status (*host_visit)(void *context, const struct ledger_host *host);
nq_status nqi_ledger_each_host(struct ledger *ledger, host_visit visit, void *context,
                               struct failure *failure);

/* Ends reading, so that writers need not wait. After that only the job and the file's name can
 * be asked for. */
void nqi_ledger_end_reading(struct ledger *ledger);

/* Adds a row. A run's row replaces its earlier row (same id, equal or shorter time). Returns
 * NQ_OK, NQ_INTERNAL (the unit is recorded), NQ_LEDGER_IO, NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED or
 * NQ_NO_MEMORY. */
nq_status nqi_ledger_add(struct ledger *ledger, enum table_id table, const struct row *row,
                         struct failure *failure);

/* Makes the added rows durable; before more rows are added, call nqi_ledger_resume. Returns
 * NQ_OK, NQ_LEDGER_IO (also if the file was moved or deleted), NQ_LEDGER_BUSY,
 * NQ_LEDGER_DAMAGED or NQ_NO_MEMORY. */
nq_status nqi_ledger_commit(struct ledger *ledger, struct failure *failure);

/* Takes the write lock again after a commit. Returns NQ_OK, NQ_LEDGER_BUSY (another process has
 * written since, or is writing), NQ_LEDGER_IO, NQ_LEDGER_DAMAGED or NQ_NO_MEMORY. */
nq_status nqi_ledger_resume(struct ledger *ledger, struct failure *failure);

#endif
