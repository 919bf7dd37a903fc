/* Ranks other than 0: solve the units that rank 0 hands out. */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "library/setup.h"
#include "machine/clock.h"
#include "mpi/share.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds between two reports; of work for each thread to keep waiting; and the most units that
 * wait. */
static const double report_seconds = 0.05, queue_seconds = 0.008;
enum { QUEUE_MOST = 1 << 16 };

/* Rank 0 has been told of this rank's signal. */
static bool signal_reported;

/* Between the crew and the thread that calls MPI. */
struct queue {
    pthread_mutex_t mutex;
    uint64_t *unit; /* unit[next..count-1] wait to be solved; owned */
    size_t next, count;
    bool last;                  /* no more units will come */
    double unit_seconds;        /* that a unit took lately; 0: none is solved */
    struct wire_result *result; /* to be reported; owned */
    size_t results, capacity;
};

static void *crew_run(void *context) {
    struct crew *crew = context;
    nqi_run_solve(crew->run);
    atomic_store(&crew->over, true);
    return NULL;
}

void crew_start(struct crew *crew) {
    if (pthread_create(&crew->thread, NULL, crew_run, crew) != 0)
        wire_give_up("cannot start a thread");
}

/* Sleeps if there is no unit: an answer takes as long. */
static enum taken queue_take(void *context, uint64_t *unit) {
    struct queue *queue = context;
    pthread_mutex_lock(&queue->mutex);
    enum taken taken = queue->next < queue->count ? TAKEN : queue->last ? NO_MORE : NONE_YET;
    if (taken == TAKEN)
        *unit = queue->unit[queue->next++];
    pthread_mutex_unlock(&queue->mutex);
    if (taken == NONE_YET)
        nqi_pause_for(WIRE_PAUSE);
    return taken;
}

/* Stores a result that is to be reported. */
static nq_status queue_keep(void *context, const struct solved *solved) {
    struct queue *queue = context;
    pthread_mutex_lock(&queue->mutex);
    queue->unit_seconds +=
        (solved->seconds - queue->unit_seconds) / (queue->unit_seconds > 0 ? 16 : 1);
    if (queue->results == queue->capacity) {
        queue->capacity = 2 * queue->capacity + 64;
        queue->result = realloc(queue->result, queue->capacity * sizeof *queue->result);
        if (queue->result == NULL)
            wire_give_up(nq_status_text(NQ_NO_MEMORY));
    }
    queue->result[queue->results++] =
        (struct wire_result){.unit = solved->unit,
                             .solutions = solved->result.solutions,
                             .work = solved->result.work,
                             .seconds = solved->seconds};
    pthread_mutex_unlock(&queue->mutex);
    return NQ_OK;
}

static void queue_add(struct queue *queue, const uint64_t *units, size_t count, bool last) {
    pthread_mutex_lock(&queue->mutex);
    const size_t left = queue->count - queue->next;
    uint64_t *all = wire_allocate((left + count + 1) * sizeof *all);
    if (left > 0)
        memcpy(all, queue->unit + queue->next, left * sizeof *all);
    memcpy(all + left, units, count * sizeof *all);
    free(queue->unit);
    queue->unit = all;
    queue->next = 0;
    queue->count = left + count;
    queue->last = last;
    pthread_mutex_unlock(&queue->mutex);
}

/* The number of units to ask for, so that no thread waits for them; 0: enough are here. */
static size_t queue_wants(struct queue *queue, int threads) {
    pthread_mutex_lock(&queue->mutex);
    const size_t left = queue->count - queue->next;
    size_t low = (size_t)threads;
    if (queue->unit_seconds > 0 && queue->unit_seconds < queue_seconds)
        low = (size_t)((double)low * queue_seconds / queue->unit_seconds) + 1;
    low = low < QUEUE_MOST ? low : QUEUE_MOST;
    const size_t wanted = queue->last || left >= low ? 0 : 2 * low - left;
    pthread_mutex_unlock(&queue->mutex);
    return wanted;
}

