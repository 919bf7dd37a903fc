/* SPDX-License-Identifier: MIT */
/* Runs a team. Each thread takes units and adds the results to its own counters; at the end
 * these are summed. A thread that finds another one reporting progress does not wait for it. */
#include "run/run.h"

#include "machine/clock.h"
#include "machine/team.h"

#include <omp.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Seconds that units under way have to finish after a stop, if there is a sink for their
 * results. Most units are shorter. More time cannot be given, because launchers of MPI kill
 * ranks a second after a signal, and results must be recorded by then. */
static const double grace_seconds = 0.5;

/* The most units that a thread takes at a time. */
enum { MAX_BUNDLE_UNITS = 1 << 14 };

/* What one thread of a run has done so far. Only that thread writes; other threads may read the
 * atomic members. */
struct counters {
    /* Counters fill whole pairs of cache lines, because CPUs fetch lines in pairs. So a thread
     * that writes its counters does not slow down its neighbours (false sharing). */
    alignas(128) struct run *run;
    uint64_t solutions;     /* multiplied by the units' weights */
    uint64_t finished_work; /* work of the finished units, or UINT64_MAX if it is more */
    /* Work of the finished units and of those under way. Their sum is kept, not the two parts,
     * so that readers never see it fall when a unit ends. */
    _Atomic uint64_t work;
    _Atomic uint64_t units, cost; /* number of finished units, and their expected cost */
};

/* What the threads of a run share. Times are those of nqi_seconds_now(). */
struct run {
    struct solver *solver;
    const struct selection *selection;
    struct run_options options;
    _Atomic double solving;       /* when nqi_run_solve() began */
    int threads;                  /* number of threads started */
    atomic_int bound;             /* number of these that are bound to a PU */
    _Atomic int failure;          /* status of a thread that failed, or NQ_OK */
    struct counters *counters;    /* one for each thread, and one for units that other processes
                                     solved */
    _Atomic uint64_t next;        /* index of the next selected unit to solve */
    _Atomic uint64_t *done;       /* one bit for each unit: set once its result is added */
    _Atomic double next_report;   /* time before which the observer is not called */
    atomic_flag reporting;        /* a thread is calling the observer */
    atomic_bool observer_stopped; /* the observer returned false */
    atomic_bool stop;             /* no further unit may be started */
    _Atomic double deadline; /* if `stop` is set: time at which units under way are dropped */
};

/* Stops the run. Units under way have `seconds` to finish. */
static void run_stop_within(struct run *run, double seconds) {
    atomic_store(&run->deadline, nqi_seconds_now() + seconds);
    atomic_store(&run->stop, true);
}

void nqi_run_stop(struct run *run, bool by_user) {
    if (by_user)
        atomic_store(&run->observer_stopped, true);
    if (!nqi_run_stopped(run))
        run_stop_within(run, run->options.sink == NULL ? 0 : grace_seconds);
}

bool nqi_run_stopped(const struct run *run) {
    return atomic_load_explicit(&run->stop, memory_order_acquire);
}

static nq_progress run_progress(const struct run *run, double now) {
    const struct selection *selection = run->selection;
    const struct team *team = run->options.team;
    const struct partition *partition = run->solver->partition;
    nq_progress progress = {.size = sizeof(nq_progress),
                            .job = &partition->job,
                            .kernel = run->solver->kernel,
                            .threads = team->threads,
                            .pus = team->pus,
                            .work_name = partition->work,
                            .phase = "counting",
                            .warning = run->solver->warning,
                            .units = selection->all_count,
                            .units_done = selection->all_count - selection->count,
                            .seconds = now - run->options.started,
                            .remaining = -1};
    uint64_t cost = 0;
    for (int i = 0; i <= run->options.team->threads; i++) {
        const struct counters *counters = &run->counters[i];
        progress.units_done += counters->units;
        progress.work = work_sum(progress.work, counters->work);
        cost += counters->cost;
    }
    const double remaining_cost = (double)(selection->cost > cost ? selection->cost - cost : 0);
    progress.share =
        selection->all_cost > 0 ? 1 - remaining_cost / (double)selection->all_cost : 1;
    if (cost > 0) /* by this run's speed, since earlier runs may have been on other machines */
        progress.remaining = (now - atomic_load(&run->solving)) * remaining_cost / (double)cost;
    return progress;
}

bool nqi_run_tick(struct run *run) {
    const struct observer *observer = &run->options.observer;
    const double due = atomic_load_explicit(&run->next_report, memory_order_relaxed);
    if (nqi_seconds_now() < due || observer->report == NULL ||
        atomic_flag_test_and_set(&run->reporting)) /* too early, or another thread reports */
        return !atomic_load(&run->observer_stopped);
    /* Look at next_report again, because another thread may have reported meanwhile. */
    const double now = nqi_seconds_now();
    if (now >= atomic_load(&run->next_report) && !atomic_load(&run->observer_stopped)) {
        atomic_store(&run->next_report,
                     now + (observer->seconds > 0 ? observer->seconds : 0.1));
        const nq_progress progress = run_progress(run, now);
        if (!observer->report(&progress, observer->context))
            nqi_run_stop(run, true);
    }
    atomic_flag_clear(&run->reporting);
    return !atomic_load(&run->observer_stopped);
}

