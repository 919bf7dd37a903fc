/* SPDX-License-Identifier: MIT */
/* The ledger of a count: a text file to which the result of each finished unit is appended, so
 * that a count that was stopped or killed carries on where it was.
 *
 * Users copy, move, join and cut ledgers while counts run, and kill counts at any moment. A
 * file that had to be consistent as a whole would not survive that. So each line holds one
 * result and depends on no other line (ledger/line.h): any set of whole lines, in any order, is
 * a ledger. A line that is not intact is left out wherever it is, and its unit is counted
 * again. The program only appends, and never changes a byte that was written before.
 *
 * Any number of processes can read a ledger while one process writes to it: reading takes no
 * lock. A writer holds a lock of its open file (F_OFD_SETLK) until it closes the ledger, so
 * that there is only one writer.
 *
 * Opening a ledger reads the whole file. In memory, it takes 40 bytes for each unit of the
 * board; n = 28 has 592,798 units. docs/ledger-format.md describes the file for other programs.
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

/* A recorded unit, with the line that records it. */
struct recorded_unit {
    struct unit_result result;
    const char *kernel; /* kernel that solved the unit; NULL if the unit is not recorded */
    /* The file that has the line, and the line's number, from 1. */
    const char *file;
    uint64_t line;
};

/* What a run's line says. */
struct recorded_run {
    uint64_t id, nanoseconds;
    int shards;
    bool ended;
};

/* Before a writer appends, it compares this many bytes with those that it wrote last, and so
 * notices if another program has overwritten the file. They include the last line's hash. */
enum { TAIL_SIZE = 32 };

/* Lines that wait to be written. */
struct batch {
    char *text;
    size_t length, capacity;
    size_t safe;    /* bytes that are on the disk */
    size_t written; /* bytes that are in the file, but may be lost if the power fails */
};

/* A ledger in memory. Files of other folders read its members, but only functions of this
 * folder change them. */
struct ledger {
    const char *name;        /* the file's name, as the caller gave it; borrowed */
    struct failure *failure; /* receives the reason of a failure; borrowed */

    /* What was read. If there is no job, nothing is recorded, and `unit` is NULL. */
    bool has_job;
    nq_job job;
    struct recorded_unit *unit; /* [id] */
    uint64_t units_recorded;
    double thread_seconds; /* time that threads spent on the recorded units */
    /* One entry for each line of a run, in the order of the file until nqi_recorded_sum sorts
     * them. */
    struct recorded_run *run;
    size_t runs, runs_capacity;
    char **kernel; /* the names to which the units point */
    size_t kernels, kernels_capacity;

    /* The file and the number of the line, from 1, that gave the ledger its job. */
    const char *job_file;
    uint64_t job_line;
    uint64_t lines_damaged; /* lines that are not intact, and were left out */
    /* The file and the number of the first damaged line. */
    const char *damaged_file;
    uint64_t damaged_line;

    int file;      /* descriptor; -1 if no file is open */
    bool created;  /* the file is new, and its first lines are not all on the disk yet */
    bool unlocked; /* this writer has no lock, because the file system has none */
    bool in_use;   /* another process held the lock when this one read the file */
    off_t size;    /* the file's size when this process last read or wrote it */
    /* The last bytes that this process wrote. */
    char tail[TAIL_SIZE];
    size_t tail_length;
    bool needs_newline; /* the file's last line may lack its end, so a newline comes first */
    bool lost;          /* recorded results have gone from the file, so writing must end */
    struct batch batch;
};

enum ledger_use {
    LEDGER_READ, /* an existing file, which any number of processes may read at a time */
    LEDGER_WRITE /* an existing or a new file, to which one process at a time may write */
};

/* Called for each intact line of a unit that was not recorded before, and for each intact line
 * of a run. If it returns a status other than NQ_OK, reading ends and returns that status. */
typedef nq_status (*line_visit)(void *context, const struct line *line);

/* Opens a ledger and reads it. Functions that fail explain the reason in `failure`, and name
 * the file there; only NQ_NO_MEMORY may come without a reason. `name` and `failure` must
 * outlive the ledger. On failure, *ledger is NULL. Returns NQ_OK, or
 *   NQ_BAD_OPTION: the name is "" or "-";
 *   NQ_LEDGER_IO: the file cannot be opened or read, or is not a regular file;
 *   NQ_LEDGER_BUSY: another process writes to it (LEDGER_WRITE only);
 *   NQ_LEDGER_DAMAGED: it is not a ledger, or one of another version of nqueens;
 *   NQ_LEDGER_OTHER: its lines belong to different jobs;
 *   NQ_DISAGREE: two of its lines differ on a unit's result;
 *   NQ_NO_MEMORY. */
