/* nq_count: options in, a checked total out. */
#include "ledger/recording.h"
#include "method/method.h"
#include "run/clock.h"
#include "run/run.h"
#include "threads/team.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* What a count needs: who computes, what, and where results are kept. */
struct prepared {
    const nq_options *asked;
    nq_options options; /* what was asked for, completed from the ledger */
    struct team team;
    struct job *job;
    struct ledger *ledger; /* NULL: none */
    struct recorded recorded;
    struct selection selection;
};

static bool is_open(const char *name) {
    return name == NULL || strcmp(name, "auto") == 0;
}

/* What the caller leaves open is as in the ledger. */
static void adopt_options(nq_options *options, const struct ledger_job *job) {
    if (is_open(options->method))
        options->method = job->method;
    else if (strcmp(options->method, job->method) != 0)
        return; /* the job's own check will say so */
    if (is_open(options->plan))
        options->plan = job->plan;
    else if (strcmp(options->plan, job->plan) != 0)
        return;
    if (options->depth == 0)
        options->depth = job->depth;
}

static nq_status check_options(int n, const nq_options *options, char *detail, size_t size) {
    if (n < 0 || n > NQ_MAX_N) {
        snprintf(detail, size, "n = %d: expected 0 to %d", n, NQ_MAX_N);
        return NQ_BAD_N;
    }
    int shard = options->shard, shards = options->shards;
    if ((shard != 0 || shards != 0) &&
        (shard < 1 || shard > shards || shards > NQ_MAX_SHARDS)) {
        snprintf(detail, size, "shard %d of %d: expected 1 to the number of shards, at most %d",
                 shard, shards, NQ_MAX_SHARDS);
        return NQ_BAD_OPTION;
    }
    return NQ_OK;
}

/* Whether the method and the plan are the ledger's choice, not the caller's. */
static bool ledger_chose(const struct prepared *count) {
    const nq_options *asked = count->asked;
    return count->ledger != NULL && ledger_job(count->ledger) != NULL &&
           is_open(asked->method) && is_open(asked->plan) && asked->depth == 0;
}

/* The ledger's job is of a version that knows other methods or plans. */
static nq_status unknown_job(const struct prepared *count, char *detail, size_t size) {
    const struct ledger_job *job = ledger_job(count->ledger);
    snprintf(
        detail, size,
        "ledger '%.200s' is of method %.15s, plan %.15s, depth %d: unknown to this version",
        count->options.ledger, job->method, job->plan, job->depth);
    return NQ_LEDGER_OTHER;
}

/* Cuts the board into units, and finds somebody to solve them. */
static nq_status open_job(int n, struct prepared *count, char *detail, size_t size) {
    const struct method *method = method_choose(n, &count->options);
    if (method == NULL && ledger_chose(count))
        return unknown_job(count, detail, size);
    if (method == NULL) {
        snprintf(detail, size, "no method '%.60s': auto, search or join",
                 count->options.method);
        return NQ_BAD_OPTION;
    }
    nq_status status = team_form(&count->options, &count->team, detail, size);
    if (status != NQ_OK)
        return status;
    status = method->open(n, &count->options, &count->job, detail, size);
    if (status != NQ_OK) {
        team_free(&count->team);
    } else { /* not the ledger's strings, which go with it */
        count->options.method = count->job->method->name;
        count->options.plan = count->job->plan;
    }
    return status == NQ_BAD_OPTION && ledger_chose(count) ? unknown_job(count, detail, size)
                                                          : status;
}

static nq_status open_ledger(int n, struct prepared *count, char *detail, size_t size) {
    nq_status status =
        ledger_open(count->options.ledger, LEDGER_WRITE, &count->ledger, detail, size);
    if (status != NQ_OK)
        return status;
    const struct ledger_job *job = ledger_job(count->ledger);
    if (job == NULL)
        return NQ_OK;
    if (job->n != n) {
        snprintf(detail, size, "ledger '%.200s' is of n = %d, not of n = %d",
                 count->options.ledger, job->n, n);
        return NQ_LEDGER_OTHER;
    }
    adopt_options(&count->options, job);
    return NQ_OK;
}

/* Sees what is recorded already. */
static nq_status read_ledger(struct prepared *count, char *detail, size_t size) {
    nq_status status = ledger_set_job(count->ledger, count->job, detail, size);
    return status == NQ_OK
               ? recorded_read(count->ledger, count->job, &count->recorded, detail, size)
               : status;
}

