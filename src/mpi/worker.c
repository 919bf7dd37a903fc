/* SPDX-License-Identifier: MIT */
/* Ranks other than 0: solve the units that rank 0 hands out. */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "core/job.h"
#include "count/count.h"
#include "machine/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds between two reports; and of work for each thread to keep waiting, which is more than
 * a thread takes at a time. */
static const double reporting_seconds = 0.05, queue_seconds = 0.008, feed_seconds = 0.12;

struct worker {
    struct wire order; /* the one that is carried out */
    struct wire report;
    bool signal_told; /* rank 0 knows of a signal to this rank */

    pthread_mutex_t mutex; /* for the members below, which all threads use */
    pthread_cond_t answered;
    uint64_t unit[MAX_ITEMS]; /* unit[next..count-1] wait to be solved */
    size_t next, count;
    bool last;                            /* no more units will come */
    double queue_seconds;                 /* or feed_seconds */
    double unit_seconds;                  /* that a unit took lately; 0: none is solved */
    char kernel[WIRE_TEXT];               /* that solves units, and its device */
    struct wire_result result[MAX_ITEMS]; /* to be reported */
    size_t results;
};

static void *crew_run(void *run) {
    nqi_run_solve(run);
    return NULL;
}

pthread_t crew_start(struct run *run) {
    pthread_t crew;
    if (pthread_create(&crew, NULL, crew_run, run) != 0)
        wire_give_up("cannot start a thread");
    return crew;
}

bool crew_is_over(pthread_t crew) {
    return pthread_tryjoin_np(crew, NULL) == 0;
}

/* Takes a unit. May wait for one, or for the answer that there are no more. */
static bool worker_take(void *context, bool wait, uint64_t *unit) {
    struct worker *worker = context;
    pthread_mutex_lock(&worker->mutex);
    while (wait && worker->next == worker->count && !worker->last)
        pthread_cond_wait(&worker->answered, &worker->mutex);
    const bool taken = worker->next < worker->count;
    if (taken)
        *unit = worker->unit[worker->next++];
    pthread_mutex_unlock(&worker->mutex);
    return taken;
}

/* Stores a result that is to be reported. */
static nq_status worker_put(void *context, const struct solved *solved) {
    struct worker *worker = context;
    pthread_mutex_lock(&worker->mutex);
    const bool fits = worker->results < MAX_ITEMS; /* always */
    worker->unit_seconds +=
        (solved->seconds - worker->unit_seconds) / (worker->unit_seconds > 0 ? 256 : 1);
    if (solved->kernel != NULL)
        snprintf(worker->kernel, sizeof worker->kernel, "%s", solved->kernel);
    if (fits)
        worker->result[worker->results++] = (struct wire_result){
            solved->unit, solved->result.solutions, solved->result.work, solved->seconds};
    pthread_mutex_unlock(&worker->mutex);
    return fits ? NQ_OK : NQ_INTERNAL;
}

/* The number of units to ask for, so that no thread waits for them; 0: enough are here. */
static size_t worker_wants(struct worker *worker, int threads) {
    _Static_assert(NQ_MAX_THREADS <= MAX_ITEMS / 4, "a rank asks for more units than threads");
    pthread_mutex_lock(&worker->mutex);
    const size_t left = worker->count - worker->next;
    size_t low = (size_t)threads;
    if (worker->unit_seconds > 0 && worker->unit_seconds < worker->queue_seconds)
        low = (size_t)((double)low * worker->queue_seconds / worker->unit_seconds) + 1;
    low = low < MAX_ITEMS / 4 ? low : MAX_ITEMS / 4;
    const size_t wanted = worker->last || left >= low ? 0 : 2 * low - left;
    pthread_mutex_unlock(&worker->mutex);
    return wanted;
}

/* Sends a report, with the results that have come since the last one. */
static void worker_send_report(struct worker *worker, enum wire_kind kind) {
    struct wire *report = &worker->report;
    pthread_mutex_lock(&worker->mutex);
    report->items = worker->results;
    memcpy(report->kernel, worker->kernel, sizeof report->kernel);
    memcpy(report->result, worker->result, worker->results * sizeof *worker->result);
    worker->results = 0;
    pthread_mutex_unlock(&worker->mutex);
    report->kind = kind;
    wire_send(0, report);
}

