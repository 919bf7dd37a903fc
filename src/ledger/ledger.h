/* A ledger: one SQLite file with the results of a job's units.
 *
 * Whoever writes holds SQLite's RESERVED lock from opening to the last commit, but for the
 * moment between a commit and the next transaction: others may read meanwhile, and nobody else
 * may write. Should somebody get in at such a moment, the first writer sees it and stops. The
 * rollback journal is used, not WAL, since that is what network file systems can do. Nothing is
 * trusted unread: opening checks the file's structure, and every row its own content.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "ledger/table.h"

#include <nqueens/nqueens.h>

struct ledger;

/* What a ledger is of. */
struct ledger_job {
    int n;
    char method[MAX_TEXT + 1], plan[MAX_TEXT + 1];
    int plan_version, depth;
    uint64_t units;
};

enum ledger_use {
    LEDGER_READ,  /* an existing one; several processes may */
    LEDGER_WRITE, /* an existing one or a new one; one process at a time */
    LEDGER_CREATE /* to write a new one; refused where there is a file */
};

/* Opens and checks a ledger. Every function below that returns NQ_LEDGER_IO, NQ_LEDGER_BUSY,
 * NQ_LEDGER_DAMAGED, NQ_LEDGER_OTHER or NQ_LOST_UNIT (a unit is there already) says why in
 * detail[0..size-1], and names the file; NQ_NO_MEMORY speaks for itself. */
nq_status nqi_ledger_open(const char *file, enum ledger_use use, struct ledger **ledger,
                          char *detail, size_t size);
/* NULL allowed. What is not committed is dropped; a new file that nothing was committed to is
 * removed. */
void nqi_ledger_close(struct ledger *ledger);

/* Called several times a second while another process holds a lock that blocks a commit. False:
 * give up in two seconds; without that answer, after ten minutes. */
struct busy_handler {
    bool (*go_on)(void *context);
    void *context;
};

const char *nqi_ledger_file(const struct ledger *ledger);

/* Whether nothing has been committed to it yet. */
bool nqi_ledger_is_new(const struct ledger *ledger);

/* Calls `visit` for every row of a table by rising id, until it returns something else than
 * NQ_OK; says what is wrong with damaged ones. Units are then within the job's range, and their
 * numbers are not negative. */
typedef nq_status (*row_visit)(void *context, const struct row *row);
nq_status nqi_ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                          void *context, char *detail, size_t size);

/* Ends reading, so that a writer does not have to wait for us any longer: all that can be asked
 * then is the job. */
void nqi_ledger_end_reading(struct ledger *ledger);

/* Adds a row. A unit that has one already is an error, a run's row is replaced. */
nq_status nqi_ledger_add(struct ledger *ledger, enum table_id table, const struct row *row,
                         char *detail, size_t size);

/* Makes what was added durable. NQ_LEDGER_IO also where the file was moved or deleted since. To
 * add more, go on. */
nq_status nqi_ledger_commit(struct ledger *ledger, char *detail, size_t size);

/* Begins to write again. NQ_LEDGER_BUSY: somebody else has written meanwhile. */
nq_status nqi_ledger_go_on(struct ledger *ledger, char *detail, size_t size);

#endif