static void finish(struct prepared *count) {
    selection_free(&count->selection);
    recorded_free(&count->recorded);
    if (count->job != NULL) {
        count->job->method->close(count->job);
        team_free(&count->team);
    }
    ledger_close(count->ledger);
}

/* Makes sense of n and the options. Release with finish, whatever is returned. */
static nq_status prepare(int n, const nq_options *options, struct prepared *count, char *detail,
                         size_t size) {
    *count = (struct prepared){.asked = options, .options = *options};
    nq_status status = check_options(n, options, detail, size);
    if (status == NQ_OK && options->ledger != NULL)
        status = open_ledger(n, count, detail, size);
    if (status == NQ_OK)
        status = open_job(n, count, detail, size);
    if (status == NQ_OK && count->ledger != NULL)
        status = read_ledger(count, detail, size);
    if (status == NQ_OK && !selection_make(count->job, options->shard, options->shards,
                                           count->recorded.units, &count->selection))
        status = NQ_NO_MEMORY;
    return status;
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
    uint64_t done; /* units */
    bool stopped;
};

static bool wait_on(void *context) {
    struct waiting *waiting = context;
    const struct job *job = waiting->count->job;
    const nq_options *options = &waiting->count->options;
    nq_progress progress = {.n = job->n,
                            .units = job->unit_count,
                            .units_done = waiting->done,
                            .work_name = job->method->work,
                            .seconds = seconds_now() - waiting->started,
                            .remaining = -1};
    progress.share = (double)waiting->done / (double)(job->unit_count + 1);
    if (!waiting->stopped && options->progress != NULL)
        waiting->stopped = !options->progress(&progress, options->progress_context);
    return !waiting->stopped;
}

/* Solves the selected units, and records them where there is a ledger. */
static nq_status solve(struct prepared *count, double started, struct totals *totals,
                       char *detail, size_t size) {
    if (count->ledger == NULL)
        return run_job(count->job, &count->selection, NULL, &count->team, &count->options,
                       started, totals);
    struct waiting waiting = {
        .count = count, .started = started, .done = count->recorded.count};
    struct patience patience = {.wait = wait_on, .context = &waiting};
    struct recording *recording;
    ledger_ask(count->ledger, &patience);
    nq_status status = recording_begin(count->ledger, count->job, count->team.threads,
                                       &recording, detail, size);
    if (status != NQ_OK)
        return status;
    ledger_ask(count->ledger, NULL); /* the run's threads ask now */
    struct sink sink = recording_sink(recording);
    status = run_job(count->job, &count->selection, &sink, &count->team, &count->options,
                     started, totals);
    waiting.done += totals->units;
    waiting.stopped = status == NQ_CANCELLED;
    ledger_ask(count->ledger, &patience);
    nq_status recorded = recording_end(recording, detail, size);
    ledger_ask(count->ledger, NULL);
    return recorded != NQ_OK ? recorded : status;
}

static nq_status run(struct prepared *count, double started, nq_result *result) {
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
    if (count->selection.count > 0 || count->ledger == NULL || ledger_is_new(count->ledger))
        status = solve(count, started, &totals, result->detail, sizeof result->detail);
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

static const nq_options defaults;

/* Makes sure that a failure has a text. */
static nq_status explained(nq_status status, int n, char *detail, size_t size) {
    if (status != NQ_OK && size > 0 && detail[0] == '\0')
        snprintf(detail, size, "n = %d: %s", n, nq_status_text(status));
    return status;
}

nq_status nq_choose(int n, const nq_options *options, nq_choice *choice, char *detail,
                   size_t size) {
    struct prepared count;
    nq_options without_ledger = options != NULL ? *options : defaults;
    without_ledger.ledger = NULL;
    if (size > 0)
        detail[0] = '\0';
    nq_status status = prepare(n, &without_ledger, &count, detail, size);
    if (choice != NULL)
        *choice = (nq_choice){0};
    if (choice != NULL && status == NQ_OK)
        *choice = (nq_choice){.method = count.job->method->name,
                              .plan = count.job->plan,
                              .kernel = count.job->kernel,
                              .depth = count.job->depth,
                              .units = count.job->unit_count,
                              .memory = count.job->memory};
    finish(&count);
    return explained(status, n, detail, size);
}

nq_status nq_count(int n, const nq_options *options, nq_result *result) {
    double started = seconds_now();
    *result = (nq_result){.n = n};
    struct prepared count;
    nq_status status = prepare(n, options != NULL ? options : &defaults, &count, result->detail,
                               sizeof result->detail);
    if (status == NQ_OK)
        status = run(&count, started, result);
    finish(&count);
    return explained(status, n, result->detail, sizeof result->detail);
}
