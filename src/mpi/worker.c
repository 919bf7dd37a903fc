/* SPDX-License-Identifier: MIT */
/* Ranks other than 0 solve the units that rank 0 hands out.
 *
 * An answer of rank 0 takes a while, and no thread should wait for it. So each rank keeps a
 * queue of units, and asks for more when the queue becomes short. The queue holds what the
 * rank's threads solve in a few milliseconds or, with devices, in a tenth of a second, judged
 * by the time that recent units took. */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "core/job.h"
#include "count/count.h"
#include "machine/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* reporting_seconds: time between two reports if no units are wanted. The other two: how many
 * seconds of work the queue holds for each thread, on CPUs and on devices. A thread that serves
 * a device takes a whole bundle from the queue at a time, so the queue must hold more. */
static const double reporting_seconds = 0.05, cpu_queue_seconds = 0.008,
                    device_queue_seconds = 0.12;

struct worker {
    struct wire order; /* the order that is being carried out */
    struct wire report;
    bool signal_told; /* rank 0 was told of a signal to this rank */

    pthread_mutex_t mutex;    /* guards the members below, which all threads use */
    pthread_cond_t answered;  /* signalled when an answer has come */
    uint64_t unit[MAX_ITEMS]; /* the queue: unit[next..count-1] wait to be solved */
    size_t next, count;
    bool last;                            /* no more units will come */
    double queue_seconds;                 /* seconds of work to keep in the queue */
    double unit_seconds;                  /* recent mean time of a unit; 0 before the first */
    char kernel[WIRE_TEXT];               /* the kernel that solves units, with its device */
    struct wire_result result[MAX_ITEMS]; /* results that are still to be reported */
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

/* The source of the run: takes a unit from the queue. If the queue is empty and `wait` is true,
 * waits for a unit, or for the answer that there are no more. */
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

/* The sink of the run: keeps a result for the next report. */
static nq_status worker_put(void *context, const struct solved *solved) {
    struct worker *worker = context;
    pthread_mutex_lock(&worker->mutex);
    const bool fits = worker->results < MAX_ITEMS; /* always, see MAX_ITEMS */
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

/* Returns the number of units to ask for: none while the queue is long enough, otherwise the
 * number that makes it twice as long as it must be. */
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

/* Sends a report with the results that have come since the last one. */
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

/* Tells rank 0, once, if this rank got a signal. */
static void worker_report_signal(struct worker *worker) {
    if (signals_caught() == 0 || worker->signal_told)
        return;
    worker->signal_told = true;
    worker_send_report(worker, WIRE_SIGNAL);
}

/* Waits for the answer of rank 0 to a report, and adds its units to the queue. */
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

/* Asks rank 0 for units and reports their results, until the crew has solved the last one. */
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
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "divides the board into other units than rank 0");
    snprintf(worker->kernel, sizeof worker->kernel, "%s", setup->solver->kernel);
    worker->queue_seconds =
        setup->solver->bundle_cost > 0 ? device_queue_seconds : cpu_queue_seconds;
    report->threads = setup->team.threads;
    worker_work(worker, run);
    return NQ_OK;
}

/* Ends the count once this rank got a signal, of which rank 0 will be told. The count also
 * calls this while a device's compiler works: the signal may make that compiler fail, which
 * must not be reported as a failure of the device. */
static bool worker_may_go_on(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    return signals_caught() == 0;
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
    options.progress = worker_may_go_on;
    worker->next = worker->count = 0;
    worker->last = false;
    worker->unit_seconds = 0;
    report->failure.text[0] = '\0';
    report->status = nqi_count_on(&executor, order->job.n, &options, &result, &report->failure);
    report->threads = result.threads;
    report->bound = result.threads_bound;
    /* Rank 0 must hear of a signal first. Otherwise it would report that units were lost,
     * namely those that this rank has not solved. */
    worker_report_signal(worker);
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
            /* This rank is idle, but others may still be counting, and a signal stops them. */
            worker_report_signal(&worker);
            nqi_pause_for(WIRE_PAUSE);
        } else if (worker.order.kind == WIRE_COUNT) {
            worker_count(&worker, options);
        }
}
