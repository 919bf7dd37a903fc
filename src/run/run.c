/* SPDX-License-Identifier: MIT */
#include "run/run.h"

#include "machine/clock.h"
#include "run/reporter.h"

#include <omp.h>
#include <stdlib.h>

/* Seconds that units under way have to finish after a stop if there is a sink. Most units are
 * shorter, and a user who interrupts a run should not have to wait longer. */
static const double grace_seconds = 1;

/* The same if several processes share the job: launchers kill them after a second, and the
 * results have to be recorded by then. */
static const double shared_grace_seconds = 0.5;

/* Adds one number to a counter that no other thread writes. */
static void counters_add(_Atomic uint64_t *counter, uint64_t number) {
    uint64_t before = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, before + number, memory_order_relaxed);
}

/* Publishes the work of the finished units and of the unit under way. */
static void counters_set_work(struct counters *counters, uint64_t under_way) {
    atomic_store_explicit(&counters->work, work_sum(counters->finished_work, under_way),
                          memory_order_relaxed);
}

/* Adds weight x solutions. Returns false if the sum exceeds 64 bits. */
static bool counters_add_solutions(struct counters *counters, uint64_t weight,
                                   uint64_t solutions) {
    uint64_t sum = atomic_load_explicit(&counters->solutions, memory_order_relaxed);
    uint64_t weighted;
    if (__builtin_mul_overflow(weight, solutions, &weighted) ||
        __builtin_add_overflow(sum, weighted, &sum))
        return false;
    atomic_store_explicit(&counters->solutions, sum, memory_order_relaxed);
    return true;
}

/* What the threads of a run share. */
struct run {
    struct solver *solver;
    const struct selection *selection;
    const struct sink *sink;     /* NULL: none */
    const struct source *source; /* NULL: none */
    const struct team *team;
    struct totals totals; /* threads and threads_bound */
    _Atomic int failure;  /* a status */
    struct reporter reporter;
    struct counters *counters; /* [thread]; the last ones: units that other processes solved */
    int threads;
    uint64_t count;         /* number of selected units */
    _Atomic uint64_t next;  /* index of the next one to solve */
    _Atomic uint64_t *done; /* one bit per unit: its result has been added */
};

/* Marks a unit as done. Returns false if it was done before. */
static bool run_mark_done(struct run *run, uint64_t id) {
    uint64_t bit = UINT64_C(1) << (id % 64);
    return (atomic_fetch_or(&run->done[id / 64], bit) & bit) == 0;
}

/* The context of a thread's heartbeat. */
struct beat {
    struct run *run;
    struct counters *counters;
};

static bool beat_may_go_on(void *context, uint64_t work) {
    struct beat *beat = context;
    counters_set_work(beat->counters, work);
    nqi_reporter_tick(&beat->run->reporter);
    return nqi_reporter_may_go_on(&beat->run->reporter);
}

static nq_status run_add_solved(struct run *run, struct counters *counters,
                                const struct solved *solved) {
    const struct unit unit = run->solver->partition->units[solved->unit];
    if (!run_mark_done(run, solved->unit))
        return NQ_LOST_UNIT;
    if (!counters_add_solutions(counters, unit.weight, solved->result.solutions))
        return NQ_OVERFLOW;
    counters->finished_work = work_sum(counters->finished_work, solved->result.work);
    counters_set_work(counters, 0);
    counters_add(&counters->cost, unit.cost);
    counters_add(&counters->units, 1);
    return run->sink != NULL ? run->sink->keep(run->sink->context, solved) : NQ_OK;
}

nq_status nqi_run_add(struct run *run, const struct solved *solved) {
    if (solved->unit >= run->solver->partition->job.units)
        return NQ_INTERNAL;
    return run_add_solved(run, &run->counters[run->threads], solved);
}

