/* SPDX-License-Identifier: MIT */
/* A ledger: one text file that only grows, with the results of a job's units.
 *
 * Users copy, move, join and cut such files while counts run, and kill counts at any moment. So
 * a result is a line that depends on no other line (ledger/line.h): any set of whole lines in
 * any order is a ledger. A line that is not intact is left out wherever it is, and its unit is
 * counted again. No byte that was written is ever changed.
 *
 * Reading takes no lock, and makes nobody wait. One process at a time writes: it holds a lock
 * of its open file (F_OFD_SETLK) until it closes the ledger.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "core/failure.h"
#include "core/method.h"
#include "ledger/line.h"
#include "run/run.h"

#include <nqueens.h>

#include <stdio.h>
#include <sys/types.h>

/* A recorded unit, and the line that says so. */
struct recorded_unit {
    struct unit_result result;
    const char *kernel; /* that solved it; NULL: the unit is not recorded */
    const char *file;   /* that has the line */
    uint64_t line;      /* its number, from 1 */
};

/* What a line of a run says. */
struct recorded_run {
    uint64_t id, nanoseconds;
    int shards;
    bool ended;
};

/* Bytes at the end of the file that a writer finds again before it writes on. The last line's
 * hash is among them. */
enum { TAIL_SIZE = 32 };

/* Lines that are waiting to be written. */
struct batch {
    char *text;
    size_t length, capacity;
    size_t safe;    /* bytes that are on the disk */
    size_t written; /* bytes that are in the file */
};

/* A ledger in memory. Other files read its members, but only functions of this room change
 * them. */
struct ledger {
    const char *name;        /* of the file, as the caller gave it; borrowed */
    struct failure *failure; /* explains what went wrong; borrowed */

    bool has_job; /* false: nothing is recorded */
    nq_job job;
    struct recorded_unit *unit; /* [id]; NULL without a job */
    uint64_t units_recorded;
    double thread_seconds;    /* that threads spent on these units */
    struct recorded_run *run; /* one for each line of a run, until nqi_recorded_sum */
    size_t runs, runs_capacity;
    char **kernel; /* the names to which units point */
    size_t kernels, kernels_capacity;

    const char *job_file;     /* that has given the ledger its job */
    uint64_t job_line;        /* by this line, from 1 */
    uint64_t lines_damaged;   /* that are not intact, and left out */
    const char *damaged_file; /* which has the first one */
    uint64_t damaged_line;    /* its number, from 1 */

    int file;             /* -1: none is open */
    bool created;         /* the file did not exist before, and was not synchronized yet */
    bool unlocked;        /* a writer has no lock, since the file system has none */
    bool in_use;          /* while a reader read it, another process held the lock */
    off_t size;           /* of the file, as this process left it */
    char tail[TAIL_SIZE]; /* the last bytes that this process wrote */
    size_t tail_length;
    bool needs_newline; /* before the next line: the last one may lack its end */
    bool lost;          /* recorded results are gone from the file; writing must not go on */
    struct batch batch;
};

enum ledger_use {
    LEDGER_READ, /* an existing file; for any number of processes at a time */
    LEDGER_WRITE /* an existing or a new file; for one process at a time */
};

/* Is called for each intact line of a job's unit that was not recorded before, and for each
 * line of a run. A status other than NQ_OK ends the reading, which returns it. */
typedef nq_status (*line_visit)(void *context, const struct line *line);

/* Opens a ledger and reads it. The functions of a ledger explain their failures in `failure`,
 * which must outlive it as `name` must, and name the file. NQ_NO_MEMORY may come without a
 * sentence. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the name is "" or "-";
 *   NQ_LEDGER_IO: the file cannot be opened or read, or is not a regular file;
 *   NQ_LEDGER_BUSY: another process writes to it;
 *   NQ_LEDGER_DAMAGED: it is no ledger, or of another version of nqueens;
 *   NQ_LEDGER_OTHER: its lines belong to different jobs;
 *   NQ_DISAGREE: two lines differ on a unit;
 *   NQ_NO_MEMORY. */
nq_status nqi_ledger_open(const char *name, enum ledger_use use, struct ledger **ledger,
                          struct failure *failure);

/* Opens what the file of a ledger holds now, even if it was renamed, for reading. Statuses as
 * of nqi_ledger_open. */
nq_status nqi_ledger_read_again(const struct ledger *ledger, struct ledger **again);

/* Adds what another file holds to a ledger in memory. visit: NULL, or called with `context`.
 * Statuses as of nqi_ledger_open, or that of `visit`. */
nq_status nqi_ledger_read(struct ledger *ledger, const char *name, line_visit visit,
                          void *context);

/* Closes a ledger; NULL does nothing. What was not synchronized is dropped, and a new file is
 * removed if nothing was written to it. */
void nqi_ledger_close(struct ledger *ledger);

/* Gives a new ledger this job, or compares it with the ledger's own. Returns NQ_OK,
 * NQ_LEDGER_OTHER (n or the methods differ), NQ_LEDGER_DAMAGED (the units do), or NQ_NO_MEMORY.
 */
nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job);

/* Opens the partition of the ledger's job. Returns NQ_OK, NQ_LEDGER_IO (nothing is in the
 * ledger yet), NQ_LEDGER_DAMAGED (this version of nqueens makes other units), or NQ_NO_MEMORY;
 * *partition is NULL then. */
nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition);

/* Add a line to those that are waiting to be written. NQ_NO_MEMORY: it was not added. */
nq_status nqi_ledger_add_unit(struct ledger *ledger, const struct unit_line *unit);
nq_status nqi_ledger_add_run(struct ledger *ledger, const struct run_line *run);

