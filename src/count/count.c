/* SPDX-License-Identifier: MIT */
/* nq_count_solutions(), from options to a checked total: prepare the count, solve the units
 * that are not recorded, add the recorded ones, read the completed ledger once more, and
 * compare the total with the known one. */
#include "count/count.h"
#include "core/known.h"
#include "core/sized.h"
#include "ledger/ledger.h"
#include "machine/clock.h"

#include <inttypes.h>

/* Reads the completed ledger again from its file, and checks that it holds what was counted. */
static nq_status count_check_ledger(struct setup *setup, uint64_t solutions) {
    const uint64_t units = setup->partition->job.units;
    struct ledger *ledger;
    struct recorded held = {0};
    nq_status status = nqi_ledger_read_again(setup->ledger, &ledger);
    if (status == NQ_OK)
        status = nqi_ledger_match_job(ledger, &setup->partition->job);
    if (status == NQ_OK)
        status = nqi_recorded_sum(ledger, setup->partition, &held);
    if (status == NQ_OK && (held.count != units || held.solutions != solutions))
        status = nqi_ledger_fail(ledger, NQ_LOST_UNIT,
                                 "holds %" PRIu64 " solutions in %" PRIu64
                                 " units, but %" PRIu64 " in %" PRIu64 " units were counted",
                                 held.solutions, held.count, solutions, units);
    nqi_recorded_free(&held);
    nqi_ledger_close(ledger);
    return status;
}

/* The observer of a run. It adds warnings about the ledger to the progress, and passes it on to
 * the user's callback. */
static bool count_report(const nq_progress *progress, void *context) {
    struct setup *setup = context;
    nq_progress reported = *progress;
    char warning[5000];
    if (setup->distributed) /* this process does not know the other processes' threads */
        reported.threads = reported.pus = 0;
    snprintf(warning, sizeof warning, "%s", progress->warning != NULL ? progress->warning : "");
    if (setup->ledger != NULL)
        nqi_ledger_warn(setup->ledger, warning, sizeof warning);
    nqi_recording_warn(setup->recording, warning, sizeof warning);
    reported.warning = warning[0] != '\0' ? warning : NULL;
    return setup->options.progress(&reported, setup->options.progress_context);
}

/* Solves the selected units, in this process or by the executor, and records their results if
 * there is a ledger. */
static nq_status count_units(struct setup *setup, const struct executor *executor,
                             double started, struct totals *totals, struct failure *failure) {
    const bool is_observed = setup->options.progress != NULL;
    struct sink sink = executor != NULL ? executor->sink : (struct sink){0};
    const struct run_options options = {
        .team = &setup->team,
        .sink = setup->ledger != NULL || sink.put != NULL ? &sink : NULL,
        .source = executor != NULL ? executor->source : NULL,
        .observer = {is_observed ? count_report : NULL, setup, setup->options.progress_seconds},
        .started = started};
    struct run *run = nqi_run_begin(setup->solver, &setup->selection, &options);
    if (run == NULL)
        return NQ_NO_MEMORY;
    nq_status status = NQ_OK;
    if (setup->ledger != NULL) {
        status = nqi_recording_begin(setup->ledger, setup->solver, setup->team.threads,
                                     &setup->options, run, &setup->recording);
        if (status == NQ_OK)
            sink = nqi_recording_sink(setup->recording);
    }
    if (status == NQ_OK && executor != NULL)
        status = executor->execute(executor->context, run, setup, failure);
    else if (status == NQ_OK)
        nqi_run_solve(run);
    const nq_status recorded = nqi_recording_end(setup->recording),
                    ended = nqi_run_end(run, totals);
    setup->recording = NULL;
    return recorded != NQ_OK ? recorded : status != NQ_OK ? status : ended;
}

static nq_status count_run(struct setup *setup, const struct executor *executor, double started,
                           nq_result *result, struct failure *failure) {
    const struct partition *partition = setup->partition;
    const struct recorded *recorded = &setup->recorded;
    result->job = partition->job;
    result->work_name = partition->work;
    result->kernel = setup->solver->kernel;
    result->devices = setup->distributed ? 0 : setup->solver->devices;
    result->units = setup->ledger != NULL ? partition->job.units : setup->selection.all_count;
    result->units_recorded = recorded->count;
    result->units_done = recorded->count;
    result->seconds_recorded = recorded->seconds;
    result->plan_seconds = nqi_seconds_now() - started;
    struct totals totals = {0};
    nq_status status = NQ_OK;
    /* Even a run without units writes its line to a ledger that has no run yet. */
    if (setup->ledger == NULL || setup->selection.count > 0 || recorded->runs == 0)
        status = count_units(setup, executor, started, &totals, failure);
    result->work = work_sum(recorded->work, totals.work);
    result->units_done += totals.units;
    result->threads = totals.threads;
    result->threads_bound = totals.threads_bound;
    uint64_t solutions = recorded->solutions;
    if (status == NQ_OK)
        status = solutions_add(&solutions, 1, totals.solutions);
    if (status == NQ_OK) {
        result->solutions = solutions;
        result->complete = result->units_done == partition->job.units;
        if (result->complete && setup->ledger != NULL && totals.units > 0)
            status = count_check_ledger(setup, solutions);
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
    setup.distributed = executor != NULL;
    if (status == NQ_OK)
        status = count_run(&setup, executor, started, result, failure);
    nqi_setup_free(&setup);
    return nqi_fail_for_n(status, n, failure);
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