static nq_status run_solve_unit(struct run *run, void *worker, uint64_t id,
                                struct counters *counters) {
    struct beat beat = {.run = run, .counters = counters};
    const struct heartbeat heartbeat = {.go_on = beat_may_go_on, .context = &beat};
    struct solved solved = {.unit = id};
    /* The clock of a thread is asked by a system call, which short counts do without. */
    const bool timed = run->sink != NULL;
    double begun = nqi_seconds_now(), cpu = timed ? nqi_thread_seconds() : 0;
    nq_status status =
        run->solver->call->solve(run->solver, worker, id, &heartbeat, &solved.result);
    solved.cpu_seconds = timed ? nqi_thread_seconds() - cpu : 0;
    solved.seconds = nqi_seconds_now() - begun;
    if (status != NQ_OK) {
        counters_set_work(counters, 0);
        return status;
    }
    return run_add_solved(run, counters, &solved);
}

/* Adds up the threads' counters. run_mark_done ensures that no unit is in them twice, so their
 * number of units shows whether all are in them. */
static nq_status run_sum_counters(const struct run *run, bool cancelled,
                                  struct totals *totals) {
    for (int i = 0; i <= run->threads; i++) {
        const struct counters *counters = &run->counters[i];
        if (__builtin_add_overflow(totals->solutions, counters->solutions, &totals->solutions))
            return NQ_OVERFLOW;
        totals->work = work_sum(totals->work, counters->work);
        totals->units += counters->units;
    }
    if (run->source != NULL ? !cancelled : totals->units == run->count)
        return NQ_OK;
    return cancelled ? NQ_CANCELLED : NQ_LOST_UNIT;
}

/* Sets up what the threads share. Returns false if memory runs out. */
static bool run_allocate(struct run *run, const struct run_options *options) {
    double grace = run->sink == NULL ? 0
                   : options->shared ? shared_grace_seconds
                                     : grace_seconds;
    run->counters = aligned_alloc(alignof(struct counters),
                                  (size_t)(run->threads + 1) * sizeof *run->counters);
    run->done = calloc(run->solver->partition->job.units / 64 + 1, sizeof *run->done);
    if (run->counters == NULL || run->done == NULL)
        return false;
    for (int i = 0; i <= run->threads; i++)
        run->counters[i] = (struct counters){0};
    run->reporter = (struct reporter){.observer = options->observer,
                                      .selection = run->selection,
                                      .counters = run->counters,
                                      .counter_count = run->threads + 1,
                                      .common = nqi_progress_begin(run->solver, run->team),
                                      .started = options->started,
                                      .solving = nqi_seconds_now(),
                                      .grace_seconds = grace,
                                      .next_report = options->next_report,
                                      .reporting = ATOMIC_FLAG_INIT};
    return true;
}

static void run_free(struct run *run) {
    free(run->counters);
    free(run->done);
    free(run);
}

uint64_t nqi_run_remaining(const struct run *run) {
    const uint64_t next = atomic_load_explicit(&run->next, memory_order_relaxed);
    return next < run->count ? run->count - next : 0;
}

uint64_t nqi_run_take(struct run *run, uint64_t count, uint64_t *units) {
    const uint64_t next = atomic_fetch_add_explicit(&run->next, count, memory_order_relaxed);
    const uint64_t remaining = next < run->count ? run->count - next : 0;
    count = count < remaining ? count : remaining;
    for (uint64_t i = 0; i < count; i++)
        units[i] = run->selection->unit[next + i];
    return count;
}

static enum taken run_take_unit(struct run *run, uint64_t *unit) {
    if (run->source != NULL)
        return run->source->take(run->source->context, unit);
    return nqi_run_take(run, 1, unit) == 1 ? TAKEN : NO_MORE;
}

/* Solves units in one thread until none remains, the run is stopped, or one fails. Returns
 * NQ_OK, NQ_CANCELLED or the failure. */
