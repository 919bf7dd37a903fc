/* SPDX-License-Identifier: MIT */
/* nq_count_solutions: from options to a checked total. */
#include "library/count.h"
#include "core/known.h"
#include "ledger/ledger.h"
#include "machine/team.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Reads the complete ledger from its file: it must hold what was counted. */
static nq_status check_ledger(struct setup *setup, uint64_t solutions,
                              struct failure *failure) {
    const char *file = setup->options.ledger;
    struct ledger *ledger;
    struct recorded held;
    nq_status status = nqi_ledger_open(file, LEDGER_READ, &ledger, failure);
    if (status != NQ_OK)
        return status;
    status = nqi_recorded_read(ledger, setup->partition, &held, failure);
    if (status == NQ_OK) {
        if (held.count != setup->partition->job.units || held.solutions != solutions)
            status = nqi_fail(failure, NQ_LOST_UNIT,
                              "ledger '%.200s': holds %" PRIu64 " solutions in %" PRIu64
                              " units, but %" PRIu64 " in %" PRIu64 " units were counted",
                              file, held.solutions, held.count, solutions,
                              setup->partition->job.units);
        nqi_recorded_free(&held);
    }
    nqi_ledger_close(ledger);
    return status;
}

/* The context of the busy handler, which reports to the observer as a run does, and of the
 * run's observer. */
struct waiting {
    const struct setup *setup;
    nq_progress progress; /* of what is done, without the time */
    double started;
    double next_report; /* as in run_options */
    bool stopped;       /* the observer said stop */
};

static const char waiting_phase[] = "waiting for the ledger";

/* Seconds for which the ledger is locked before reports say so. */
static const double noticeable_wait = 1;

/* Reports progress to the observer, and whether results cannot be written meanwhile. */
static bool report(const nq_progress *progress, void *context) {
    const struct waiting *waiting = context;
    const nq_options *options = &waiting->setup->options;
    nq_progress all = *progress;
    if (nqi_ledger_waiting(waiting->setup->ledger) >= noticeable_wait)
        all.phase = waiting_phase;
    return options->progress(&all, options->progress_context);
}

static bool keep_waiting(void *context) {
    struct waiting *waiting = context;
    const struct observer observer = observer_of(&waiting->setup->options);
    double now = nqi_seconds_now();
    if (waiting->stopped || observer.report == NULL || now < waiting->next_report)
        return !waiting->stopped;
    waiting->progress.seconds = now - waiting->started;
    waiting->next_report = now + nqi_observer_interval(&observer);
    waiting->stopped = !observer.report(&waiting->progress, observer.context);
    return !waiting->stopped;
}

/* Solves the selected units, in this process or by the executor. */
static nq_status solve(struct setup *setup, const struct executor *executor,
                       const struct run_options *options, struct totals *totals,
                       struct failure *failure) {
    if (executor != NULL)
        return executor->execute(executor->context, setup->solver, &setup->selection, options,
                                 totals, failure);
    return nqi_run_job(setup->solver, &setup->selection, options, totals);
}

/* Solves the selected units and records them in the ledger. */
static nq_status solve_and_record(struct setup *setup, const struct executor *executor,
                                  struct run_options options, struct totals *totals,
                                  struct failure *failure) {
    const struct selection *selection = &setup->selection;
    struct waiting waiting = {.setup = setup,
                              .progress = nqi_progress_begin(setup->solver, &setup->team),
                              .started = options.started};
    nq_progress *progress = &waiting.progress;
    progress->phase = waiting_phase;
    progress->units = selection->all_count;
    progress->units_done = selection->all_count - selection->count;
    progress->share =
        selection->count > 0 ? 1 - (double)selection->cost / (double)selection->all_cost : 1;
    struct busy_handler busy = {.keep_waiting = keep_waiting, .context = &waiting};
    struct recording *recording;
    nq_status status = nqi_recording_begin(setup->ledger, setup->solver, setup->team.threads,
                                           &busy, &recording, failure);
    if (status != NQ_OK)
        return status;
    struct sink sink = nqi_recording_sink(recording);
    options.sink = &sink;
    if (options.observer.report != NULL) {
        options.observer.report = report;
        options.observer.context = &waiting;
    }
    options.next_report = waiting.next_report;
    status = waiting.stopped ? NQ_CANCELLED : solve(setup, executor, &options, totals, failure);
    progress->units_done += totals->units;
    progress->share = totals->units == selection->count ? 1 : progress->share;
    progress->work = totals->work;
    waiting.stopped = waiting.stopped || totals->stopped;
    waiting.next_report = fmax(waiting.next_report, totals->next_report);
    nq_status recorded = nqi_recording_end(recording, &busy, failure);
    return recorded != NQ_OK ? recorded : status;
}

