/* SPDX-License-Identifier: MIT */
/* A ledger: one SQLite file with the results of a job's units.
 *
 * A writer holds SQLite's RESERVED lock from opening to its last commit: other processes can
 * read, but not write. The lock is free for a moment between a commit and the next transaction.
 * If another process writes at such a moment, the first writer notices and stops.
 *
 * New ledgers use the rollback journal, not WAL, which network file systems do not support. The
 * content is not trusted: opening checks the file's structure, reading checks every row.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "core/failure.h"
#include "core/method.h"
#include "run/run.h"

#include <nqueens.h>

struct ledger;

enum table_id { TABLE_JOB, TABLE_RUN, TABLE_UNIT, TABLES };

/* The columns of each table, in order; a checksum follows them. */
enum { JOB_ID, JOB_N, JOB_METHOD, JOB_VERSION, JOB_UNITS };
enum {
    RUN_ID,
    RUN_HOST,
    RUN_PROCESS,
    RUN_STARTED, /* seconds since 1970 */
    RUN_NANOSECONDS,
    RUN_THREADS,
    RUN_KERNEL,
    RUN_PROGRAM, /* version of the library; of a shard, " --shard I/K" follows */
    RUN_STATE,   /* enum run_state */
    MAX_COLUMNS  /* of any table */
};
enum {
    UNIT_ID,
    UNIT_SOLUTIONS,
    UNIT_WORK,
    UNIT_KERNEL,
    UNIT_NANOSECONDS,
    UNIT_HOST,
    UNIT_TIME, /* when the row was written: seconds since 1970 */
    UNIT_COLUMNS
};
enum { MAX_TEXT = 64 }; /* most bytes of a text column */

enum run_state { RUN_OPEN, RUN_ENDED, RUN_KILLED };

/* A column's value; its table decides whether that is the number or the text. */
struct value {
    int64_t number;
    char text[MAX_TEXT + 1];
};

struct row {
    struct value value[MAX_COLUMNS];
};

static inline struct unit_result row_result(const struct row *unit) {
    return (struct unit_result){.solutions = (uint64_t)unit->value[UNIT_SOLUTIONS].number,
                                .work = (uint64_t)unit->value[UNIT_WORK].number};
}

/* The largest number of units of a job; n = 28 has 592,798. Readers allocate a bit for
 * each, a merge 24 bytes, and a damaged number must not make them allocate all memory. */
enum { MAX_UNITS = 1 << 26 };

enum ledger_use {
    LEDGER_READ, /* an existing file; for any number of processes at a time */
    LEDGER_WRITE /* an existing or a new file; for one process at a time */
};

/* Opens a ledger and checks all but its rows of runs and units. The functions of a ledger
 * explain their failures in `failure`, which must outlive it, and name the file; NQ_NO_MEMORY
 * may come without a sentence. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the name is "" or "-";
 *   NQ_LEDGER_IO: the file cannot be opened, or is not a regular file;
 *   NQ_LEDGER_BUSY: another process has locked it;
 *   NQ_LEDGER_DAMAGED: the file is damaged, no ledger, or one of another version;
 *   NQ_NO_MEMORY. */
nq_status nqi_ledger_open(const char *file, enum ledger_use use, struct ledger **ledger,
                          struct failure *failure);

/* Closes a ledger; NULL does nothing. Rows that are not committed are dropped. A new file is
 * removed if nothing was committed to it. */
void nqi_ledger_close(struct ledger *ledger);

/* Returns for how many seconds a commit has been waiting for another process; 0: it does not.
 * Any thread may call it. */
double nqi_ledger_waiting(const struct ledger *ledger);

/* Calls `visit` for every row of a table by rising id, and ends at the first status other than
 * NQ_OK, which it returns. Rows that are passed to `visit` are intact; a unit's id is within
 * the job's range, and its solutions and work are not negative. Also returns NQ_LEDGER_DAMAGED,
 * NQ_LEDGER_IO, NQ_LEDGER_BUSY or NQ_NO_MEMORY. */
typedef nq_status (*row_visit)(void *context, const struct row *row);
nq_status nqi_ledger_each(struct ledger *ledger, enum table_id table, row_visit visit,
                          void *context);

/* Adds a row. A run's row replaces its earlier row (same id, equal or shorter time);
 * NQ_INTERNAL: the unit is recorded. */
nq_status nqi_ledger_add(struct ledger *ledger, enum table_id table, const struct row *row);

/* Returns the ledger's job; NULL if nothing is in the ledger yet. */
const nq_job *nqi_ledger_job(const struct ledger *ledger);

/* Gives a new ledger this job, or compares it with the ledger's own. Returns NQ_OK,
 * NQ_LEDGER_OTHER (the methods differ), NQ_LEDGER_DAMAGED (the units do), or a status of
 * nqi_ledger_add. */
nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job);

