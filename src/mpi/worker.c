#include "mpi/worker.h"

#include "api/setup.h"
#include "cli/signals.h"
#include "machine/clock.h"
#include "mpi/computing.h"
#include "mpi/sharing.h"
#include "mpi/wire.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Units to be at hand, so that no thread waits while a message for more is under way: as much
 * work as takes so many seconds. And how long results may wait for company. */
static const double at_hand_seconds = 0.008, report_seconds = 0.1;

/* Rank 0 knows of the signal that asks us to stop. */
static bool signal_told;

/* What the threads that solve share with the one that speaks MPI. */
struct worker {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t *unit; /* [next..count-1] are to be solved */
    size_t next, count;
    bool last; /* there are no more to come */
    atomic_bool stop;
    struct wire_result *result; /* to be reported */
    size_t results, room;
    const struct unit *units; /* of the job */
    double at_hand;           /* expected cost of the units to be solved */
    double solved, seconds;   /* expected cost of those that are, and what they took */
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
        worker->at_hand -= worker->units[*unit].cost;
    }
    pthread_mutex_unlock(&worker->mutex);
    return taken;
}

static nq_status keep(void *context, const struct solved *solved) {
    struct worker *worker = context;
    nq_status status = NQ_OK;
    pthread_mutex_lock(&worker->mutex);
    if (worker->results == worker->room) {
        size_t room = worker->room == 0 ? 256 : 2 * worker->room;
        struct wire_result *grown = realloc(worker->result, room * sizeof *grown);
        if (grown != NULL) {
            worker->result = grown;
            worker->room = room;
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
    worker->solved += worker->units[solved->unit].cost;
    worker->seconds += solved->seconds;
    pthread_mutex_unlock(&worker->mutex);
    return status;
}

static void begin(void *context, struct run *run) {
    (void)context, (void)run;
}

static bool finished(void *context, bool *stopped) {
    (void)context, (void)stopped;
    return true; /* others are no affair of a worker's */
}

static bool on_progress(const nq_progress *progress, void *context) {
    (void)progress;
    struct worker *worker = context;
    return !atomic_load(&worker->stop);
}

/* Puts units that came behind those that are left. */
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
            worker->at_hand += worker->units[units[i]].cost;
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

/* The cost of the units to ask for: when less is at hand than is solved while a message comes
 * and goes, twice as much. Until the first unit is solved it is a unit at a time. */
static double cost_wanted(const struct worker *worker, int threads) {
    double pace = worker->seconds > 0 ? worker->solved / worker->seconds : 0;
    double low = pace * threads * at_hand_seconds;
    size_t left = worker->count - worker->next;
    if (worker->last || (worker->at_hand >= low && left >= (size_t)threads))
        return 0;
    return fmax(2 * low - worker->at_hand, DBL_MIN);
}

/* The rank's side of the conversation, until its run is over. While units are asked for, no
 * results are sent: the manager may be sending units at that very time, and two long messages,
 * each of which waits to be received, would wait for ever. */
static void converse(struct worker *worker, struct computing *computing,
                     struct wire_report *report) {
    bool asked_for_units = false;
    double last_report = nqi_seconds_now();
    for (bool over = false; !over;) {
        struct wire_units head;
        void *units;
        int sender;
        while (wire_take(0, TAG_UNITS, &head, sizeof head, &units, &sender)) {
            asked_for_units = false;
            add_units(worker, &head, units);
            free(units);
        }
        over = atomic_load(&computing->over) && !asked_for_units;
        pthread_mutex_lock(&worker->mutex);
        report->want =
            asked_for_units || over ? 0 : cost_wanted(worker, computing->options.team->threads);
        bool ask_to_stop = signals_caught() != 0 && !signal_told;
        bool waited = nqi_seconds_now() > last_report + report_seconds;
        bool with_results = !asked_for_units;
        bool due =
            report->want > 0 || ask_to_stop || (with_results && worker->results > 0 && waited);
        struct wire_result *results = with_results ? worker->result : NULL;
        report->count = with_results ? worker->results : 0;
        if (due && !over && with_results) {
            worker->result = NULL;
            worker->results = worker->room = 0;
        }
        pthread_mutex_unlock(&worker->mutex);
        if (due && !over) {
            report->asked = signals_caught() != 0;
            signal_told = signal_told || report->asked;
            asked_for_units = asked_for_units || report->want > 0;
            wire_send(0, TAG_REPORT, report, sizeof *report, results, sizeof *results,
                      report->count);
            free(results);
            last_report = nqi_seconds_now();
        } else if (!over) {
            nqi_pause_for(asked_for_units || worker->last ? WIRE_PAUSE : WIRE_LONG_PAUSE);
        }
    }
}

static void copy_name(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from != NULL ? from : "");
}

/* Solves units for one count; `report` becomes the last one. */
static void work(struct setup *setup, struct worker *worker, struct wire_report *report) {
    const struct sink sink = {.keep = keep, .context = worker};
    const struct exchange exchange = {
        .take = take, .begin = begin, .finished = finished, .context = worker, .part = true};
    struct computing computing = {
        .job = setup->job,
        .selection = &setup->selection,
        .options = {.team = &setup->team,
                    .sink = &sink,
                    .exchange = &exchange,
                    .observer = {.report = on_progress, .context = worker, .seconds = 0.02},
                    .started = nqi_seconds_now()}};
    copy_name(report->kernel, sizeof report->kernel, setup->job->kernel);
    report->threads = setup->team.threads;
    worker->units = setup->job->units;
    if (!computing_start(&computing)) {
        report->status = NQ_NO_MEMORY;
        copy_name(report->detail, sizeof report->detail, "no thread to be had");
        return;
    }
    converse(worker, &computing, report);
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
    if (!plan.go)
        return;
    options.method = plan.method;
    options.plan = plan.plan;
    options.depth = plan.depth;
    struct setup setup;
    struct worker worker = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&worker.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    struct wire_report report = {.status = NQ_OK};
    gethostname(report.host, sizeof report.host - 1);
    const struct count_request request = nqi_request_of(job->n, &options);
    report.status = nqi_setup_make(&request, &setup, report.detail, sizeof report.detail);
    if (report.status == NQ_OK && setup.job->unit_count != plan.units) {
        report.status = NQ_LOST_UNIT;
        copy_name(report.detail, sizeof report.detail, "it cuts the board into other units");
    }
    if (report.status == NQ_OK)
        work(&setup, &worker, &report);
    report.done = true;
    report.want = 0;
    report.count = worker.results;
    wire_send(0, TAG_REPORT, &report, sizeof report, worker.result, sizeof *worker.result,
              worker.results);
    nqi_setup_free(&setup);
    free(worker.result);
    free(worker.unit);
}

/* Waits for a count to be made. Others may still be at work on the last one: a signal is theirs
 * to know. */
static void wait_for_job(struct wire_job *job, bool served) {
    void *none;
    int sender;
    while (!wire_take(0, TAG_JOB, job, sizeof *job, &none, &sender)) {
        if (served && signals_caught() != 0 && !signal_told) {
            const struct wire_report report = {.asked = true};
            wire_send(0, TAG_REPORT, &report, sizeof report, NULL, 0, 0);
            signal_told = true;
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
