#include "run/run.h"

#include "run/report.h"
#include "run/share.h"

#include <omp.h>
#include <stdlib.h>

struct costed {
    double cost;
    uint64_t id;
};

static int costliest_first(const void *left, const void *right) {
    const struct costed *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* The ids of all units in the order to solve them. The costliest go first, so that no thread is
 * left alone at the end with a long one. NULL: out of memory. */
static struct costed *order_units(const struct job *job) {
    struct costed *order = malloc((job->unit_count + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint64_t id = 0; id < job->unit_count; id++)
        order[id] = (struct costed){.cost = job->units[id].cost, .id = id};
    qsort(order, job->unit_count, sizeof *order, costliest_first);
    return order;
}

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
    const struct job *job;
    struct reporter reporter;
    struct share *shares;
    struct costed *order;
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
    return !atomic_load_explicit(&at->run->reporter.stop, memory_order_relaxed);
}

static nq_status solve_unit(struct run *run, void *worker, uint64_t id, struct share *share) {
    const struct job *job = run->job;
    struct at_work at = {.run = run, .share = share};
    const struct pulse pulse = {.go_on = go_on, .context = &at};
    struct unit_result result;
    nq_status status = job->method->solve(job, worker, id, &pulse, &result);
    atomic_store_explicit(&share->under_way, 0, memory_order_relaxed);
    if (status != NQ_OK)
        return status;
    if (!mark_done(run, id))
        return NQ_LOST_UNIT;
    if (!add_solutions(share, job->units[id].weight, result.solutions))
        return NQ_OVERFLOW;
    add(&share->work, result.work);
    double cost = atomic_load_explicit(&share->cost, memory_order_relaxed);
    atomic_store_explicit(&share->cost, cost + job->units[id].cost, memory_order_relaxed);
    add(&share->units, 1);
    return NQ_OK;
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
    if (totals->units == run->job->unit_count)
        return NQ_OK;
    return cancelled ? NQ_CANCELLED : NQ_LOST_UNIT;
}

/* Allocates what the threads share. False: out of memory. */
static bool run_begin(struct run *run, const struct job *job, const nq_options *options,
                      int threads, double started) {
    run->job = job;
    run->order = order_units(job);
    run->shares = aligned_alloc(alignof(struct share), (size_t)threads * sizeof *run->shares);
    run->done = calloc(job->unit_count / 64 + 1, sizeof *run->done);
    if (run->order == NULL || run->shares == NULL || run->done == NULL)
        return false;
    for (int i = 0; i < threads; i++)
        run->shares[i] = (struct share){0};
    reporter_init(&run->reporter, job, options, run->shares, threads, started);
    return true;
}

static void run_end(struct run *run) {
    free(run->order);
    free(run->shares);
    free(run->done);
}

nq_status run_job(const struct job *job, const struct team *team, const nq_options *options,
                  double started, struct totals *totals) {
    *totals = (struct totals){0};
    struct run run = {0};
    if (!run_begin(&run, job, options, team->threads, started)) {
        run_end(&run);
        return NQ_NO_MEMORY;
    }
    _Atomic int failure = NQ_OK;
    int threads = 0, bound = 0;
#pragma omp parallel num_threads(team->threads) reduction(+ : bound) shared(threads)
    {
        const int me = omp_get_thread_num();
        if (me == 0)
            threads = omp_get_num_threads(); /* OpenMP may start fewer than asked */
        hwloc_bitmap_t mask = team_bind(team, me);
        bound += mask != NULL;
        void *worker = job->method->worker_new(job);
        if (worker == NULL) {
            atomic_store(&failure, NQ_NO_MEMORY);
            atomic_store(&run.reporter.stop, true);
        }
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t i = 0; i < job->unit_count; i++) {
            if (atomic_load_explicit(&run.reporter.stop, memory_order_relaxed))
                continue;
            nq_status status = solve_unit(&run, worker, run.order[i].id, &run.shares[me]);
            if (status != NQ_OK && status != NQ_CANCELLED)
                atomic_store(&failure, (int)status);
            if (status != NQ_OK)
                atomic_store(&run.reporter.stop, true);
            reporter_tick(&run.reporter);
        }
        job->method->worker_free(worker);
        team_unbind(team, mask);
    }
    totals->threads = threads;
    totals->threads_bound = bound;
    nq_status status = (nq_status)atomic_load(&failure);
    if (status == NQ_OK)
        status = sum_shares(&run, atomic_load(&run.reporter.stop), totals);
    run_end(&run);
    return status;
}
