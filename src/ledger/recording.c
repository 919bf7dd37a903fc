/* SPDX-License-Identifier: MIT */
/* Records results during a run.
 *
 * Bringing results to the disk takes time, and no counting thread should wait for it. So the
 * counting threads only append results to the pending ones in memory. Another thread, the
 * writer, takes the pending results and writes them. While the file cannot be written, for
 * example because the disk is full, pending results accumulate, and the writer tries again. */
#include "core/arrays.h"
#include "ledger/ledger.h"
#include "machine/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Times in seconds:
 *   write_seconds: least time between two writes;
 *   run_line_seconds: least time between two lines of a run that is counting;
 *   retry_seconds: time between two attempts to write while the file cannot be written;
 *   patience_seconds: time after which these attempts end;
 *   stopped_patience_seconds: the same once the run was stopped, because its user waits. */
static const double write_seconds = 0.25, run_line_seconds = 60, retry_seconds = 1,
                    patience_seconds = 600, stopped_patience_seconds = 2;

/* Results that the writer has not taken yet. */
struct pending {
    struct solved *solved;
    size_t count, capacity;
};

struct recording {
    struct ledger *ledger;
    struct run *observed; /* the run whose observer is called while the end waits; or NULL */
    char host[MAX_TEXT + 1];
    struct run_line line;       /* the run's next line */
    double started, line_added; /* by nqi_seconds_now */
    size_t unwritten;           /* results that the writer took, and that are not on the disk */
    /* Before and after the recording, the ledger's failures go to callers_failure. While the
     * recording lasts, they go to writers_failure, because the writer must not touch the
     * caller's struct. */
    struct failure writers_failure;
    struct failure *callers_failure;

    pthread_t writer;
    pthread_mutex_t mutex;  /* guards the members below */
    pthread_cond_t changed; /* signalled when one of these members has changed */
    struct pending pending;
    bool ending;            /* no more results will come */
    bool stopped;           /* the run was stopped, and its user waits */
    bool ended;             /* the writer is done */
    nq_status status;       /* the writer's failure, after which no result is accepted */
    double failing_since;   /* by nqi_seconds_now; 0 unless the file cannot be written */
    struct failure failure; /* the reason why the file cannot be written */
};

static uint64_t recording_nanoseconds(double seconds) {
    return seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
}

/* Returns the seconds since 1970. Lines have no negative numbers, so a clock that is set to a
 * time before that counts as 0. */
static int64_t recording_time(void) {
    const time_t now = time(NULL);
    return now > 0 ? now : 0;
}

/* Adds a line that tells how long the run has taken, and whether it has ended. */
static nq_status recording_add_run(struct recording *recording, bool ended) {
    const double now = nqi_seconds_now();
    recording->line_added = now;
    recording->line.nanoseconds = recording_nanoseconds(now - recording->started);
    recording->line.ended = ended;
    return nqi_ledger_add_run(recording->ledger, &recording->line);
}

/* Adds a line for each result. Adds a line for the run, too, if one is due or the results are
 * the last ones. */
static nq_status recording_add(struct recording *recording, const struct pending *pending,
                               bool last) {
    nq_status status = NQ_OK;
    for (size_t i = 0; i < pending->count && status == NQ_OK; i++) {
        const struct solved *solved = &pending->solved[i];
        const struct unit_line unit = {
            .id = solved->unit,
            .result = solved->result,
            .nanoseconds = recording_nanoseconds(solved->seconds),
            .time = recording_time(),
            .kernel = solved->kernel != NULL ? solved->kernel : recording->line.kernel,
            .host = solved->host != NULL ? solved->host : recording->host};
        status = nqi_ledger_add_unit(recording->ledger, &unit);
    }
    if (status == NQ_OK &&
        (last || nqi_seconds_now() - recording->line_added >= run_line_seconds))
        status = recording_add_run(recording, last);
    return status;
}

/* Waits until it is time for the next attempt to write. Returns whether to make that attempt.
 * The caller holds the mutex. */
static bool recording_wait_to_retry(struct recording *recording) {
    const bool was_stopped = recording->stopped;
    double now = nqi_seconds_now();
    const double next = now + retry_seconds;
    if (recording->failing_since == 0)
        recording->failing_since = now;
    for (; now < next && recording->stopped == was_stopped; now = nqi_seconds_now())
        nqi_wait_for(&recording->changed, &recording->mutex, next - now);
    if (recording->stopped && !was_stopped)
        recording->failing_since = now;
    return now - recording->failing_since <
           (recording->stopped ? stopped_patience_seconds : patience_seconds);
}

/* Brings the added lines to the disk. Repeats the attempt until it succeeds, another attempt
 * cannot help, or the time for attempts is over. */
static nq_status recording_sync(struct recording *recording) {
    nq_status status;
    for (bool again = true; again;) {
        status = nqi_ledger_sync(recording->ledger); /* without the mutex: it may take long */
        pthread_mutex_lock(&recording->mutex);
        recording->failure = recording->writers_failure;
        again = status == NQ_LEDGER_IO && !recording->ledger->lost &&
                recording_wait_to_retry(recording);
        if (status == NQ_OK)
            recording->failing_since = 0;
        pthread_mutex_unlock(&recording->mutex);
    }
    return status;
}

/* Waits until there are pending results and the time `not_before` has come, or until the
 * recording ends. Then moves the pending results to *pending. Returns whether they are the last
 * ones. */
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
    const bool last = recording->ending;
    pthread_mutex_unlock(&recording->mutex);
    return last;
}

