/* nq_count: options in, a checked total out. */
#include "api/crew.h"
#include "ledger/recording.h"
#include "run/clock.h"

#include <inttypes.h>
#include <stdio.h>

/* Compares a complete count with the known total. */
static nq_status verify(nq_result *result) {
    uint64_t known;
    if (!nq_known_total(result->n, &known))
        return NQ_OK;
    if (result->solutions == known) {
        result->verdict = NQ_VERIFIED;
        return NQ_OK;
    }
    result->verdict = NQ_WRONG;
    snprintf(result->detail, sizeof result->detail,
             "n = %d: counted %" PRIu64 ", but the known total is %" PRIu64, result->n,
             result->solutions, known);
    return NQ_MISMATCH;
}

/* Reads the complete ledger anew, from the file: what is kept must be what was counted. */
static nq_status check_ledger(struct prepared *count, uint64_t solutions, char *detail,
                              size_t size) {
    struct ledger *ledger;
    struct recorded kept;
    nq_status status = ledger_open(count->options.ledger, LEDGER_READ, &ledger, detail, size);
    if (status != NQ_OK)
        return status;
    status = recorded_read(ledger, count->job, &kept, detail, size);
    if (status == NQ_OK) {
        if (kept.count != count->job->unit_count || kept.solutions != solutions) {
            snprintf(detail, size,
                     "ledger '%.200s': holds %" PRIu64 " solutions in %" PRIu64
                     " units, but %" PRIu64 " in %" PRIu64 " were counted",
                     count->options.ledger, kept.solutions, kept.count, solutions,
                     count->job->unit_count);
            status = NQ_LOST_UNIT;
        }
        recorded_free(&kept);
    }
    ledger_close(ledger);
    return status;
}

/* Somebody who waits for others' locks asks the caller, as a run does. */
struct waiting {
    const struct prepared *count;
    double started;
    uint64_t done; /* units, as nq_progress has it */
    double share;  /* likewise */
    uint64_t work; /* likewise */
    bool stopped;
};

static bool wait_on(void *context) {
    struct waiting *waiting = context;
    const struct job *job = waiting->count->job;
    const nq_options *options = &waiting->count->options;
    nq_progress progress = {.n = job->n,
                            .units = waiting->count->selection.all_count,
                            .units_done = waiting->done,
                            .share = waiting->share,
                            .work = waiting->work,
                            .work_name = job->method->work,
                            .seconds = seconds_now() - waiting->started,
                            .remaining = -1};
    if (!waiting->stopped && options->progress != NULL)
        waiting->stopped = !options->progress(&progress, options->progress_context);
    return !waiting->stopped;
}

/* Solves the selected units. */
static nq_status solve(struct prepared *count, const struct crew *crew, const struct sink *sink,
                       double started, struct totals *totals, char *detail, size_t size) {
    if (crew != NULL)
        return crew->run(crew->context, count, sink, started, totals, detail, size);
    return run_job(count->job, &count->selection, sink, &count->team, &count->options, started,
                   totals);
}

/* The same, and records them in the ledger. */
static nq_status solve_and_record(struct prepared *count, const struct crew *crew,
                                  double started, struct totals *totals, char *detail,
                                  size_t size) {
    const struct selection *selection = &count->selection;
    struct waiting waiting = {
        .count = count,
        .started = started,
        .done = selection->all_count - selection->count,
        .share = selection->all_cost > 0 ? 1 - selection->cost / selection->all_cost : 1};
    struct patience patience = {.wait = wait_on, .context = &waiting};
    struct recording *recording;
    ledger_ask(count->ledger, &patience);
    nq_status status = recording_begin(count->ledger, count->job, count->team.threads,
                                       &recording, detail, size);
    ledger_ask(count->ledger, NULL); /* the run's threads ask now */
    if (status != NQ_OK)
        return status;
    struct sink sink = recording_sink(recording);
    status = waiting.stopped ? NQ_CANCELLED
                             : solve(count, crew, &sink, started, totals, detail, size);
    waiting.done += totals->units;
    waiting.share = totals->units == selection->count ? 1 : waiting.share;
    waiting.work = totals->work;
    waiting.stopped = status == NQ_CANCELLED;
    ledger_ask(count->ledger, &patience);
    nq_status recorded = recording_end(recording, detail, size);
    ledger_ask(count->ledger, NULL);
    return recorded != NQ_OK ? recorded : status;
}

static nq_status run(struct prepared *count, const struct crew *crew, double started,
                     nq_result *result) {
    struct job *job = count->job;
    const struct recorded *recorded = &count->recorded;
    result->method = job->method->name;
    result->plan = job->plan;
    result->work_name = job->method->work;
    result->kernel = job->kernel;
    result->depth = job->depth;
    result->units = count->ledger != NULL ? job->unit_count : count->selection.all_count;
    result->units_recorded = recorded->count;
    result->units_done = recorded->count;
    result->seconds_recorded = recorded->seconds;
    result->plan_seconds = seconds_now() - started;

    struct totals totals = {0};
    nq_status status = NQ_OK;
    if (count->ledger == NULL)
        status =
            solve(count, crew, NULL, started, &totals, result->detail, sizeof result->detail);
    else if (count->selection.count > 0 || ledger_is_new(count->ledger))
        status = solve_and_record(count, crew, started, &totals, result->detail,
                                  sizeof result->detail);
    result->work = recorded->work + totals.work;
    result->units_done += totals.units;
    result->threads = totals.threads;
    result->threads_bound = totals.threads_bound;
    uint64_t solutions;
    if (status == NQ_OK &&
        __builtin_add_overflow(recorded->solutions, totals.solutions, &solutions))
        status = NQ_OVERFLOW;
    if (status == NQ_OK) {
        result->solutions = solutions;
        result->complete = result->units_done == job->unit_count;
        if (result->complete && count->ledger != NULL && totals.units > 0) {
            ledger_close(count->ledger);
            count->ledger = NULL;
            status = check_ledger(count, solutions, result->detail, sizeof result->detail);
        }
    }
    result->seconds = seconds_now() - started;
    if (status != NQ_OK) {
        result->solutions = 0;
        result->complete = false;
        return status;
    }
    return result->complete ? verify(result) : NQ_OK;
}

nq_status count_by(const struct crew *crew, int n, const nq_options *options,
                   nq_result *result) {
    double started = seconds_now();
    *result = (nq_result){.n = n};
    struct prepared count;
    nq_status status = prepared_make(n, options != NULL ? options : &default_options, &count,
                                     result->detail, sizeof result->detail);
    if (status == NQ_OK)
        status = run(&count, crew, started, result);
    prepared_free(&count);
    return explained(status, n, result->detail, sizeof result->detail);
}

nq_status nq_count(int n, const nq_options *options, nq_result *result) {
    return count_by(NULL, n, options, result);
}
