/* SPDX-License-Identifier: MIT */
/* Solvers under test, and the units that they solve. */
#ifndef HELPERS_SOLVERS_H
#define HELPERS_SOLVERS_H

#include "counts.h"
#include "methods/methods.h"

#include <inttypes.h>

/* Opens the partition of an empty board and its solver, which must succeed. close_solver closes
 * both. */
static inline struct solver *open_solver(int n, const nq_options *options) {
    struct failure failure = {0};
    struct partition *partition;
    struct solver *solver = NULL;
    cr_assert_eq(nqi_solver_open(n, options, NULL, &partition, &solver, &failure), NQ_OK,
                 "n = %d: %s", n, failure.text);
    cr_assert_not_null(solver);
    return solver;
}

/* Makes a solver of an open partition, with a kernel of a CPU. */
static inline struct solver *solver_by(const struct partition *partition,
                                       const struct kernel *kernel) {
    struct solver *solver;
    cr_assert_eq(kernel->solver(partition, kernel, NULL, NULL, &solver, NULL), NQ_OK);
    return solver;
}

static inline void close_solver(struct solver *solver) {
    struct partition *partition = (struct partition *)solver->partition;
    solver_close(solver);
    partition_close(partition);
}

static inline struct unit_result solve_unit(const struct solver *solver, void *workspace,
                                            uint64_t id) {
    struct unit_result result = {.solutions = 77, .work = 77};
    nq_status status = solver_solve(solver, workspace, id, NULL, &result);
    cr_assert_eq(status, NQ_OK, "n = %d, method %s, kernel %s, unit %" PRIu64 ": %s",
                 solver->partition->job.n, solver->partition->job.method, solver->kernel, id,
                 nq_status_text(status));
    return result;
}

/* Solves units id[0..count-1] with a new workspace, which must succeed. */
static inline void solve_units(const struct solver *solver, const uint64_t *id, size_t count,
                               struct unit_result *result) {
    void *workspace = solver->call->workspace_new(solver);
    cr_assert_not_null(workspace);
    for (size_t i = 0; i < count; i++)
        result[i] = solve_unit(solver, workspace, id[i]);
    solver->call->workspace_free(workspace);
}

/* A heartbeat that counts its calls, and may answer one of them with no. */
struct answers {
    uint64_t calls;
    uint64_t no_at; /* the call that is answered with no; 0: none */
    uint64_t work;  /* reported so far */
    bool backwards; /* the work went back */
};

static inline bool answer(void *context, uint64_t work) {
    struct answers *answers = context;
    answers->backwards = answers->backwards || work < answers->work;
    answers->work = work;
    return ++answers->calls != answers->no_at;
}

#define HEARTBEAT(answers) (&(struct heartbeat){.go_on = answer, .context = (answers)})

/* Expects that a unit ends with NQ_CANCELLED as soon as its heartbeat says no, be it at the
 * first call of the heartbeat or at a later one. The workspace must then be able to solve the
 * unit again. */
static inline void expect_stops(const struct solver *solver, uint64_t id) {
    void *workspace = solver->call->workspace_new(solver);
    cr_assert_not_null(workspace);
    const struct unit_result expected = solve_unit(solver, workspace, id);
    struct unit_result result;
    struct answers yes = {0};
    cr_assert_eq(solver_solve(solver, workspace, id, HEARTBEAT(&yes), &result), NQ_OK);
    cr_expect(result.solutions == expected.solutions && result.work == expected.work);
    cr_expect(yes.work > 0 && yes.work <= result.work && !yes.backwards && yes.calls > 0,
              "unit %" PRIu64 ": reported %" PRIu64 " in %" PRIu64 " calls", id, yes.work,
              yes.calls);
    for (uint64_t at = 1; at <= yes.calls; at += 1 + yes.calls / 3) {
        struct answers no = {.no_at = at};
        cr_expect_eq(solver_solve(solver, workspace, id, HEARTBEAT(&no), &result),
                     NQ_CANCELLED);
        cr_expect_eq(no.calls, at, "%s, unit %" PRIu64 ": asked again", solver->kernel, id);
    }
    result = solve_unit(solver, workspace, id);
    cr_expect(result.solutions == expected.solutions && result.work == expected.work);
    solver->call->workspace_free(workspace);
}

#endif
