/* nq_count: options in, a checked total out. */
#include "method/method.h"
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

nq_status nq_count(int n, const nq_options *options, nq_result *result) {
    static const nq_options defaults;
    if (options == NULL)
        options = &defaults;
    double started = seconds_now();
    *result = (nq_result){.n = n};
    char *detail = result->detail;
    const size_t size = sizeof result->detail;
    if (n < 0 || n > NQ_MAX_N) {
        snprintf(detail, size, "n = %d: 0 to %d", n, NQ_MAX_N);
        return NQ_BAD_N;
    }
    const struct method *method = method_by_name(options->method, n);
    if (method == NULL) {
        snprintf(detail, size, "no method '%s': auto or search", options->method);
        return NQ_BAD_OPTION;
    }
    struct team team;
    nq_status status = team_form(options, &team, detail, size);
    if (status != NQ_OK)
        return status;
    struct job *job = NULL;
    status = method->open(n, options, &job, detail, size);
    if (status == NQ_OK) {
        status = run(job, &team, options, started, result);
        method->close(job);
    }
    team_free(&team);
    return status;
}
