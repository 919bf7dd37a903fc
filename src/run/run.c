#include "run/run.h"

#include "run/clock.h"
#include "run/report.h"
#include "run/share.h"

#include <omp.h>
#include <stdlib.h>

/* Seconds that units under way have to finish where results are kept: most are shorter, and a
 * longer wait would try the patience of whoever interrupts a run. */
static const double patience = 1;

/* Adds one number to a counter that no other thread writes. */
static void add(_Atomic uint64_t *counter, uint64_t number) {
    uint64_t before = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, before + number, memory_order_relaxed);
}

/* Adds weight x solutions. False: the sum outgrew 64 bits. */
static bool add_solutions(struct share *share, uint64_t weight, uint64_t solutions) {
    uint64_t sum = atomic_load_explicit(&share->solutions, memory_order_relaxed);
    uint64_t weighted;
    if (__builtin_mul_overflow(weight, solutions, &weighted) ||
        __builtin_add_overflow(sum, weighted, &sum))
        return false;
    atomic_store_explicit(&share->solutions, sum, memory_order_relaxed);
    return true;
}

/* One run: what its threads share. */
struct run {
    struct job *job;
    const struct selection *selection;
    const struct sink *sink; /* NULL: none */
    struct reporter reporter;
    struct share *shares;
    _Atomic uint64_t *done; /* a bit for every unit that has been added to a share */
};

/* Notes that a unit is done. False: it was already. */
static bool mark_done(struct run *run, uint64_t id) {
    uint64_t bit = UINT64_C(1) << (id % 64);
    return (atomic_fetch_or(&run->done[id / 64], bit) & bit) == 0;
}

/* What a thread's pulse needs. */
struct at_work {
    struct run *run;
    struct share *share;
};

static bool go_on(void *context, uint64_t work) {
    struct at_work *at = context;
    atomic_store_explicit(&at->share->under_way, work, memory_order_relaxed);
    reporter_tick(&at->run->reporter);
    return reporter_may_go_on(&at->run->reporter);
}

/* Makes what the threads share; the time that takes says nothing of that for a unit. */
static nq_status prepare(struct run *run, struct share *share) {
    struct at_work at = {.run = run, .share = share};
    const struct pulse pulse = {.go_on = go_on, .context = &at};
    if (run->job->method->prepare == NULL)
        return NQ_OK;
    nq_status status = run->job->method->prepare(run->job, &pulse);
    atomic_store(&run->reporter.solving, seconds_now());
    return status;
}

static nq_status solve_unit(struct run *run, void *worker, uint64_t id, struct share *share) {
    const struct job *job = run->job;
    struct at_work at = {.run = run, .share = share};
    const struct pulse pulse = {.go_on = go_on, .context = &at};
    struct solved solved = {.unit = id};
    double begun = seconds_now();
    nq_status status = job->method->solve(job, worker, id, &pulse, &solved.result);
    solved.seconds = seconds_now() - begun;
    atomic_store_explicit(&share->under_way, 0, memory_order_relaxed);
    if (status != NQ_OK)
        return status;
    if (!mark_done(run, id))
        return NQ_LOST_UNIT;
    if (!add_solutions(share, job->units[id].weight, solved.result.solutions))
        return NQ_OVERFLOW;
    add(&share->work, solved.result.work);
    double cost = atomic_load_explicit(&share->cost, memory_order_relaxed);
    atomic_store_explicit(&share->cost, cost + job->units[id].cost, memory_order_relaxed);
    add(&share->units, 1);
    return run->sink != NULL ? run->sink->keep(run->sink->context, &solved) : NQ_OK;
}

/* Adds up the threads' shares. No unit is in them twice; whether all are is checked here. */
static nq_status sum_shares(const struct run *run, bool cancelled, struct totals *totals) {
    for (int i = 0; i < totals->threads; i++) {
        const struct share *share = &run->shares[i];
        if (__builtin_add_overflow(totals->solutions, share->solutions, &totals->solutions))
            return NQ_OVERFLOW;
        totals->work += share->work;
        totals->units += share->units;
    }
    if (totals->units == run->selection->count)
        return NQ_OK;
    return cancelled ? NQ_CANCELLED : NQ_LOST_UNIT;
}

/* Allocates what the threads share. False: out of memory. */
static bool run_begin(struct run *run, int threads) {
    run->shares = aligned_alloc(alignof(struct share), (size_t)threads * sizeof *run->shares);
    run->done = calloc(run->job->unit_count / 64 + 1, sizeof *run->done);
    if (run->shares == NULL || run->done == NULL)
        return false;
    for (int i = 0; i < threads; i++)
        run->shares[i] = (struct share){0};
    return true;
}

static void run_end(struct run *run) {
    free(run->shares);
    free(run->done);
}

nq_status run_job(struct job *job, const struct selection *selection, const struct sink *sink,
                  const struct team *team, const nq_options *options, double started,
                  struct totals *totals) {
    *totals = (struct totals){0};
    struct run run = {.job = job, .selection = selection, .sink = sink};
    if (!run_begin(&run, team->threads)) {
        run_end(&run);
        return NQ_NO_MEMORY;
    }
    reporter_init(&run.reporter, job, selection, options, run.shares, team->threads, started,
                  sink != NULL ? patience : 0);
    _Atomic int failure = NQ_OK;
    int threads = 0, bound = 0;
#pragma omp parallel num_threads(team->threads) reduction(+ : bound) shared(threads)
    {
        const int me = omp_get_thread_num();
        if (me == 0)
            threads = omp_get_num_threads(); /* OpenMP may start fewer than asked */
        hwloc_bitmap_t mask = team_bind(team, me);
        bound += mask != NULL;
        nq_status ready = prepare(&run, &run.shares[me]);
        void *worker = ready == NQ_OK ? job->method->worker_new(job) : NULL;
        if (ready == NQ_OK && worker == NULL)
            ready = NQ_NO_MEMORY;
        if (ready != NQ_OK) {
            if (ready != NQ_CANCELLED)
                atomic_store(&failure, (int)ready);
            reporter_stop(&run.reporter, 0);
        }
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t i = 0; i < selection->count; i++) {
            if (!reporter_may_start(&run.reporter))
                continue;
            nq_status status = solve_unit(&run, worker, selection->unit[i], &run.shares[me]);
            if (status != NQ_OK && status != NQ_CANCELLED) {
                atomic_store(&failure, (int)status);
                reporter_stop(&run.reporter, 0);
            }
            reporter_tick(&run.reporter);
        }
        job->method->worker_free(worker);
        team_unbind(team, mask);
    }
    totals->threads = threads;
    totals->threads_bound = bound;
    totals->stopped = !reporter_may_start(&run.reporter);
    nq_status status = (nq_status)atomic_load(&failure);
    if (status == NQ_OK)
        status = sum_shares(&run, totals->stopped, totals);
    run_end(&run);
    return status;
}