/* Opens the partition of the ledger's job. Returns NQ_OK, NQ_LEDGER_IO (nothing is in the
 * ledger yet), NQ_LEDGER_DAMAGED (this version makes other units), or NQ_NO_MEMORY; *partition
 * is NULL then. */
nq_status nqi_ledger_partition(struct ledger *ledger, struct partition **partition);

enum { DIGEST_SIZE = 33 }; /* of a digest as text: 32 hexadecimal digits and a NUL */

/* The sums of what a ledger holds. */
struct recorded {
    const struct partition *partition; /* for weights and costs; NULL: those sums stay 0 */
    uint64_t *units;                   /* one bit per unit: it is recorded; owned */
    uint64_t count;                    /* of these units */
    uint64_t solutions;                /* what they contribute to the count */
    uint64_t work;                     /* as of work_sum */
    uint64_t cost;                     /* expected */
    double seconds;                    /* wall-clock time of all runs, added up */
    double thread_seconds;             /* time that threads spent on the units */
    int runs;                          /* processes that wrote to the ledger */
    int runs_open;   /* still running, or killed and not yet marked as killed: 0 or 1 */
    int runs_killed; /* killed before they could mark themselves as ended */
    int shards;      /* the greatest K of a run that solved shard I of K; 0: none did */
    /* Of the units' results: the same for two sites that counted alike, whatever their kernels,
     * threads and hosts. docs/ledger.md describes its bytes. */
    char digest[DIGEST_SIZE];
};

/* Reads and checks all rows of runs and units. partition: of the ledger's job. Returns NQ_OK,
 * NQ_OVERFLOW (of the solutions), NQ_NO_MEMORY, or a status of nqi_ledger_each. */
nq_status nqi_recorded_read(struct ledger *ledger, const struct partition *partition,
                            struct recorded *recorded);

void nqi_recorded_free(struct recorded *recorded);

/* A recording: the results of a run on their way into its ledger. A thread of its own writes
 * them.
 *
 * Threads that solve units pass the results on in memory, and never wait for a disk. The writer
 * commits them at once, but at most four times a second. So a kill loses the units under way,
 * and the units that finished in the last quarter of a second.
 *
 * While another process reads the ledger, a commit has to wait, however long that takes:
 * results wait in memory. The commit fails two seconds after the run's observer said stop. */
struct recording;

/* Begins to record a run of the ledger's job, and starts the writer. Until nqi_recording_end
 * only the recording may use the ledger. options: of the run, for its shard. run: calls its
 * observer while another process holds a lock; NULL: none does. Returns NQ_OK, or a status of
 * nqi_ledger_each, nqi_ledger_add, nqi_database_commit or nqi_database_resume. */
nq_status nqi_recording_begin(struct ledger *ledger, const struct solver *solver, int threads,
                              const nq_options *options, struct run *run,
                              struct recording **recording);

/* Returns the sink that takes the run's results. */
struct sink nqi_recording_sink(struct recording *recording);

/* Commits the remaining results and stops the writer. recording: NULL does nothing. Returns
 * NQ_OK or the writer's first failure. If that is NQ_LEDGER_BUSY, the sentence says how many
 * results are lost. */
nq_status nqi_recording_end(struct recording *recording);

/* Functions that open a ledger by its name. */

enum { MAX_MISSING = 1000 }; /* elements that an array of Slurm has, unless more are allowed */

struct ledger_info {
    nq_job job;
    struct recorded recorded; /* without its bits and partition */
    nq_verdict verdict;       /* once all units are finished */
    const char *work_name;    /* as in nq_result */
    double share;             /* finished share of the expected work, 0..1 */
    double remaining; /* expected seconds to go at the pace so far; negative: not known */
    uint64_t missing; /* how many of recorded.shards lack units */
    int missing_shard[MAX_MISSING]; /* the first of these */
};

/* Reads a ledger, checks every row, and stores what it holds in *info.
 *
 * Returns NQ_OK, or a status of nqi_ledger_open or nqi_recorded_read, NQ_LEDGER_IO also if the
 * ledger holds nothing yet, or
 *   NQ_MISMATCH: the ledger is complete and its total is wrong. */
nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct failure *failure);

/* Joins ledgers of the same job into a new one. A unit may be in several ledgers if they
 * agree on its result.
 *
 * files[0..count-1]: the ledgers, one or more. output: the new file, which must not exist or
 * be empty; it is written in one transaction, so if the process is killed it is complete or
 * empty. 24 bytes for each unit, and 64 MB of pages at most, are in memory.
 *
 * Returns what nqi_ledger_show() returns for the inputs, or
 *   NQ_LEDGER_IO: also if output exists, or if no input holds anything;
 *   NQ_LEDGER_OTHER: the ledgers do not belong to one job;
 *   NQ_DISAGREE: two ledgers differ on a unit; `failure` names the unit and both results;
 *   NQ_INTERNAL. */
nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output,
                           struct failure *failure);

#endif