nq_status nqi_ledger_open(const char *name, enum ledger_use use, struct ledger **ledger,
                          struct failure *failure);

/* Reads again, into a new ledger, what the file of an open ledger holds now, even if the file
 * was renamed. Returns a status that nqi_ledger_open can return. */
nq_status nqi_ledger_read_again(const struct ledger *ledger, struct ledger **again);

/* Adds what another file holds to a ledger in memory. visit: NULL, or a function to be called
 * with `context`. Returns a status that nqi_ledger_open can return, or one of `visit`. */
nq_status nqi_ledger_read(struct ledger *ledger, const char *name, line_visit visit,
                          void *context);

/* Closes a ledger, which may be NULL. Lines that were not synchronized are dropped, and a new
 * file to which nothing was written is removed. */
void nqi_ledger_close(struct ledger *ledger);

/* Gives a new ledger this job, or compares the job with the ledger's own. Returns NQ_OK,
 * NQ_LEDGER_OTHER (n or the method differs), NQ_LEDGER_DAMAGED (the board is divided into units
 * differently), or NQ_NO_MEMORY. */
nq_status nqi_ledger_match_job(struct ledger *ledger, const nq_job *job);

/* Opens the partition of the ledger's job. On failure, *partition is NULL. Returns NQ_OK,
 * NQ_LEDGER_IO (the ledger holds nothing yet), NQ_LEDGER_DAMAGED (this version of nqueens
 * divides the board into other units), or NQ_NO_MEMORY. */
nq_status nqi_ledger_partition(const struct ledger *ledger, struct partition **partition);

/* Add a line to the batch, which nqi_ledger_sync writes. Return NQ_OK, or NQ_NO_MEMORY if the
 * line was not added. */
nq_status nqi_ledger_add_unit(struct ledger *ledger, const struct unit_line *unit);
nq_status nqi_ledger_add_run(struct ledger *ledger, const struct run_line *run);

/* Writes the batch. Returns NQ_OK once all its lines are on the disk, or
 *   NQ_LEDGER_IO: some lines are not on the disk. They still wait, and a later call may
 *     succeed, unless ledger->lost is set;
 *   NQ_LEDGER_BUSY: another process writes to the file, too, which no lock could prevent on
 *     this file system. */
nq_status nqi_ledger_sync(struct ledger *ledger);

/* Stores a reason, after the file's name, in the ledger's failure. Returns the status. */
__attribute__((format(printf, 3, 4))) nq_status
nqi_ledger_fail(const struct ledger *ledger, nq_status status, const char *format, ...);

/* Appends a warning to the text, after "; " if the text is not empty. The result is cut to
 * `size` bytes. */
__attribute__((format(printf, 3, 4))) void nqi_add_warning(char *text, size_t size,
                                                           const char *format, ...);

/* Appends warnings about the ledger: that lines were left out, and that the file system has no
 * locks. */
void nqi_ledger_warn(const struct ledger *ledger, char *text, size_t size);

enum { DIGEST_SIZE = 33 }; /* a digest as text: 32 hexadecimal digits and a NUL */

/* The sums of what a ledger holds. */
struct recorded {
    uint64_t *units;       /* one bit for each unit, set if it is recorded; owned */
    uint64_t count;        /* recorded units */
    uint64_t solutions;    /* weighted solutions of the recorded units */
    uint64_t work;         /* as work_sum adds it up */
    uint64_t cost;         /* expected cost of the recorded units */
    double seconds;        /* wall-clock time of all runs, added up */
    double thread_seconds; /* time that threads spent on the recorded units */
    int runs;              /* counts that wrote to the ledger */
    int runs_open;         /* runs that are still counting: 0 or 1 */
    int runs_killed;       /* runs that did not end and are not counting any more */
    int shards;            /* greatest K of a run that solved shard I of K; 0 without shards */
    /* If two sites have the same results, they get the same digest, whatever their kernels,
     * threads and hosts. docs/ledger-format.md says how to compute it. */
    char digest[DIGEST_SIZE];
};

