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

static nq_status solve_unit(const struct job *job, void *worker, uint64_t id,
                            struct share *share) {
    struct unit_result result = job->method->solve(job, worker, id);
    if (!add_solutions(share, job->units[id].weight, result.solutions))
        return NQ_OVERFLOW;
    add(&share->work, result.work);
    add(&share->id_sum, id);
    double cost = atomic_load_explicit(&share->cost, memory_order_relaxed);
    atomic_store_explicit(&share->cost, cost + job->units[id].cost, memory_order_relaxed);
    add(&share->units, 1);
    return NQ_OK;
}

/* Adds up the threads' shares and checks that they hold every unit exactly once. */
static nq_status sum_shares(const struct job *job, const struct share *shares, bool cancelled,
                            struct totals *totals) {
    uint64_t id_sum = 0, expected_id_sum = 0;
    for (int i = 0; i < totals->threads; i++) {
        if (__builtin_add_overflow(totals->solutions, shares[i].solutions, &totals->solutions))
            return NQ_OVERFLOW;
        totals->work += shares[i].work;
        totals->units += shares[i].units;
        id_sum += shares[i].id_sum;
    }
    if (cancelled && totals->units < job->unit_count)
        return NQ_CANCELLED;
    for (uint64_t id = 0; id < job->unit_count; id++)
        expected_id_sum += id;
    return totals->units == job->unit_count && id_sum == expected_id_sum ? NQ_OK : NQ_LOST_UNIT;
}

nq_status run_job(const struct job *job, const struct team *team, const nq_options *options,
                  double started, struct totals *totals) {
    *totals = (struct totals){0};
    struct costed *order = order_units(job);
    size_t room = (size_t)team->threads * sizeof(struct share);
    struct share *shares = aligned_alloc(alignof(struct share), room);
    if (order == NULL || shares == NULL) {
        free(order);
        free(shares);
        return NQ_NO_MEMORY;
    }
    for (int i = 0; i < team->threads; i++)
        shares[i] = (struct share){0};
    struct reporter reporter;
    reporter_init(&reporter, job, options, shares, team->threads, started);

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
            atomic_store(&reporter.stop, true);
        }
#pragma omp for schedule(dynamic, 1) nowait
        for (uint64_t i = 0; i < job->unit_count; i++) {
            if (atomic_load_explicit(&reporter.stop, memory_order_relaxed))
                continue;
            nq_status status = solve_unit(job, worker, order[i].id, &shares[me]);
            if (status != NQ_OK) {
                atomic_store(&failure, (int)status);
                atomic_store(&reporter.stop, true);
            }
            reporter_tick(&reporter);
        }
        job->method->worker_free(worker);
        team_unbind(team, mask);
    }
    totals->threads = threads;
    totals->threads_bound = bound;
    nq_status status = (nq_status)atomic_load(&failure);
    if (status == NQ_OK)
        status = sum_shares(job, shares, atomic_load(&reporter.stop), totals);
    free(order);
    free(shares);
    return status;
}
