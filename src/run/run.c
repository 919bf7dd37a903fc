#include "run/run.h"

#include "run/clock.h"
#include "run/report.h"
#include "run/share.h"

#include <omp.h>
#include <stdlib.h>

/* Seconds that units under way have to finish where results are kept: most are shorter, and a
 * longer wait would try the patience of whoever interrupts a run. */
static const double patience = 1;

/* The same where several processes share the job: launchers kill what is left after a second,
 * and what was done has to be recorded by then. */
static const double shared_patience = 0.5;

/* Seconds between two looks at what others do. */
static const double between_looks = 0.0003;

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
    const struct sink *sink;         /* NULL: none */
    const struct exchange *exchange; /* NULL: none */
    struct reporter reporter;
    struct share *shares; /* of the threads, and one for what others solved */
    int threads;
    uint64_t count;         /* of the units selected */
    _Atomic uint64_t next;  /* of these */
    _Atomic uint64_t taken; /* from the exchange */
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

static nq_status add_solved(struct run *run, struct share *share, const struct solved *solved) {
    const struct unit *unit = &run->job->units[solved->unit];
    if (!mark_done(run, solved->unit))
        return NQ_LOST_UNIT;
    if (!add_solutions(share, unit->weight, solved->result.solutions))
        return NQ_OVERFLOW;
    add(&share->work, solved->result.work);
    double cost = atomic_load_explicit(&share->cost, memory_order_relaxed);
    atomic_store_explicit(&share->cost, cost + unit->cost, memory_order_relaxed);
    add(&share->units, 1);
    return run->sink != NULL ? run->sink->keep(run->sink->context, solved) : NQ_OK;
}

nq_status run_add(struct run *run, const struct solved *solved) {
    if (solved->unit >= run->job->unit_count)
        return NQ_LOST_UNIT;
    return add_solved(run, &run->shares[run->threads], solved);
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
    return add_solved(run, share, &solved);
}

/* Adds up the threads' shares. No unit is in them twice; whether all are is checked here. */
static nq_status sum_shares(const struct run *run, bool cancelled, struct totals *totals) {
    for (int i = 0; i <= run->threads; i++) {
        const struct share *share = &run->shares[i];
        if (__builtin_add_overflow(totals->solutions, share->solutions, &totals->solutions))
            return NQ_OVERFLOW;
        totals->work += share->work;
        totals->units += share->units;
    }
    bool part = run->exchange != NULL && run->exchange->part;
    if (totals->units == (part ? run->taken : run->selection->count))
        return NQ_OK;
    return cancelled ? NQ_CANCELLED : NQ_LOST_UNIT;
}

/* Allocates what the threads share. False: out of memory. */
static bool run_begin(struct run *run) {
    run->shares =
        aligned_alloc(alignof(struct share), (size_t)(run->threads + 1) * sizeof *run->shares);
    run->done = calloc(run->job->unit_count / 64 + 1, sizeof *run->done);
    if (run->shares == NULL || run->done == NULL)
        return false;
    for (int i = 0; i <= run->threads; i++)
        run->shares[i] = (struct share){0};
    return true;
}

static void run_end(struct run *run) {
    free(run->shares);
    free(run->done);
}

static enum taken take_unit(struct run *run, uint64_t *unit) {
    if (run->exchange != NULL) {
        enum taken taken = run->exchange->take(run->exchange->context, unit);
        if (taken == TAKEN)
            atomic_fetch_add_explicit(&run->taken, 1, memory_order_relaxed);
        return taken;
    }
    uint64_t next = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
    if (next >= run->count)
        return NO_MORE;
    *unit = run->selection->unit[next];
    return TAKEN;
}

/* One thread's part. Returns the first failure. */
static nq_status solve_units(struct run *run, struct share *share) {
    nq_status status = prepare(run, share);
    void *worker = status == NQ_OK ? run->job->method->worker_new(run->job) : NULL;
    if (status == NQ_OK && worker == NULL)
        status = NQ_NO_MEMORY;
    uint64_t unit;
    for (enum taken taken = TAKEN; taken != NO_MORE && status == NQ_OK;) {
        if (!reporter_may_start(&run->reporter))
            break;
        taken = take_unit(run, &unit);
        if (taken == TAKEN)
            status = solve_unit(run, worker, unit, share);
        if (taken != NO_MORE)
            reporter_tick(&run->reporter);
    }
    if (status != NQ_OK && (status != NQ_CANCELLED || worker == NULL))
        reporter_stop(&run->reporter, 0);
    run->job->method->worker_free(worker);
    return status;
}

/* Where others solve units, too: until they are done. Returns whether the run was stopped. */
static bool wait_for_others(struct run *run) {
    const struct exchange *exchange = run->exchange;
    bool stopped = !reporter_may_start(&run->reporter);
    while (exchange != NULL && !exchange->finished(exchange->context, &stopped)) {
        reporter_tick(&run->reporter);
        stopped = stopped || !reporter_may_start(&run->reporter);
        pause_for(between_looks);
    }
    return stopped;
}

nq_status run_shared_job(struct job *job, const struct selection *selection,
                         const struct sink *sink, const struct exchange *exchange,
                         const struct team *team, const nq_options *options, double started,
                         struct totals *totals) {
    *totals = (struct totals){0};
    struct run run = {.job = job,
                      .selection = selection,
                      .count = selection->count,
                      .sink = sink,
                      .exchange = exchange,
                      .threads = team->threads};
    if (!run_begin(&run)) {
        run_end(&run);
        return NQ_NO_MEMORY;
    }
    reporter_init(&run.reporter, job, selection, options, run.shares, team->threads + 1,
                  started,
                  sink == NULL       ? 0
                  : exchange != NULL ? shared_patience
                                     : patience);
    if (exchange != NULL)
        exchange->begin(exchange->context, &run);
    _Atomic int failure = NQ_OK;
    int threads = 0, bound = 0;
#pragma omp parallel num_threads(team->threads) reduction(+ : bound) shared(threads)
    {
        const int me = omp_get_thread_num();
        if (me == 0)
            threads = omp_get_num_threads(); /* OpenMP may start fewer than asked */
        hwloc_bitmap_t mask = team_bind(team, me);
        bound += mask != NULL;
        nq_status status = solve_units(&run, &run.shares[me]);
        if (status != NQ_OK && status != NQ_CANCELLED)
            atomic_store(&failure, (int)status);
        team_unbind(team, mask);
    }
    totals->threads = threads;
    totals->threads_bound = bound;
    totals->stopped = wait_for_others(&run);
    nq_status status = (nq_status)atomic_load(&failure);
    if (status == NQ_OK)
        status = sum_shares(&run, totals->stopped, totals);
    run_end(&run);
    return status;
}

nq_status run_job(struct job *job, const struct selection *selection, const struct sink *sink,
                  const struct team *team, const nq_options *options, double started,
                  struct totals *totals) {
    return run_shared_job(job, selection, sink, NULL, team, options, started, totals);
}
