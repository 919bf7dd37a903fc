/* SPDX-License-Identifier: MIT */
/* Records results during a run. A commit waits for the disk, so one thread writes; threads that
 * count append to the pending results in memory, which the writer takes. */
#include "core/arrays.h"
#include "ledger/database.h"
#include "machine/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Least seconds between two commits. */
static const double commit_seconds = 0.25;

/* Results that are not written yet. */
struct pending {
    struct solved *solved;
    size_t count, capacity;
};

struct recording {
    struct ledger *ledger;
    struct row run_row;
    double started;

    pthread_t writer;
    pthread_mutex_t mutex;  /* for the members below */
    pthread_cond_t changed; /* results are pending, or the recording ends */
    struct pending pending;
    bool ending;
    nq_status status;       /* the writer's first failure */
    struct failure failure; /* the ledger's while it is recorded: the caller may use its own */
    struct failure *callers_failure;
    size_t unwritten; /* results that were not written since the failure; the writer's alone */
};

static void recording_set_text(struct value *value, const char *text) {
    snprintf(value->text, sizeof value->text, "%s", text);
}

/* Writes and commits pending results, and the run's row as it is now. */
static nq_status recording_write(struct recording *recording, const struct pending *pending,
                                 enum run_state state) {
    struct row row = {0};
    nq_status status = NQ_OK;
    for (size_t i = 0; i < pending->count && status == NQ_OK; i++) {
        const struct solved *solved = &pending->solved[i];
        if (solved->result.solutions > INT64_MAX)
            return NQ_OVERFLOW;
        row.value[UNIT_KERNEL] = recording->run_row.value[RUN_KERNEL];
        row.value[UNIT_HOST] = recording->run_row.value[RUN_HOST];
        if (solved->kernel != NULL)
            recording_set_text(&row.value[UNIT_KERNEL], solved->kernel);
        if (solved->host != NULL)
            recording_set_text(&row.value[UNIT_HOST], solved->host);
        row.value[UNIT_ID].number = (int64_t)solved->unit;
        row.value[UNIT_SOLUTIONS].number = (int64_t)solved->result.solutions;
        row.value[UNIT_WORK].number = (int64_t)work_recorded(solved->result.work);
        row.value[UNIT_NANOSECONDS].number = (int64_t)(solved->seconds * 1e9);
        row.value[UNIT_TIME].number = (int64_t)time(NULL);
        status = nqi_ledger_add(recording->ledger, TABLE_UNIT, &row);
    }
    recording->run_row.value[RUN_NANOSECONDS].number =
        (int64_t)((nqi_seconds_now() - recording->started) * 1e9);
    recording->run_row.value[RUN_STATE].number = state;
    if (status == NQ_OK)
        status = nqi_ledger_add(recording->ledger, TABLE_RUN, &recording->run_row);
    if (status == NQ_OK)
        status = nqi_database_commit(recording->ledger);
    if (status != NQ_OK)
        recording->unwritten += pending->count;
    else if (state == RUN_OPEN)
        status = nqi_database_resume(recording->ledger);
    return status;
}

/* Takes the pending results once there are some and the time has come, or the recording ends.
 * Returns whether they are the last ones. */
static bool recording_take(struct recording *recording, double not_before,
                           struct pending *pending) {
    double seconds_early;
    pthread_mutex_lock(&recording->mutex);
    while (!recording->ending && recording->pending.count == 0)
        pthread_cond_wait(&recording->changed, &recording->mutex);
    while (!recording->ending && (seconds_early = not_before - nqi_seconds_now()) > 0)
        nqi_wait_for(&recording->changed, &recording->mutex, seconds_early);
    *pending = recording->pending;
    recording->pending = (struct pending){0};
    bool last = recording->ending;
    pthread_mutex_unlock(&recording->mutex);
    return last;
}

static void *recording_write_all(void *context) {
    struct recording *recording = context;
    double last_commit = recording->started;
    for (bool last = false; !last;) {
        struct pending pending;
        last = recording_take(recording, last_commit + commit_seconds, &pending);
        nq_status status = recording->status;
        if (status == NQ_OK)
            status = recording_write(recording, &pending, last ? RUN_ENDED : RUN_OPEN);
        else
            recording->unwritten += pending.count;
        free(pending.solved);
        last_commit = nqi_seconds_now();
        pthread_mutex_lock(&recording->mutex);
        recording->status = status; /* after a failure, no more results are taken */
        pthread_mutex_unlock(&recording->mutex);
    }
    return NULL;
}

