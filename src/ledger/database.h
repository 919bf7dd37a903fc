/* The SQLite file of a ledger: opening it, locks, transactions, and what its failures mean. */
#ifndef LEDGER_DATABASE_H
#define LEDGER_DATABASE_H

#include "ledger/ledger.h"

#include <sqlite3.h>
#include <stdatomic.h>

struct ledger {
    sqlite3 *db;
    sqlite3_stmt *insert[TABLES];
    double timeout;  /* seconds to wait for a lock */
    double waiting;  /* for a lock, since then: by nqi_seconds_now */
    double deadline; /* by nqi_seconds_now: the caller wants to wait no longer; 0: not set */
    struct busy_handler *_Atomic busy; /* NULL: none */
    int64_t others;                    /* changes when another process has committed */
    const char *file;                  /* as the caller named it; borrowed */
    char path[4096];                   /* as SQLite gets it */
    enum ledger_use use;
    bool is_new;  /* nothing committed yet */
    bool created; /* the file was not there before */
    bool has_job;
    struct ledger_job job;
    struct job_text job_text;
};

/* Opens the file and begins a transaction, to read or to write as ledger->use says. */
nq_status nqi_database_open(struct ledger *ledger, char *detail, size_t size);

/* Closes it; removes it if it is new and nothing was ever committed. */
void nqi_database_close(struct ledger *ledger);

nq_status nqi_database_execute(struct ledger *ledger, const char *sql, char *detail,
                               size_t size);

/* The number that a statement such as a PRAGMA yields. */
nq_status nqi_database_ask(struct ledger *ledger, const char *sql, int64_t *number,
                           char *detail, size_t size);

/* Sets the handler, which has to outlive its use; NULL: none. Another thread may be waiting for
 * a lock at the time. */
void nqi_database_on_busy(struct ledger *ledger, struct busy_handler *busy);

/* Gets the right to write; notes what others have written up to now. */
nq_status nqi_database_begin(struct ledger *ledger, char *detail, size_t size);

/* Gets it once more where a run has not said that it ended: its process may be killed, or
 * between two transactions. Called when the content has been checked. */
nq_status nqi_database_make_sure(struct ledger *ledger, bool unended, char *detail,
                                 size_t size);

/* From now on a commit waits up to ten minutes for readers. */
void nqi_database_wait_long(struct ledger *ledger);

/* What SQLite's last failure means to us. */
nq_status nqi_database_failed(const struct ledger *ledger, char *detail, size_t size);

nq_status nqi_database_damaged(const struct ledger *ledger, const char *what, char *detail,
                               size_t size);
nq_status nqi_database_there_already(const struct ledger *ledger, char *detail, size_t size);

#endif
