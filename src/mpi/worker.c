/* Ranks other than 0: solve the units that rank 0 hands out. */
#include "mpi/ranks.h"

#include "cli/signals.h"
#include "library/setup.h"
#include "machine/clock.h"
#include "mpi/crew.h"
#include "mpi/share.h"
#include "mpi/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Seconds between two reports without a request: results are sent together. */
static const double report_seconds = 0.1;

/* Rank 0 has been told of this rank's signal. */
static bool signal_reported;

/* Sends a report, with the results that are to be reported unless it is without. */
static void send_report(struct wire_report *report, struct crew *crew, bool with) {
    struct wire_result *results = with ? crew_results(crew, &report->items) : NULL;
    report->items = with ? report->items : 0;
    report->signalled = signals_caught() != 0;
    signal_reported = signal_reported || report->signalled;
    wire_send(0, TAG_REPORT, report, results);
    free(results);
}

/* Takes in what rank 0 has sent. Returns false if there is nothing. */
static bool take_units(struct crew *crew) {
    struct wire_units head;
    void *units;
    int sender;
    if (!wire_take(TAG_UNITS, &head, &units, &sender))
        return false;
    for (uint64_t i = 0; i < head.items; i++)
        if (((uint64_t *)units)[i] >= crew->solver->partition->unit_count)
            wire_give_up("rank 0 sent a unit that is none");
    if (head.stop)
        crew_stop(crew);
    else
        crew_add(crew, units, head.items, head.last);
    free(units);
    return true;
}

/* Requests units and reports results until the rank's run is over. No results are sent while a
 * request is open: rank 0 may be sending units at the same time, and if both messages are long,
 * each sender waits until the other receives. */
static void exchange_messages(struct crew *crew, struct wire_report *report) {
    bool request_open = false;
    double last_report = nqi_seconds_now();
    while (!atomic_load(&crew->over) || request_open) {
        while (take_units(crew))
            request_open = false;
        report->wanted = request_open || atomic_load(&crew->over) ? 0 : crew_wants(crew);
        const double now = nqi_seconds_now();
        if (report->wanted > 0 || (signals_caught() != 0 && !signal_reported) ||
            (!request_open && now > last_report + report_seconds)) {
            send_report(report, crew, !request_open);
            request_open = request_open || report->wanted > 0;
            last_report = now;
        } else {
            nqi_pause_for(request_open || crew->last ? WIRE_PAUSE : WIRE_LONG_PAUSE);
        }
    }
}

/* Solves units for one count. */
static void solve_units(struct setup *setup, struct crew *crew, struct wire_report *report) {
    crew->solver = setup->solver;
    crew->selection = &setup->selection;
    crew->options = (struct run_options){
        .team = &setup->team, .observer = {.seconds = 0.02}, .started = nqi_seconds_now()};
    snprintf(report->kernel, sizeof report->kernel, "%s", setup->solver->kernel);
    report->threads = setup->team.threads;
    if (!crew_start(crew))
        wire_give_up("cannot start a thread");
    exchange_messages(crew, report);
    crew_join(crew);
    report->status = crew->status;
    report->threads = crew->totals.threads;
    report->bound = crew->totals.threads_bound;
}

static void serve_job(const nq_options *share, const struct wire_job *job) {
    nq_options options = *share;
    options.method = job->method;
    options.plan = job->plan;
    options.depth = job->depth;
    options.kernel = job->kernel[0] != '\0' ? job->kernel : NULL;
    struct setup setup = {0};
    struct crew crew = {.reports = true, .mutex = PTHREAD_MUTEX_INITIALIZER};
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
        solve_units(&setup, &crew, &report);
    report.done = true;
    report.wanted = 0;
    send_report(&report, &crew, true);
    nqi_setup_free(&setup);
}

/* Waits for a job. Other ranks may still be at work on the previous one, so a signal to this
 * rank is reported meanwhile. */
static void wait_for_job(struct wire_job *job, bool served) {
    void *none;
    int sender;
    while (!wire_take(TAG_JOB, job, &none, &sender)) {
        if (served && signals_caught() != 0 && !signal_reported)
            send_report(&(struct wire_report){.status = NQ_OK}, NULL, false);
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