static nq_status recording_put(void *context, const struct solved *solved) {
    struct recording *recording = context;
    struct pending *pending = &recording->pending;
    pthread_mutex_lock(&recording->mutex);
    nq_status status = recording->status;
    if (status == NQ_OK) {
        struct solved *grown =
            nqi_array_grow(pending->solved, pending->count, &pending->capacity, sizeof *grown);
        pending->solved = grown != NULL ? grown : pending->solved;
        status = grown != NULL ? NQ_OK : NQ_NO_MEMORY;
    }
    if (status == NQ_OK)
        pending->solved[pending->count++] = *solved;
    if (pending->count == 1) /* the writer waits only while none is pending */
        pthread_cond_signal(&recording->changed);
    pthread_mutex_unlock(&recording->mutex);
    return status;
}

struct sink nqi_recording_sink(struct recording *recording) {
    return (struct sink){.put = recording_put, .context = recording};
}

/* Starts the writer with all signals blocked: the caller's threads handle them. */
static bool recording_start_writer(struct recording *recording) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started =
        pthread_create(&recording->writer, NULL, recording_write_all, recording) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void recording_destroy(struct recording *recording) {
    recording->ledger->run = NULL;
    recording->ledger->failure = recording->callers_failure;
    pthread_cond_destroy(&recording->changed);
    pthread_mutex_destroy(&recording->mutex);
    free(recording->pending.solved);
    free(recording);
}

/* Marks a run that has not ended as killed: its process does not write, as this one holds the
 * lock. Its id does not change, so the walk that called this goes on with the next row. */
static nq_status recording_mark_killed(void *context, const struct row *row) {
    struct recording *recording = context;
    struct row killed = *row;
    if (killed.value[RUN_STATE].number != RUN_OPEN)
        return NQ_OK;
    killed.value[RUN_STATE].number = RUN_KILLED;
    return nqi_ledger_add(recording->ledger, TABLE_RUN, &killed);
}

/* Returns a random id: the runs of ledgers that are merged must have different ones. */
static int64_t recording_unique_id(void) {
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id)
        id = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid();
    return (int64_t)(id >> 1);
}

static void recording_init(struct recording *recording, const struct solver *solver,
                           int threads, const nq_options *options) {
    struct value *row = recording->run_row.value;
    recording->started = nqi_seconds_now();
    row[RUN_ID].number = recording_unique_id();
    gethostname(row[RUN_HOST].text, MAX_TEXT); /* "" if that fails */
    row[RUN_PROCESS].number = getpid();
    row[RUN_STARTED].number = (int64_t)time(NULL);
    row[RUN_THREADS].number = threads;
    recording_set_text(&row[RUN_KERNEL], solver->kernel);
    recording_set_text(&row[RUN_PROGRAM], nq_version());
    if (options->shards > 1)
        snprintf(row[RUN_PROGRAM].text, sizeof row[RUN_PROGRAM].text, "%s --shard %d/%d",
                 nq_version(), options->shard, options->shards);
    pthread_mutex_init(&recording->mutex, NULL);
    pthread_condattr_t steady; /* setting the time of day must not delay the writer */
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&recording->changed, &steady);
    pthread_condattr_destroy(&steady);
}

nq_status nqi_recording_begin(struct ledger *ledger, const struct solver *solver, int threads,
                              const nq_options *options, struct run *run,
                              struct recording **out) {
    struct recording *recording = *out = calloc(1, sizeof *recording);
    if (recording == NULL)
        return NQ_NO_MEMORY;
    recording->ledger = ledger;
    recording_init(recording, solver, threads, options);
    ledger->run = run;
    recording->callers_failure = ledger->failure;
    ledger->failure = &recording->failure;
    nq_status status = nqi_ledger_each(ledger, TABLE_RUN, recording_mark_killed, recording);
    /* Commits before any unit is solved: a folder or disk that cannot be written fails now. */
    if (status == NQ_OK)
        status = recording_write(recording, &recording->pending, RUN_OPEN);
    if (status == NQ_OK && !recording_start_writer(recording))
        status =
            nqi_ledger_fail(ledger, NQ_NO_MEMORY, "cannot start the thread that writes it");
    if (status != NQ_OK) {
        *recording->callers_failure = recording->failure;
        recording_destroy(recording);
        *out = NULL;
    }
    return status;
}

nq_status nqi_recording_end(struct recording *recording) {
    if (recording == NULL)
        return NQ_OK;
    pthread_mutex_lock(&recording->mutex);
    recording->ending = true;
    pthread_cond_signal(&recording->changed);
    pthread_mutex_unlock(&recording->mutex);
    pthread_join(recording->writer, NULL);
    nq_status status = recording->status;
    const size_t unwritten = recording->unwritten;
    if (status == NQ_LEDGER_BUSY && unwritten > 0)
        nqi_fail(recording->callers_failure, status,
                 "%.300s; %zu result%s not written: the next run counts %s again",
                 recording->failure.text, unwritten, unwritten == 1 ? " was" : "s were",
                 unwritten == 1 ? "it" : "them");
    else if (status != NQ_OK)
        *recording->callers_failure = recording->failure;
    recording_destroy(recording);
    return status;
}
