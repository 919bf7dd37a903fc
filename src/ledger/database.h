/* SPDX-License-Identifier: MIT */
/* A ledger's SQLite file: opening, locks, transactions, and the meaning of SQLite's errors. */
#ifndef LEDGER_DATABASE_H
#define LEDGER_DATABASE_H

#include "ledger/ledger.h"

#include <sqlite3.h>
#include <stdatomic.h>

/* Room for a row's columns as text: bar, length and colon besides each. */
enum { COLUMNS_SIZE = MAX_COLUMNS * (MAX_TEXT + 24) };

struct ledger {
    sqlite3 *db;
    sqlite3_stmt *insert[TABLES];
    double timeout;         /* seconds to wait for a lock; INFINITY: however long it takes */
    _Atomic double waiting; /* since when a commit waits for a lock; 0: none waits */
    bool no_lock;           /* the system grants no locks (ENOLCK) */
    double deadline; /* by nqi_seconds_now: when a stopped caller gives up; 0: not stopped */
    struct run *run; /* its results are recorded, its observer may stop; NULL: none */
    int64_t data_version;    /* SQLite changes it when another process commits */
    const char *file;        /* as the caller named it; borrowed */
    struct failure *failure; /* explains what went wrong; borrowed */
    const char *path;        /* as SQLite opened it; before, `file` */
    enum ledger_use use;
    bool created; /* the file did not exist before */
    bool has_job;
    nq_job job;
    char job_text[COLUMNS_SIZE]; /* of its row, for the checksums of runs and units */
};

/* Opens the file and begins a transaction, to read or to write as ledger->use says. Statuses as
 * of nqi_ledger_open. */
nq_status nqi_database_open(struct ledger *ledger);

/* Closes what nqi_database_open has opened, even if that failed. A new file is removed if
 * nothing was committed to it. */
void nqi_database_close(struct ledger *ledger);

/* The functions that follow return NQ_OK or a status of nqi_database_failed.
 *
 * Executes SQL statements. */
nq_status nqi_database_execute(struct ledger *ledger, const char *sql);

/* Calls `visit` for every row that a statement yields, and ends at the first status other than
 * NQ_OK, which it returns. */
typedef nq_status (*sql_visit)(void *context, sqlite3_stmt *row);
nq_status nqi_database_each(struct ledger *ledger, const char *sql, sql_visit visit,
                            void *context);

/* Stores the number that a statement such as a PRAGMA yields. */
nq_status nqi_database_query(struct ledger *ledger, const char *sql, int64_t *number);

/* Makes sure that no other process is writing (NQ_LEDGER_BUSY). To be called if a run in the
 * ledger has not been marked as ended: its process may have been killed, or may be between two
 * transactions. */
nq_status nqi_database_confirm_lock(struct ledger *ledger);

/* Makes the added rows durable; before more rows are added, call nqi_database_resume.
 * NQ_LEDGER_IO: also if the file was moved or deleted. */
nq_status nqi_database_commit(struct ledger *ledger);

/* Takes the write lock again after a commit. NQ_LEDGER_BUSY: another process has written since,
 * or is writing. */
nq_status nqi_database_resume(struct ledger *ledger);

/* Describes a failure, behind the file's name, and returns its status. */
__attribute__((format(printf, 3, 4))) nq_status
nqi_ledger_fail(const struct ledger *ledger, nq_status status, const char *format, ...);

/* Describes SQLite's last error, behind the file's name, and returns its status: NQ_LEDGER_IO,
 * NQ_LEDGER_BUSY, NQ_LEDGER_DAMAGED, NQ_INTERNAL or NQ_NO_MEMORY. */
nq_status nqi_database_failed(const struct ledger *ledger);

#endif