/* Sends a report, with the results that have come since the last one. queue: NULL: none. */
static void send_report(struct wire_report *report, struct queue *queue) {
    struct wire_result *results = NULL;
    report->items = 0;
    if (queue != NULL) {
        pthread_mutex_lock(&queue->mutex);
        results = queue->result;
        report->items = queue->results;
        queue->result = NULL;
        queue->results = queue->capacity = 0;
        pthread_mutex_unlock(&queue->mutex);
    }
    report->signalled = signals_caught() != 0;
    signal_reported = signal_reported || report->signalled;
    wire_send(0, TAG_REPORT, report, results);
    free(results);
}

/* Waits for the answer of rank 0 to a report. */
static void take_answer(struct queue *queue, struct run *run, uint64_t unit_count) {
    struct wire_units head;
    void *units;
    int sender;
    while (!wire_take(TAG_UNITS, &head, &units, &sender))
        nqi_pause_for(WIRE_PAUSE);
    for (uint64_t i = 0; i < head.items; i++)
        if (((uint64_t *)units)[i] >= unit_count)
            wire_give_up("rank 0 sent a unit that is none");
    queue_add(queue, units, head.items, head.last);
    if (head.stop)
        nqi_run_stop(run, false);
    free(units);
}

/* Solves units for one count. */
static void solve_units(struct setup *setup, struct queue *queue, struct wire_report *report) {
    const struct source source = {.take = queue_take, .context = queue};
    const struct sink sink = {.keep = queue_keep, .context = queue};
    const struct run_options options = {
        .team = &setup->team, .sink = &sink, .source = &source, .shared = true};
    struct crew crew = {.run = nqi_run_begin(setup->solver, &setup->selection, &options)};
    struct totals totals;
    double last_report = 0;
    if (crew.run == NULL)
        wire_give_up(nq_status_text(NQ_NO_MEMORY));
    snprintf(report->kernel, sizeof report->kernel, "%s", setup->solver->kernel);
    report->threads = setup->team.threads;
    crew_start(&crew);
    while (!atomic_load(&crew.over)) {
        const double now = nqi_seconds_now();
        report->wanted = queue_wants(queue, setup->team.threads);
        if (report->wanted > 0 || now > last_report + report_seconds) {
            report->waits = true;
            send_report(report, queue);
            take_answer(queue, crew.run, setup->partition->unit_count);
            last_report = now;
        } else {
            nqi_pause_for(queue->last ? WIRE_PAUSE : WIRE_LONG_PAUSE);
        }
    }
    pthread_join(crew.thread, NULL);
    report->status = nqi_run_end(crew.run, &totals);
    report->threads = totals.threads;
    report->bound = totals.threads_bound;
}

static void serve_job(const nq_options *share, const struct wire_job *job) {
    nq_options options = *share;
    options.method = job->method;
    options.plan = job->plan;
    options.depth = job->depth;
    options.kernel = job->kernel[0] != '\0' ? job->kernel : NULL;
    struct setup setup = {0};
    struct queue queue = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct wire_report report = {.status = NQ_OK};
    struct count_request request;
    gethostname(report.host, sizeof report.host - 1);
    report.status = nqi_request_make(job->n, &options, &request, &report.failure);
    if (report.status == NQ_OK)
        report.status = nqi_setup_make(&request, &setup, &report.failure);
    struct wire_job mine = report.status == NQ_OK ? wire_job_of(setup.partition) : *job;
    if (!wire_same_units(&mine, job, &report.failure))
        report.status = NQ_BAD_OPTION;
    if (report.status == NQ_OK)
        solve_units(&setup, &queue, &report);
    report.done = true;
    report.waits = false;
    send_report(&report, &queue);
    free(queue.unit);
    nqi_setup_free(&setup);
}

/* Waits for a job. Other ranks may still be at work on the previous one, so a signal to this
 * rank is reported meanwhile. */
static void wait_for_job(struct wire_job *job, bool served) {
    void *none;
    int sender;
    while (!wire_take(TAG_JOB, job, &none, &sender)) {
        if (served && signals_caught() != 0 && !signal_reported)
            send_report(&(struct wire_report){.status = NQ_OK}, NULL);
        nqi_pause_for(WIRE_PAUSE);
    }
    free(none);
}

void worker_serve(const nq_options *options) {
    struct wire_job job;
    signals_catch();
    for (bool served = false;; served = true) {
        wait_for_job(&job, served);
        if (job.end)
            return;
        share_warn();
        serve_job(options, &job);
    }
}