/* Adds up what was read. partition: the partition of the ledger's job. Returns NQ_OK,
 * NQ_OVERFLOW (the solutions exceed 64 bits, so lines are false), or NQ_NO_MEMORY. Release the
 * sums with nqi_recorded_free. */
nq_status nqi_recorded_sum(struct ledger *ledger, const struct partition *partition,
                           struct recorded *recorded);
void nqi_recorded_free(struct recorded *recorded);

/* Brings the results of a run into its ledger.
 *
 * To wait for a disk after each unit would slow a count down, and a full disk should not end
 * it. So threads that solve units only store their results in memory. A thread of the
 * recording, the writer, takes them from there and brings them to the disk, at most four times
 * a second. A kill thus loses the units under way, and those that finished in the last quarter
 * of a second. While the file cannot be written, results stay in memory. The writer tries again
 * for ten minutes or, once the run was stopped, for two seconds. */
struct recording;

/* Begins to record a run of the ledger's job, and starts the writer. From now until
 * nqi_recording_end, only the recording may use the ledger.
 *
 * options: the run's options, of which the shard is recorded. run: the run whose observer is
 * called while the end of the recording waits for the disk, or NULL.
 *
 * Returns NQ_OK, NQ_NO_MEMORY, or a status of nqi_ledger_sync: a first line is written here, so
 * that a file that cannot be written fails before a unit is solved. On failure, *recording is
 * NULL. */
nq_status nqi_recording_begin(struct ledger *ledger, const struct solver *solver, int threads,
                              const nq_options *options, struct run *run,
                              struct recording **recording);

/* Returns the sink that takes the run's results. */
struct sink nqi_recording_sink(struct recording *recording);

/* Appends a warning if results wait in memory because the file cannot be written: the reason,
 * and for how many minutes. recording: NULL appends nothing. Any thread may call it. */
void nqi_recording_warn(struct recording *recording, char *text, size_t size);

/* Writes the remaining results, stops the writer, and releases the recording, which may be
 * NULL. Returns NQ_OK or the writer's failure, whose text says how many results are lost. */
nq_status nqi_recording_end(struct recording *recording);

/* The functions below open ledgers by their names. */

/* The most missing shards that ledger_info lists: by default, a job array of Slurm may have
 * this many elements. */
enum { MAX_MISSING = 1000 };

struct ledger_info {
    nq_job job;
    struct recorded recorded; /* without its bits: `units` is NULL */
    nq_verdict verdict;       /* NQ_UNVERIFIED until all units are recorded */
    const char *work_name;    /* as in nq_result */
    double share;             /* finished share of the expected work, 0..1 */
    double remaining; /* expected seconds to go at the pace so far; negative if unknown */
    /* How many of recorded.shards shards lack units, and the first of them. */
    uint64_t missing;
    int missing_shard[MAX_MISSING];
    uint64_t lines_damaged; /* lines that are not intact, and were left out */
    uint64_t damaged_line;  /* number of the first such line, from 1; 0 if there is none */
};

/* Reads a ledger, and stores what it holds in *info. Returns NQ_OK, a status of
 * nqi_ledger_open, nqi_ledger_partition or nqi_recorded_sum, or
 *   NQ_MISMATCH: the ledger is complete, but its total is not the known one. */
nq_status nqi_ledger_show(const char *file, struct ledger_info *info, struct failure *failure);

/* Joins ledgers of the same job into a new one. A unit may be in several ledgers if they
 * agree on its result.
 *
 * files[0..count-1]: one or more ledgers. output: the new file, which must be empty or not
 * exist; after a failure it is removed. warning[0..size-1]: receives "", or which lines were
 * left out because they are not intact. About 200 bytes of memory are needed for each unit.
 *
 * Returns a status that nqi_ledger_open can return for the inputs, a status of nqi_ledger_sync,
 * or
 *   NQ_LEDGER_IO: also if the output has text already, or if all inputs are empty;
 *   NQ_LEDGER_OTHER: the ledgers do not belong to one job;
 *   NQ_DISAGREE: two ledgers differ on a unit's result; `failure` names both lines. */
nq_status nqi_ledger_merge(const char *const *files, size_t count, const char *output,
                           char *warning, size_t size, struct failure *failure);

#endif
