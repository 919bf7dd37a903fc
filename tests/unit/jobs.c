/* SPDX-License-Identifier: MIT */
#include "jobs.h"

#include "counts.h"
#include "engine/methods.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

static struct solver *open_job(int n, const nq_options *options) {
    struct failure failure = {0};
    struct partition *partition;
    struct solver *job = NULL;
    nq_status status = nqi_solver_open(n, options, &partition, &job, &failure);
    cr_assert_eq(status, NQ_OK, "n = %d, method %s: %s", n, options->method, failure.text);
    cr_assert_not_null(job);
    return job;
}

struct solver *open_search(int n) {
    return open_job(n, OPTIONS(.method = "search"));
}

struct solver *open_colours(int n, const char *kernel) {
    return open_job(n, OPTIONS(.method = "colours", .kernel = kernel));
}

void close_solver(struct solver *job) {
    struct partition *partition = (struct partition *)job->partition;
    solver_close(job);
    partition_close(partition);
}

struct unit_result solve_unit(const struct solver *job, void *worker, uint64_t id) {
    struct unit_result result = {.solutions = 77, .work = 77};
    nq_status status = job->call->solve(job, worker, id, NULL, &result);
    cr_assert_eq(status, NQ_OK, "n = %d, plan %s, kernel %s, unit %" PRIu64 ": %s",
                 job->partition->job.n, job->partition->job.plan, job->kernel, id,
                 nq_status_text(status));
    return result;
}

void solve_units(const struct solver *job, const uint64_t *id, size_t count,
                 struct unit_result *result) {
    void *worker = job->call->worker_new(job);
    cr_assert_not_null(worker);
    for (size_t i = 0; i < count; i++)
        result[i] = solve_unit(job, worker, id[i]);
    job->call->worker_free(worker);
}

struct unit_result *solve_all(const struct solver *job) {
    const uint64_t units = job->partition->job.units;
    uint64_t *id = malloc((units + 1) * sizeof *id);
    struct unit_result *results = malloc((units + 1) * sizeof *results);
    cr_assert(id != NULL && results != NULL);
    for (uint64_t i = 0; i < units; i++)
        id[i] = i;
    solve_units(job, id, units, results);
    free(id);
    return results;
}

void expect_results_by_id_alone(const struct solver *job) {
    const uint64_t units = job->partition->job.units;
    void *first = job->call->worker_new(job), *second = job->call->worker_new(job);
    cr_assert(units > 10 && first != NULL && second != NULL);
    for (uint64_t id = 0; id < units; id++) {
        struct unit_result a = solve_unit(job, first, id);
        struct unit_result b = solve_unit(job, second, units - 1 - id);
        struct unit_result c = solve_unit(job, second, id);
        struct unit_result d = solve_unit(job, first, units - 1 - id);
        cr_expect(a.solutions == c.solutions && a.work == c.work, "unit %" PRIu64, id);
        cr_expect(b.solutions == d.solutions && b.work == d.work, "unit %" PRIu64, id);
    }
    job->call->worker_free(first);
    job->call->worker_free(second);
}

/* A heartbeat that counts its calls, and may answer one of them with no. */
struct answers {
    uint64_t calls;
    uint64_t no_at; /* the call that is answered with no; 0: none */
    uint64_t work;  /* reported so far */
    bool backwards; /* the work went back */
};

static bool answer(void *context, uint64_t work) {
    struct answers *answers = context;
    answers->backwards = answers->backwards || work < answers->work;
    answers->work = work;
    return ++answers->calls != answers->no_at;
}

#define HEARTBEAT(answers) (&(struct heartbeat){.go_on = answer, .context = (answers)})

void expect_stops(const struct solver *job, uint64_t id) {
    void *worker = job->call->worker_new(job);
    cr_assert_not_null(worker);
    const struct unit_result expected = solve_unit(job, worker, id);
    struct unit_result result;
    struct answers yes = {0};
    cr_assert_eq(job->call->solve(job, worker, id, HEARTBEAT(&yes), &result), NQ_OK);
    cr_expect(result.solutions == expected.solutions && result.work == expected.work);
    cr_expect(yes.work > 0 && yes.work <= result.work && !yes.backwards && yes.calls > 0,
              "unit %" PRIu64 ": reported %" PRIu64 " in %" PRIu64 " calls", id, yes.work,
              yes.calls);
    for (uint64_t at = 1; at <= yes.calls; at += 1 + yes.calls / 3) {
        struct answers no = {.no_at = at};
        cr_expect_eq(job->call->solve(job, worker, id, HEARTBEAT(&no), &result), NQ_CANCELLED);
        cr_expect_eq(no.calls, at, "%s, unit %" PRIu64 ": asked again", job->kernel, id);
    }
    result = solve_unit(job, worker, id);
    cr_expect(result.solutions == expected.solutions && result.work == expected.work);
    job->call->worker_free(worker);
}
