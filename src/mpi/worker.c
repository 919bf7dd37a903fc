#include "mpi/worker.h"

#include "api/setup.h"
#include "cli/signals.h"
#include "machine/clock.h"
#include "mpi/computing.h"
#include "mpi/sharing.h"
#include "mpi/wire.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds of work to keep in the queue, so that no thread waits for the answer to a request. */
static const double queue_seconds = 0.008;

/* Seconds between two reports without a request: results are sent together. */
static const double report_seconds = 0.1;

/* Rank 0 has been told of this rank's signal. */
static bool signal_reported;

/* What the threads that solve units share with the thread that calls MPI. */
struct worker {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t *unit; /* the queue: unit[next..count-1] are to be solved */
    size_t next, count;
    bool last; /* no more units will come */
    atomic_bool stop;
    struct wire_result *result; /* result[0..results-1] are to be reported */
    size_t results, capacity;
    const struct partition *partition;
    double queued_cost;                 /* expected cost of the units in the queue */
    double solved_cost, solved_seconds; /* of the units that this rank has solved */
};

static enum taken take(void *context, uint64_t *unit) {
    struct worker *worker = context;
    pthread_mutex_lock(&worker->mutex);
    if (worker->next == worker->count && !worker->last) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 2000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&worker->changed, &worker->mutex, &until);
    }
    enum taken taken = worker->next < worker->count ? TAKEN : worker->last ? NO_MORE : NONE_YET;
    if (taken == TAKEN) {
        *unit = worker->unit[worker->next++];
        worker->queued_cost -= (double)partition_unit(worker->partition, *unit).cost;
    }
    pthread_mutex_unlock(&worker->mutex);
    return taken;
}

static nq_status keep(void *context, const struct solved *solved) {
    struct worker *worker = context;
    nq_status status = NQ_OK;
    pthread_mutex_lock(&worker->mutex);
    if (worker->results == worker->capacity) {
        size_t capacity = worker->capacity == 0 ? 256 : 2 * worker->capacity;
        struct wire_result *grown = realloc(worker->result, capacity * sizeof *grown);
        if (grown != NULL) {
            worker->result = grown;
            worker->capacity = capacity;
        } else {
            status = NQ_NO_MEMORY;
        }
    }
    if (status == NQ_OK)
        worker->result[worker->results++] =
            (struct wire_result){.unit = solved->unit,
                                 .solutions = solved->result.solutions,
                                 .work = solved->result.work,
                                 .seconds = solved->seconds};
    worker->solved_cost += (double)partition_unit(worker->partition, solved->unit).cost;
    worker->solved_seconds += solved->seconds;
    pthread_mutex_unlock(&worker->mutex);
    return status;
}

static void begin(void *context, struct run *run) {
    (void)context, (void)run;
}

static bool finished(void *context, bool *stopped) {
    (void)context, (void)stopped;
    return true; /* a worker adds no results of others */
}

static bool on_progress(const nq_progress *progress, void *context) {
    (void)progress;
    struct worker *worker = context;
    return !atomic_load(&worker->stop);
}

/* Appends the units of a message to the queue; on a stop, empties the queue. */
static void add_units(struct worker *worker, const struct wire_units *head,
                      const uint64_t *units) {
    pthread_mutex_lock(&worker->mutex);
    size_t left = worker->count - worker->next;
    if (head->count > 0) {
        uint64_t *all = malloc((left + head->count) * sizeof *all);
        if (all == NULL)
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (left > 0)
            memcpy(all, worker->unit + worker->next, left * sizeof *all);
        memcpy(all + left, units, head->count * sizeof *all);
        free(worker->unit);
        worker->unit = all;
        worker->next = 0;
        worker->count = left + head->count;
        for (uint64_t i = 0; i < head->count; i++)
            worker->queued_cost += (double)partition_unit(worker->partition, units[i]).cost;
    }
    worker->last = head->last;
    if (head->stop) {
        atomic_store(&worker->stop, true);
        worker->count = worker->next;
        worker->last = true;
    }
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
}

/* Returns the cost of the units to request; 0: none. If less than queue_seconds of work is in
 * the queue, it is filled up to twice that. Until the first unit is solved the pace is unknown,
 * and the least possible cost is requested. */
static double cost_to_request(const struct worker *worker, int threads) {
    double pace = worker->solved_seconds > 0 ? worker->solved_cost / worker->solved_seconds : 0;
    double low = pace * threads * queue_seconds;
    size_t left = worker->count - worker->next;
    if (worker->last || (worker->queued_cost >= low && left >= (size_t)threads))
        return 0;
    return fmax(2 * low - worker->queued_cost, DBL_MIN);
}

/* Requests units and reports results until the rank's run is over. No results are sent while a
 * request is open: the manager may be sending units at the same time, and if both messages are
 * long, each sender waits until the other receives. */
