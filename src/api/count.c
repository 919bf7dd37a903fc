/* nq_count: options in, a checked total out. */
#include "method/method.h"
#include "run/clock.h"
#include "run/run.h"
#include "threads/team.h"

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

static nq_status run(const struct job *job, const struct team *team, const nq_options *options,
                     double started, nq_result *result) {
    result->method = job->method->name;
    result->plan = job->plan;
    result->kernel = job->kernel;
    result->depth = job->depth;
    result->units = job->unit_count;
    result->plan_seconds = seconds_now() - started;

    struct totals totals;
    nq_status status = run_job(job, team, options, started, &totals);
    result->nodes = totals.work;
    result->units_done = totals.units;
    result->threads = totals.threads;
    result->threads_bound = totals.threads_bound;
    result->seconds = seconds_now() - started;
    if (status != NQ_OK)
        return status;
    result->solutions = totals.solutions;
    return verify(result);
}

/* What a count needs: who computes, and what. */
struct prepared {
    struct team team;
    struct job *job;
};

/* Makes sense of n and the options. On NQ_OK, release with finish. */
static nq_status prepare(int n, const nq_options *options, struct prepared *count, char *detail,
                         size_t size) {
    if (n < 0 || n > NQ_MAX_N) {
        snprintf(detail, size, "n = %d: expected 0 to %d", n, NQ_MAX_N);
        return NQ_BAD_N;
    }
    const struct method *method = method_by_name(options->method, n);
    if (method == NULL) {
        snprintf(detail, size, "no method '%.60s': auto or search", options->method);
        return NQ_BAD_OPTION;
    }
    nq_status status = team_form(options, &count->team, detail, size);
    if (status != NQ_OK)
        return status;
    status = method->open(n, options, &count->job, detail, size);
    if (status != NQ_OK)
        team_free(&count->team);
    return status;
}

static void finish(struct prepared *count) {
    count->job->method->close(count->job);
    team_free(&count->team);
}

static const nq_options defaults;

/* Makes sure that a failure has a text. */
static nq_status explained(nq_status status, int n, char *detail, size_t size) {
    if (status != NQ_OK && size > 0 && detail[0] == '\0')
        snprintf(detail, size, "n = %d: %s", n, nq_status_text(status));
    return status;
}

nq_status nq_check(int n, const nq_options *options, char *detail, size_t size) {
    struct prepared count;
    if (size > 0)
        detail[0] = '\0';
    nq_status status = prepare(n, options != NULL ? options : &defaults, &count, detail, size);
    if (status == NQ_OK)
        finish(&count);
    return explained(status, n, detail, size);
}

nq_status nq_count(int n, const nq_options *options, nq_result *result) {
    if (options == NULL)
        options = &defaults;
    double started = seconds_now();
    *result = (nq_result){.n = n};
    struct prepared count;
    nq_status status = prepare(n, options, &count, result->detail, sizeof result->detail);
    if (status == NQ_OK) {
        status = run(count.job, &count.team, options, started, result);
        finish(&count);
    }
    return explained(status, n, result->detail, sizeof result->detail);
}