/* Writes results. After an earlier failure, only counts them as unwritten. */
static nq_status recording_write(struct recording *recording, const struct pending *pending,
                                 bool last) {
    nq_status status = recording->status; /* only this thread changes it */
    recording->unwritten += pending->count;
    if (status == NQ_OK)
        status = recording_add(recording, pending, last);
    if (status == NQ_OK)
        status = recording_sync(recording);
    if (status == NQ_OK)
        recording->unwritten = 0;
    return status;
}

static void *recording_write_all(void *context) {
    struct recording *recording = context;
    double last_write = recording->started;
    for (bool last = false; !last;) {
        struct pending pending;
        last = recording_take(recording, last_write + write_seconds, &pending);
        const nq_status status = recording_write(recording, &pending, last);
        free(pending.solved);
        last_write = nqi_seconds_now();
        pthread_mutex_lock(&recording->mutex);
        recording->status = status;
        recording->ended = last;
        pthread_cond_broadcast(&recording->changed);
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
    if (pending->count == 1) /* the writer may be waiting for a first result */
        pthread_cond_broadcast(&recording->changed);
    pthread_mutex_unlock(&recording->mutex);
    return status;
}

struct sink nqi_recording_sink(struct recording *recording) {
    return (struct sink){.put = recording_put, .context = recording};
}

void nqi_recording_warn(struct recording *recording, char *text, size_t size) {
    if (recording == NULL)
        return;
    pthread_mutex_lock(&recording->mutex);
    if (recording->failing_since != 0) {
        const int minutes = (int)((nqi_seconds_now() - recording->failing_since) / 60);
        nqi_add_warning(text, size, "%s; results wait in memory", recording->failure.text);
        if (minutes > 0)
            nqi_add_warning(text, size, "%d min so far", minutes);
    }
    pthread_mutex_unlock(&recording->mutex);
}

/* Starts the writer with all signals blocked, so that the caller's threads handle them. */
static bool recording_start_writer(struct recording *recording) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started =
        pthread_create(&recording->writer, NULL, recording_write_all, recording) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void recording_destroy(struct recording *recording) {
    recording->ledger->failure = recording->callers_failure;
    pthread_cond_destroy(&recording->changed);
    pthread_mutex_destroy(&recording->mutex);
    free(recording->pending.solved);
    free(recording);
}

/* Returns a random number, so that runs have different ids when their ledgers are joined. */
static uint64_t recording_unique_id(void) {
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id)
        id = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid();
    return id;
}

static void recording_init(struct recording *recording, const struct solver *solver,
                           int threads, const nq_options *options) {
    recording->started = nqi_seconds_now();
    gethostname(recording->host, MAX_TEXT); /* leaves "" if it fails */
    recording->line = (struct run_line){.id = recording_unique_id(),
                                        .started = recording_time(),
                                        .process = (uint64_t)getpid(),
                                        .threads = (uint64_t)threads,
                                        .kernel = solver->kernel,
                                        .host = recording->host,
                                        .program = nq_version()};
    if (options->shards > 1) {
        recording->line.shard = (uint64_t)options->shard;
        recording->line.shards = (uint64_t)options->shards;
    }
    pthread_mutex_init(&recording->mutex, NULL);
    pthread_condattr_t steady; /* a change of the time of day must not delay the writer */
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
    recording->observed = run;
    recording_init(recording, solver, threads, options);
    recording->callers_failure = ledger->failure;
    nq_status status = recording_add_run(recording, false);
    if (status == NQ_OK)
        status = nqi_ledger_sync(ledger);
    ledger->failure = &recording->writers_failure;
    if (status == NQ_OK && !recording_start_writer(recording))
        status =
            nqi_fail(recording->callers_failure, NQ_NO_MEMORY,
                     "ledger '%.200s': cannot start the thread that writes it", ledger->name);
    if (status != NQ_OK) {
        recording_destroy(recording);
        *out = NULL;
    }
    return status;
}

/* Waits for the writer. If the disk is slow, the run's observer is still called, and may stop
 * the run. Attempts to write then end after two seconds. */
static void recording_wait_for_writer(struct recording *recording) {
    const double seconds_between_ticks = 0.1;
    pthread_mutex_lock(&recording->mutex);
    recording->ending = true;
    while (!recording->ended) {
        recording->stopped =
            recording->observed != NULL && nqi_run_stopped(recording->observed);
        pthread_cond_broadcast(&recording->changed);
        nqi_wait_for(&recording->changed, &recording->mutex, seconds_between_ticks);
        pthread_mutex_unlock(&recording->mutex);
        /* The observer may call nqi_recording_warn(), which locks the mutex itself. */
        if (recording->observed != NULL)
            nqi_run_tick(recording->observed);
        pthread_mutex_lock(&recording->mutex);
    }
    pthread_mutex_unlock(&recording->mutex);
    pthread_join(recording->writer, NULL);
}

nq_status nqi_recording_end(struct recording *recording) {
    if (recording == NULL)
        return NQ_OK;
    recording_wait_for_writer(recording);
    const nq_status status = recording->status;
    const size_t lost = recording->unwritten;
    if (status != NQ_OK && lost > 0)
        nqi_fail(recording->callers_failure, status,
                 "%.350s; up to %zu result%s not written: the next run counts %s again",
                 recording->writers_failure.text, lost, lost == 1 ? " was" : "s were",
                 lost == 1 ? "it" : "them");
    else if (status != NQ_OK)
        *recording->callers_failure = recording->writers_failure;
    recording_destroy(recording);
    return status;
}