static void exchange_messages(struct worker *worker, struct computing *computing,
                              struct wire_report *report) {
    bool request_open = false;
    double last_report = nqi_seconds_now();
    for (bool over = false; !over;) {
        struct wire_units head;
        void *units;
        int sender;
        while (wire_take(0, TAG_UNITS, &head, sizeof head, &units, &sender)) {
            request_open = false;
            add_units(worker, &head, units);
            free(units);
        }
        over = atomic_load(&computing->over) && !request_open;
        pthread_mutex_lock(&worker->mutex);
        report->requested_cost =
            request_open || over ? 0
                                 : cost_to_request(worker, computing->options.team->threads);
        bool signal_due = signals_caught() != 0 && !signal_reported;
        bool waited = nqi_seconds_now() > last_report + report_seconds;
        bool with_results = !request_open;
        bool due = report->requested_cost > 0 || signal_due ||
                   (with_results && worker->results > 0 && waited);
        struct wire_result *results = with_results ? worker->result : NULL;
        report->count = with_results ? worker->results : 0;
        if (due && !over && with_results) {
            worker->result = NULL;
            worker->results = worker->capacity = 0;
        }
        pthread_mutex_unlock(&worker->mutex);
        if (due && !over) {
            report->signalled = signals_caught() != 0;
            signal_reported = signal_reported || report->signalled;
            request_open = request_open || report->requested_cost > 0;
            wire_send(0, TAG_REPORT, report, sizeof *report, results, sizeof *results,
                      report->count);
            free(results);
            last_report = nqi_seconds_now();
        } else if (!over) {
            nqi_pause_for(request_open || worker->last ? WIRE_PAUSE : WIRE_LONG_PAUSE);
        }
    }
}

static void copy_name(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from != NULL ? from : "");
}

/* Solves units for one count. `report` becomes the last report. */
static void solve_units(struct setup *setup, struct worker *worker,
                        struct wire_report *report) {
    const struct sink sink = {.keep = keep, .context = worker};
    const struct exchange exchange = {
        .take = take, .begin = begin, .finished = finished, .context = worker, .part = true};
    struct computing computing = {
        .solver = setup->solver,
        .selection = &setup->selection,
        .options = {.team = &setup->team,
                    .sink = &sink,
                    .exchange = &exchange,
                    .observer = {.report = on_progress, .context = worker, .seconds = 0.02},
                    .started = nqi_seconds_now()}};
    copy_name(report->kernel, sizeof report->kernel, setup->solver->kernel);
    report->threads = setup->team.threads;
    worker->partition = setup->partition;
    if (!computing_start(&computing)) {
        report->status = NQ_NO_MEMORY;
        copy_name(report->detail, sizeof report->detail, "cannot start a thread");
        return;
    }
    exchange_messages(worker, &computing, report);
    computing_join(&computing);
    report->status = computing.status;
    report->threads = computing.totals.threads;
    report->threads_bound = computing.totals.threads_bound;
}

static void serve_job(const struct wire_job *job) {
    char list[WIRE_LIST];
    nq_options options = sharing_options(job, list, NULL);
    struct wire_plan plan;
    void *none;
    int sender;
    wire_wait(0, TAG_PLAN);
    wire_take(0, TAG_PLAN, &plan, sizeof plan, &none, &sender);
    if (!plan.start)
        return;
    options.method = plan.method;
    options.plan = plan.plan;
    options.depth = plan.depth;
    struct setup setup = {0};
    struct worker worker = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&worker.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    struct wire_report report = {.status = NQ_OK};
    gethostname(report.host, sizeof report.host - 1);
    struct count_request request;
    report.status =
        nqi_request_make(job->n, &options, &request, report.detail, sizeof report.detail);
    if (report.status == NQ_OK)
        report.status = nqi_setup_make(&request, &setup, report.detail, sizeof report.detail);
    if (report.status == NQ_OK && setup.partition->unit_count != plan.units) {
        report.status = NQ_INTERNAL;
        snprintf(report.detail, sizeof report.detail,
                 "makes %" PRIu64 " units of the board, but rank 0 makes %" PRIu64,
                 setup.partition->unit_count, plan.units);
    }
    if (report.status == NQ_OK)
        solve_units(&setup, &worker, &report);
    report.done = true;
    report.requested_cost = 0;
    report.count = worker.results;
    wire_send(0, TAG_REPORT, &report, sizeof report, worker.result, sizeof *worker.result,
              worker.results);
    nqi_setup_free(&setup);
    free(worker.result);
    free(worker.unit);
}

/* Waits for a job. Other ranks may still be at work on the previous count, so a signal to this
 * rank is reported meanwhile. */
static void wait_for_job(struct wire_job *job, bool served) {
    void *none;
    int sender;
    while (!wire_take(0, TAG_JOB, job, sizeof *job, &none, &sender)) {
        if (served && signals_caught() != 0 && !signal_reported) {
            const struct wire_report report = {.signalled = true};
            wire_send(0, TAG_REPORT, &report, sizeof report, NULL, 0, 0);
            signal_reported = true;
        }
        nqi_pause_for(WIRE_PAUSE);
    }
}

void worker_serve(void) {
    struct wire_job job;
    signals_catch();
    for (bool served = false;; served = true) {
        wait_for_job(&job, served);
        if (job.end)
            return;
        serve_job(&job);
    }
}