static nq_status run(struct setup *setup, const struct executor *executor, double started,
                     nq_result *result, struct failure *failure) {
    const struct partition *partition = setup->partition;
    const struct recorded *recorded = &setup->recorded;
    result->job = partition->job;
    result->work_name = partition->work;
    result->kernel = setup->solver->kernel;
    result->units = setup->ledger != NULL ? partition->job.units : setup->selection.all_count;
    result->units_recorded = recorded->count;
    result->units_done = recorded->count;
    result->seconds_recorded = recorded->seconds;
    result->plan_seconds = nqi_seconds_now() - started;

    const struct run_options options = {
        .team = &setup->team, .observer = observer_of(&setup->options), .started = started};
    struct totals totals = {0};
    nq_status status = NQ_OK;
    if (setup->ledger == NULL)
        status = solve(setup, executor, &options, &totals, failure);
    else if (setup->selection.count > 0 || nqi_ledger_is_new(setup->ledger))
        status = solve_and_record(setup, executor, options, &totals, failure);
    result->work = work_sum(recorded->work, totals.work);
    result->units_done += totals.units;
    result->threads = totals.threads;
    result->threads_bound = totals.threads_bound;
    uint64_t solutions;
    if (status == NQ_OK &&
        __builtin_add_overflow(recorded->solutions, totals.solutions, &solutions))
        status = NQ_OVERFLOW;
    if (status == NQ_OK) {
        result->solutions = solutions;
        result->complete = result->units_done == partition->job.units;
        if (result->complete && setup->ledger != NULL && totals.units > 0) {
            nqi_ledger_close(setup->ledger);
            setup->ledger = NULL;
            status = check_ledger(setup, solutions, failure);
        }
    }
    result->seconds = nqi_seconds_now() - started;
    if (status != NQ_OK) {
        result->solutions = 0;
        result->complete = false;
        return status;
    }
    if (result->complete && setup->options.board == NULL)
        result->verdict = nqi_known_verdict(result->job.n, solutions, "counted", failure);
    return result->verdict == NQ_WRONG ? NQ_MISMATCH : NQ_OK;
}

nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result, struct failure *failure) {
    double started = nqi_seconds_now();
    struct setup setup;
    *result = (nq_result){.size = sizeof *result, .job.n = n};
    nq_status status = nqi_setup_make(n, options, &setup, failure);
    if (status == NQ_OK)
        status = run(&setup, executor, started, result, failure);
    nqi_setup_free(&setup);
    return nqi_name_n(status, n, failure);
}

nq_status nq_count_solutions(int n, const nq_options *options, nq_result *result) {
    struct failure failure = {0};
    nq_options own;
    nq_result found = {.job.n = n};
    nq_status status = nqi_check_size(result->size, sizeof *result, "NQ_RESULT_INIT", &failure);
    if (status != NQ_OK)
        return nqi_end_call(status, &failure);
    status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = nqi_count_on(NULL, n, &own, &found, &failure);
    nqi_write_sized(&found, sizeof found, result);
    return nqi_end_call(status, &failure);
}