/* Writes the waiting lines, and returns NQ_OK once they are on the disk. NQ_LEDGER_IO: some are
 * not. Unless ledger->lost is set, they still wait, and a later call may succeed.
 * NQ_LEDGER_BUSY: there are no locks here, and another process writes to the file, too. */
nq_status nqi_ledger_sync(struct ledger *ledger);

/* Describes a failure after the file's name, and returns its status. */
__attribute__((format(printf, 3, 4))) nq_status
nqi_ledger_fail(const struct ledger *ledger, nq_status status, const char *format, ...);

/* Appends a warning, as by printf, to others in `text`, after "; ", cut to `size` bytes. */
__attribute__((format(printf, 3, 4))) void nqi_add_warning(char *text, size_t size,
                                                           const char *format, ...);

/* Appends to a text, after "; " if it is not empty, what users should know of a ledger though
 * the count goes on: lines that are left out, and that the file system has no locks. */
void nqi_ledger_warn(const struct ledger *ledger, char *text, size_t size);

enum { DIGEST_SIZE = 33 }; /* of a digest as text: 32 hexadecimal digits and a NUL */

/* The sums of what a ledger holds. */
struct recorded {
    uint64_t *units;       /* one bit per unit: it is recorded; owned */
    uint64_t count;        /* of these units */
    uint64_t solutions;    /* what they contribute to the count */
    uint64_t work;         /* as of work_sum */
    uint64_t cost;         /* expected */
    double seconds;        /* wall-clock time of all runs, added up */
    double thread_seconds; /* time that threads spent on the units */
    int runs;              /* processes that wrote to the ledger */
    int runs_open;         /* 1: one of them is still counting, else 0 */
    int runs_killed;       /* which neither ended nor are still counting */
    int shards;            /* the greatest K of a run that solved shard I of K; 0: none did */
    /* Of the units' results: the same for two sites that counted alike, whatever their kernels,
     * threads and hosts. docs/ledger-format.md describes its bytes. */
    char digest[DIGEST_SIZE];
};

/* Adds up what was read. partition: of the ledger's job. Returns NQ_OK, NQ_OVERFLOW (of the
 * solutions), or NQ_NO_MEMORY. Release with nqi_recorded_free. */
nq_status nqi_recorded_sum(struct ledger *ledger, const struct partition *partition,
                           struct recorded *recorded);
void nqi_recorded_free(struct recorded *recorded);

/* A recording: the results of a run on their way into its ledger. A thread of its own writes
 * them.
 *
 * Threads that solve units pass the results on in memory, and never wait for a disk. The writer
 * takes them at once, but at most four times a second. So a kill loses the units under way, and
 * the units that finished in the last quarter of a second. If the file cannot be written,
 * results wait in memory, and the writer tries again until ten minutes have passed, or until
 * two seconds after the run was stopped. */
struct recording;

/* Begins to record a run of the ledger's job, and starts the writer. Until nqi_recording_end
 * only the recording may use the ledger. options: of the run, for its shard. run: whose
 * observer is called while the end of the recording waits for the disk; NULL: none. Returns
 * NQ_OK, or a status of nqi_ledger_sync: a file that cannot be written fails before a unit is
 * solved. */
nq_status nqi_recording_begin(struct ledger *ledger, const struct solver *solver, int threads,
                              const nq_options *options, struct run *run,
                              struct recording **recording);

/* Returns the sink that takes the run's results. */
struct sink nqi_recording_sink(struct recording *recording);

/* Appends to a text why results wait in memory, and for how many minutes, if they do.
 * recording: NULL appends nothing. Any thread may call it. */
void nqi_recording_warn(struct recording *recording, char *text, size_t size);

/* Writes the remaining results and stops the writer. recording: NULL does nothing. Returns
 * NQ_OK or the writer's failure, which says how many results are lost. */
nq_status nqi_recording_end(struct recording *recording);

/* Functions that open a ledger by its name. */

enum { MAX_MISSING = 1000 /* elements that an array of Slurm has, unless more are allowed */ };

struct ledger_info {
    nq_job job;
    struct recorded recorded;       /* without its bits */
    nq_verdict verdict;             /* once all units are finished */
    const char *work_name;          /* as in nq_result */
    double share;                   /* finished share of the expected work, 0..1 */
    double remaining;               /* expected seconds to go at the pace so far; negative:
                                       not known */
    uint64_t missing;               /* how many of recorded.shards lack units */
    int missing_shard[MAX_MISSING]; /* the first of these */
    uint64_t lines_damaged;         /* that are not intact, and left out */
    uint64_t damaged_line;          /* number of the first of these, from 1; 0: none */
};

/* Reads a ledger, and stores what it holds in *info.
 *
 * Returns NQ_OK, or a status of nqi_ledger_open, nqi_ledger_partition or nqi_recorded_sum, or
 *   NQ_MISMATCH: the ledger is complete and its total is wrong. */
nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct failure *failure);

/* Joins ledgers of the same job into a new one. A unit may be in several ledgers if they
 * agree on its result.
 *
 * files[0..count-1]: the ledgers, one or more. output: the new file, which must not exist or
 * be empty; a failure leaves no file. warning[0..size-1]: "", or which lines are left out,
 * since they are not intact. Some 200 bytes for each unit are in memory.
 *
 * Returns what nqi_ledger_open() returns for the inputs, or a status of nqi_ledger_sync, or
 *   NQ_LEDGER_IO: also if output exists, or if no input holds anything;
 *   NQ_LEDGER_OTHER: the ledgers do not belong to one job;
 *   NQ_DISAGREE: two ledgers differ on a unit; `failure` names both lines. */
nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output,
                           char *warning, size_t size, struct failure *failure);

#endif