/* A thread's heartbeat. */
static bool run_may_go_on(void *context, uint64_t work) {
    struct counters *counters = context;
    counters->work = work_sum(counters->finished_work, work);
    nqi_run_tick(counters->run);
    return !nqi_run_stopped(counters->run) || nqi_seconds_now() < counters->run->deadline;
}

static nq_status run_add_solved(struct counters *counters, const struct solved *solved) {
    struct run *run = counters->run;
    const struct unit unit = run->solver->partition->units[solved->unit];
    const uint64_t bit = UINT64_C(1) << (solved->unit % 64);
    if ((atomic_fetch_or(&run->done[solved->unit / 64], bit) & bit) != 0)
        return NQ_LOST_UNIT;
    if (solutions_add(&counters->solutions, unit.weight, solved->result.solutions) != NQ_OK)
        return NQ_OVERFLOW;
    counters->finished_work = work_sum(counters->finished_work, solved->result.work);
    counters->work = counters->finished_work;
    counters->cost += unit.cost;
    counters->units++;
    const struct sink *sink = run->options.sink;
    return sink != NULL ? sink->put(sink->context, solved) : NQ_OK;
}

nq_status nqi_run_add(struct run *run, const struct solved *solved) {
    if (solved->unit >= run->solver->partition->job.units)
        return NQ_INTERNAL;
    return run_add_solved(&run->counters[run->options.team->threads], solved);
}

/* Solves a bundle, and adds its results. The time that the bundle took is divided among its
 * units in proportion to their work. */
static nq_status run_solve_bundle(struct counters *counters, void *workspace,
                                  struct bundle *bundle) {
    const struct run *run = counters->run;
    const struct solver *solver = run->solver;
    const struct heartbeat heartbeat = {.go_on = run_may_go_on, .context = counters};
    /* Reading a thread's CPU clock is a system call, so it is read only for a sink. A thread
     * that serves a device sleeps while the device counts, so its CPU time says nothing. */
    const bool timed = run->options.sink != NULL && solver->threads == 0;
    const double begun = nqi_seconds_now(), cpu = timed ? nqi_thread_seconds() : 0;
    nq_status status = solver->call->solve(solver, workspace, bundle, &heartbeat);
    const double seconds = nqi_seconds_now() - begun,
                 cpu_seconds = timed ? nqi_thread_seconds() - cpu : seconds;
    uint64_t work = 0;
    if (status != NQ_OK)
        counters->work = counters->finished_work;
    for (size_t i = 0; i < bundle->count && status == NQ_OK; i++)
        work = work_sum(work, bundle->results[i].work);
    for (size_t i = 0; i < bundle->count && status == NQ_OK; i++) {
        const struct unit_result result = bundle->results[i];
        const double share = bundle->count > 1 && work > 0 ? (double)result.work / (double)work
                                                           : 1 / (double)bundle->count;
        const struct solved solved = {.unit = bundle->ids[i],
                                      .result = result,
                                      .seconds = seconds * share,
                                      .cpu_seconds = cpu_seconds * share,
                                      .kernel = bundle->kernel};
        status = run_add_solved(counters, &solved);
    }
    return status;
}

/* Adds up the threads' counters. run_add_solved ensures that no unit is in them twice, so the
 * number of units tells whether each one was solved. */
static nq_status run_sum_counters(const struct run *run, struct totals *totals) {
    const bool cancelled = nqi_run_stopped(run);
    for (int i = 0; i <= run->options.team->threads; i++) {
        const struct counters *counters = &run->counters[i];
        if (solutions_add(&totals->solutions, 1, counters->solutions) != NQ_OK)
            return NQ_OVERFLOW;
        totals->work = work_sum(totals->work, counters->work);
        totals->units += counters->units;
    }
    if (run->options.source != NULL ? !cancelled : totals->units == run->selection->count)
        return NQ_OK;
    return cancelled ? NQ_CANCELLED : NQ_LOST_UNIT;
}

static void run_free(struct run *run) {
    free(run->counters);
    free(run->done);
    free(run);
}

uint64_t nqi_run_remaining(const struct run *run) {
    const uint64_t next = atomic_load_explicit(&run->next, memory_order_relaxed);
    return next < run->selection->count ? run->selection->count - next : 0;
}

uint64_t nqi_run_take(struct run *run, uint64_t count, uint64_t *units) {
    const uint64_t next = atomic_fetch_add_explicit(&run->next, count, memory_order_relaxed);
    uint64_t taken = 0;
    while (taken < count && next + taken < run->selection->count) {
        units[taken] = run->selection->unit[next + taken];
        taken++;
    }
    return taken;
}

static bool run_take_unit(struct run *run, bool wait, uint64_t *unit) {
    const struct source *source = run->options.source;
    return source != NULL ? source->take(source->context, wait, unit)
                          : nqi_run_take(run, 1, unit) == 1;
}