static nq_status run_solve_units(struct run *run, struct counters *counters) {
    void *worker = run->solver->call->worker_new(run->solver);
    nq_status status = worker != NULL ? NQ_OK : NQ_NO_MEMORY;
    uint64_t unit;
    for (enum taken taken = TAKEN; taken != NO_MORE && status == NQ_OK;) {
        if (!nqi_reporter_may_start(&run->reporter))
            break;
        taken = run_take_unit(run, &unit);
        if (taken == TAKEN)
            status = run_solve_unit(run, worker, unit, counters);
        if (taken != NO_MORE)
            nqi_reporter_tick(&run->reporter);
    }
    if (status != NQ_OK && status != NQ_CANCELLED)
        nqi_reporter_stop(&run->reporter, 0);
    run->solver->call->worker_free(worker);
    return status;
}

void nqi_run_tick(struct run *run) {
    nqi_reporter_tick(&run->reporter);
}

void nqi_run_stop(struct run *run, bool by_user) {
    if (nqi_run_stopped(run))
        return;
    if (by_user)
        atomic_store(&run->reporter.observer_stopped, true);
    nqi_reporter_stop(&run->reporter, run->reporter.grace_seconds);
}

bool nqi_run_stopped(const struct run *run) {
    return !nqi_reporter_may_start(&run->reporter);
}

struct run *nqi_run_begin(struct solver *solver, const struct selection *selection,
                          const struct run_options *options) {
    struct run *run = malloc(sizeof *run);
    if (run == NULL)
        return NULL;
    *run = (struct run){.solver = solver,
                        .selection = selection,
                        .count = selection->count,
                        .sink = options->sink,
                        .source = options->source,
                        .team = options->team,
                        .threads = options->team->threads};
    if (run_allocate(run, options))
        return run;
    run_free(run);
    return NULL;
}

static atomic_int run_starting; /* teams */

bool nqi_run_is_starting(void) {
    return atomic_load(&run_starting) > 0;
}

void nqi_run_solve(struct run *run) {
    const struct team *team = run->team;
    int threads = 0, bound = 0;
    /* Else OpenMP may start fewer than requested while other programs use the CPUs. */
    const int dynamic = omp_get_dynamic();
    nqi_reporter_tick(&run->reporter); /* before the first unit */
    omp_set_dynamic(0);
    atomic_fetch_add(&run_starting, 1);
#pragma omp parallel num_threads(team->threads) reduction(+ : bound) shared(threads)
    {
        const int me = omp_get_thread_num();
        if (me == 0) { /* all threads are there */
            atomic_fetch_sub(&run_starting, 1);
            threads = omp_get_num_threads(); /* OMP_THREAD_LIMIT may allow fewer */
        }
        hwloc_bitmap_t mask = nqi_team_bind(team, me);
        bound += mask != NULL;
        nq_status status = run_solve_units(run, &run->counters[me]);
        if (status != NQ_OK && status != NQ_CANCELLED)
            atomic_store(&run->failure, (int)status);
        nqi_team_unbind(team, mask);
    }
    omp_set_dynamic(dynamic);
    run->totals.threads = threads;
    run->totals.threads_bound = bound;
}

nq_status nqi_run_end(struct run *run, struct totals *totals) {
    *totals = run->totals;
    totals->stopped = atomic_load(&run->reporter.observer_stopped);
    totals->next_report = atomic_load(&run->reporter.next_report);
    nq_status status = (nq_status)atomic_load(&run->failure);
    if (status == NQ_OK)
        status = run_sum_counters(run, nqi_run_stopped(run), totals);
    if (status != NQ_OK && status != NQ_CANCELLED)
        totals->solutions = 0;
    run_free(run);
    return status;
}

nq_status nqi_run_job(struct solver *solver, const struct selection *selection,
                      const struct run_options *options, struct totals *totals) {
    *totals = (struct totals){0};
    struct run *run = nqi_run_begin(solver, selection, options);
    if (run == NULL)
        return NQ_NO_MEMORY;
    nqi_run_solve(run);
    return nqi_run_end(run, totals);
}