/* Tells rank 0 of a signal to this rank, once. */
static void worker_report_signal(struct worker *worker) {
    if (signals_caught() == 0 || worker->signal_told)
        return;
    worker->signal_told = true;
    worker_send_report(worker, WIRE_SIGNAL);
}

/* Waits for the answer of rank 0 to a report. */
static void worker_take_answer(struct worker *worker, struct run *run) {
    static struct wire answer; /* megabytes */
    int sender;
    while (!wire_take(&answer, &sender))
        nqi_pause_for(WIRE_PAUSE);
    pthread_mutex_lock(&worker->mutex);
    worker->count -= worker->next;
    memmove(worker->unit, worker->unit + worker->next, worker->count * sizeof *worker->unit);
    memcpy(worker->unit + worker->count, answer.unit, answer.items * sizeof *worker->unit);
    worker->next = 0;
    worker->count += answer.items;
    worker->last = worker->last || answer.kind == WIRE_STOP ||
                   (worker->report.wanted > 0 && answer.items == 0);
    pthread_cond_broadcast(&worker->answered);
    pthread_mutex_unlock(&worker->mutex);
    if (answer.kind == WIRE_STOP)
        nqi_run_stop(run, false);
}

/* Asks rank 0 for units and reports their results until there are no more. */
static void worker_work(struct worker *worker, struct run *run) {
    struct wire *report = &worker->report;
    const pthread_t crew = crew_start(run);
    double last_report = 0;
    while (!crew_is_over(crew)) {
        const double now = nqi_seconds_now();
        worker_report_signal(worker);
        report->wanted = worker_wants(worker, report->threads);
        if (report->wanted > 0 || now > last_report + reporting_seconds) {
            worker_send_report(worker, WIRE_RESULTS);
            worker_take_answer(worker, run);
            last_report = now;
        } else {
            nqi_pause_for(WIRE_PAUSE);
        }
    }
}

static nq_status worker_execute(void *context, struct run *run, const struct setup *setup,
                                struct failure *failure) {
    struct worker *worker = context;
    struct wire *report = &worker->report;
    if (!nqi_job_equal(&setup->partition->job, &worker->order.job))
        return nqi_fail(failure, NQ_BAD_OPTION, "makes other units than rank 0");
    snprintf(worker->kernel, sizeof worker->kernel, "%s", setup->solver->kernel);
    worker->queue_seconds = setup->solver->bundle_cost > 0 ? feed_seconds : queue_seconds;
    report->threads = setup->team.threads;
    worker_work(worker, run);
    return NQ_OK;
}

static void worker_count(struct worker *worker, nq_options options) {
    const struct wire *order = &worker->order;
    struct wire *report = &worker->report;
    const struct source source = {.take = worker_take, .context = worker};
    const struct executor executor = {.execute = worker_execute,
                                      .context = worker,
                                      .source = &source,
                                      .sink = {.put = worker_put, .context = worker}};
    nq_result result;
    options.method = order->job.method;
    options.kernel = order->kernel[0] != '\0' ? order->kernel : NULL;
    worker->next = worker->count = 0;
    worker->last = false;
    worker->unit_seconds = 0;
    report->failure.text[0] = '\0';
    report->status = nqi_count_on(&executor, order->job.n, &options, &result, &report->failure);
    report->threads = result.threads;
    report->bound = result.threads_bound;
    worker_send_report(worker, WIRE_DONE);
}

void worker_serve(void) {
    static struct worker worker = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                                   .answered = PTHREAD_COND_INITIALIZER}; /* megabytes */
    nq_options options = NQ_OPTIONS_INIT;
    int sender;
    signals_catch();
    node_assign(&options, false);
    gethostname(worker.report.host, sizeof worker.report.host - 1);
    while (worker.order.kind != WIRE_END)
        if (!wire_take(&worker.order, &sender)) {
            /* Other ranks may still be at work on the last count. */
            worker_report_signal(&worker);
            nqi_pause_for(WIRE_PAUSE);
        } else if (worker.order.kind == WIRE_COUNT) {
            worker_count(&worker, options);
        }
}