/* Takes units for a thread until their costs add up to what a bundle should cost. Waits only
 * for the first unit. Returns false if there is none. */
static bool run_take_bundle(struct run *run, struct bundle *bundle) {
    const struct unit *units = run->solver->partition->units;
    uint64_t cost = 0;
    bundle->count = 0;
    do {
        if (!run_take_unit(run, bundle->count == 0, &bundle->ids[bundle->count]))
            break;
        cost += units[bundle->ids[bundle->count++]].cost;
    } while (cost < bundle->cost && bundle->count < MAX_BUNDLE_UNITS);
    return bundle->count > 0;
}

/* Solves units in one thread until none remains, the run is stopped, or one fails. */
static void run_solve_units(struct counters *counters) {
    struct run *run = counters->run;
    const struct solver *solver = run->solver;
    const size_t room = solver->bundle_cost > 0 ? MAX_BUNDLE_UNITS : 1;
    struct bundle bundle = {.ids = malloc(room * sizeof *bundle.ids),
                            .results = malloc(room * sizeof *bundle.results),
                            .cost = solver->bundle_cost};
    void *workspace = solver->call->workspace_new(solver);
    nq_status status = bundle.ids != NULL && bundle.results != NULL && workspace != NULL
                           ? NQ_OK
                           : NQ_NO_MEMORY;
    while (status == NQ_OK && !nqi_run_stopped(run) && run_take_bundle(run, &bundle)) {
        status = run_solve_bundle(counters, workspace, &bundle);
        nqi_run_tick(run);
    }
    if (status != NQ_OK && status != NQ_CANCELLED) {
        atomic_store(&run->failure, (int)status);
        run_stop_within(run, 0);
    }
    solver->call->workspace_free(workspace);
    free(bundle.ids);
    free(bundle.results);
}

struct run *nqi_run_begin(struct solver *solver, const struct selection *selection,
                          const struct run_options *options) {
    const size_t counters = (size_t)options->team->threads + 1;
    struct run *run = malloc(sizeof *run);
    if (run == NULL)
        return NULL;
    *run = (struct run){
        .solver = solver,
        .selection = selection,
        .options = *options,
        .counters = aligned_alloc(alignof(struct counters), counters * sizeof *run->counters),
        .done = calloc(solver->partition->job.units / 64 + 1, sizeof *run->done),
        .reporting = ATOMIC_FLAG_INIT};
    if (run->counters == NULL || run->done == NULL) {
        run_free(run);
        return NULL;
    }
    for (size_t i = 0; i < counters; i++)
        run->counters[i] = (struct counters){.run = run};
    return run;
}

static atomic_int run_starting; /* number of teams that are being started */

bool nqi_run_is_starting(void) {
    return atomic_load(&run_starting) > 0;
}

void nqi_run_solve(struct run *run) {
    const struct team *team = run->options.team;
    /* With OMP_DYNAMIC set, OpenMP starts fewer threads while other programs use the CPUs. Turn
     * that off during the run. */
    const int dynamic = omp_get_dynamic();
    atomic_store(&run->solving, nqi_seconds_now());
    nqi_run_tick(run); /* the first report comes before the first unit */
    omp_set_dynamic(0);
    atomic_fetch_add(&run_starting, 1);
#pragma omp parallel num_threads(team->threads)
    {
        const int me = omp_get_thread_num();
        if (me == 0) { /* OpenMP has started all threads */
            atomic_fetch_sub(&run_starting, 1);
            run->threads = omp_get_num_threads(); /* OMP_THREAD_LIMIT may allow fewer */
        }
        hwloc_bitmap_t mask = nqi_team_bind(team, me);
        run->bound += mask != NULL;
        run_solve_units(&run->counters[me]);
        nqi_team_unbind(team, mask);
    }
    omp_set_dynamic(dynamic);
}

nq_status nqi_run_end(struct run *run, struct totals *totals) {
    *totals = (struct totals){.threads = run->threads,
                              .threads_bound = run->bound,
                              .stopped = atomic_load(&run->observer_stopped)};
    nq_status status = (nq_status)atomic_load(&run->failure);
    if (status == NQ_OK)
        status = run_sum_counters(run, totals);
    if (status != NQ_OK && status != NQ_CANCELLED)
        totals->solutions = 0;
    run_free(run);
    return status;
}

nq_status nqi_run_all(struct solver *solver, const uint64_t *left_out,
                      const struct run_options *options, struct totals *totals) {
    struct selection selection;
    struct run *run = NULL;
    nq_status status = NQ_NO_MEMORY;
    *totals = (struct totals){0};
    if (nqi_selection_make(solver->partition, 0, 0, left_out, &selection)) {
        selection.all_count = selection.count; /* units left out are no part of this run */
        selection.all_cost = selection.cost;
        run = nqi_run_begin(solver, &selection, options);
    }
    if (run != NULL) {
        nqi_run_solve(run);
        status = nqi_run_end(run, totals);
    }
    nqi_selection_free(&selection);
    return status;
}
