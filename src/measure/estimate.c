/* SPDX-License-Identifier: MIT */
/* nqi_estimate_count: what a count would take, from a sample of its units.
 *
 * Batches of draws are measured until the time is used up, or the interval is narrow enough.
 * Each batch is measured to its end: to drop its unfinished units would leave out the long
 * ones. So batches are sized by what units took in those before, and the first one is small.
 */
#include "measure/estimate.h"

#include "core/failure.h"
#include "library/setup.h"
#include "library/sized.h"
#include "machine/clock.h"
#include "measure/sample.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Least limit, in seconds, on the first batch; and most seconds between two looks at it,
 * however rarely the caller wants to hear of progress. */
static const double least_limit = 10, look_seconds = 0.1;

/* Draws of the first batch, at least. Batches: in the time to measure for, once it is known
 * what a unit takes; before an estimate ends by its time; and before it ends by its error. */
enum { FIRST_DRAWS = 4, BATCHES_IN_TIME = 16, LEAST_BY_TIME = 3, LEAST_BY_ERROR = 8 };

/* On larger boards a unit of method `search` takes longer than a user waits. */
enum { LARGEST_SEARCHED = 24 };

/* What to measure: for how long, and the error at which to end earlier; 0: none. */
struct aim {
    double seconds, error;
};

/* What is measured if the caller names no time: so much that the interval becomes narrow, where
 * units are so long that a few seconds would not do. */
static struct aim default_aim(int n) {
    if (n <= 24)
        return (struct aim){.seconds = 10};
    return (struct aim){.seconds = n <= 26 ? 300 : 600, .error = 0.05};
}

/* What the callback is told. */
struct course {
    double started;
    double total;       /* seconds of measuring, as expected */
    uint64_t work;      /* of batches that have ended */
    double share;       /* as told last, like work_told, units_told: none falls back */
    uint64_t work_told; /* may exceed the work that is kept, if a batch was stopped */
    uint64_t units_told;
    double next_report; /* the callback is not called before, by nqi_seconds_now */
};

/* A sample under way. */
struct measuring {
    struct setup *setup;
    struct course *course;
    struct sample sample;
    struct sample_batch batch;
    int threads;                     /* that a count would have */
    bool all;                        /* units are measured, once, as a count solves them */
    double limit;                    /* seconds that a batch may take */
    double begun;                    /* when the batch began, by nqi_seconds_now */
    double since;                    /* when measuring began, by nqi_seconds_now */
    double cost;                     /* of the batch, as expected */
    _Atomic uint64_t done;           /* part of that cost, in fractions 2^-32 */
    _Atomic uint64_t time, cpu_time; /* of all units solved, in nanoseconds */
    _Atomic uint64_t longest;        /* CPU time of one */
    _Atomic uint64_t measured;       /* units */
    bool too_long;                   /* a batch exceeded its limit */
    bool stopped;                    /* the caller's callback said stop */
};

static void atomic_raise(_Atomic uint64_t *most, uint64_t value) {
    uint64_t before = atomic_load(most);
    while (before < value && !atomic_compare_exchange_weak(most, &before, value))
        ;
}

static nq_status keep_seconds(void *context, const struct solved *solved) {
    struct measuring *measuring = context;
    const uint64_t cpu_time = (uint64_t)(1e9 * solved->cpu_seconds);
    if (!measuring->all)
        measuring->batch.seconds[nqi_sample_index(&measuring->batch, solved->unit)] =
            solved->cpu_seconds;
    atomic_fetch_add(&measuring->measured, 1);
    atomic_raise(&measuring->longest, cpu_time);
    atomic_fetch_add(&measuring->time, (uint64_t)(1e9 * solved->seconds));
    atomic_fetch_add(&measuring->cpu_time, cpu_time);
    const double cost = (double)measuring->setup->partition->units[solved->unit].cost;
    atomic_fetch_add(&measuring->done, (uint64_t)ldexp(cost / measuring->cost, 32));
    return NQ_OK;
}

/* Reports a batch's progress as that of the call: its share is that of the time to measure in,
 * which unlike a batch's share never falls back. */
static bool report(const struct measuring *measuring, const nq_progress *of_batch) {
    const struct observer observer = observer_of(&measuring->setup->options);
    struct course *course = measuring->course;
    if (observer.report == NULL)
        return true;
    nq_progress progress = *of_batch;
    double total = course->total;
    progress.work = work_sum(progress.work, course->work);
    progress.work = progress.work < course->work_told ? course->work_told : progress.work;
    course->work_told = progress.work;
    progress.units = measuring->setup->partition->job.units;
    progress.units_done =
        measuring->measured < course->units_told ? course->units_told : measuring->measured;
    course->units_told = progress.units_done;
    const double now = nqi_seconds_now(), done = ldexp((double)measuring->done, -32),
                 used = now - measuring->since;
    progress.phase = "measuring";
    progress.threads = measuring->threads;
    /* A batch may take longer than planned: it is measured to its end. */
    if (done > 0)
        total = fmax(total, used + (now - measuring->begun) * fmax(1 / done - 1, 0));
    progress.remaining = fmax(total - used, 0);
    course->share = fmax(course->share, fmin(used / total, 0.99));
    progress.share = course->share;
    return observer.report(&progress, observer.context);
}

/* Stops a batch that takes too long; otherwise calls the caller's callback, if that is due. */
static bool on_progress(const nq_progress *progress, void *context) {
    struct measuring *measuring = context;
    struct course *course = measuring->course;
    double now = nqi_seconds_now();
    measuring->too_long = now - measuring->begun > measuring->limit;
    if (!measuring->too_long && now >= course->next_report) {
        const struct observer observer = observer_of(&measuring->setup->options);
        course->next_report = now + nqi_observer_interval(&observer);
        measuring->stopped = !report(measuring, progress);
    }
    return !measuring->too_long && !measuring->stopped;
}

/* Measures the units of a batch, or all. */
static nq_status measure(struct measuring *measuring, struct selection *batch) {
    const struct sink sink = {.keep = keep_seconds, .context = measuring};
    const struct observer observer = observer_of(&measuring->setup->options);
    const struct run_options options = {
        .team = &measuring->setup->team,
        .sink = &sink,
        .observer = {.report = on_progress,
                     .context = measuring,
                     .seconds = fmin(look_seconds, nqi_observer_interval(&observer))},
        .started = measuring->course->started};
    struct totals totals;
    measuring->begun = nqi_seconds_now();
    measuring->done = 0;
    measuring->cost = (double)batch->cost;
    batch->all_count = batch->count;
    batch->all_cost = batch->cost;
    nq_status status = nqi_run_job(measuring->setup->solver, batch, &options, &totals);
    measuring->course->work = work_sum(measuring->course->work, totals.work);
    /* Even if all units of the batch had finished: other batches would follow. */
    return status == NQ_OK && measuring->stopped ? NQ_CANCELLED : status;
}

/* Measures all units, as a count solves them. */
static nq_status measure_all(struct measuring *measuring, struct sample_total *total) {
    struct selection all = {0};
    if (!nqi_selection_make(measuring->setup->partition, 0, 0, NULL, &all))
        return NQ_NO_MEMORY;
    measuring->all = true;
    measuring->measured = measuring->longest = measuring->time = measuring->cpu_time = 0;
    nq_status status = all.count > 0 ? measure(measuring, &all) : NQ_OK;
    *total = (struct sample_total){.seconds = 1e-9 * (double)measuring->cpu_time};
    nqi_selection_free(&all);
    return status;
}

/* Seconds that a thread takes for a second of CPU time, at least 1. */
static double waiting_of(const struct measuring *measuring) {
    const double cpu_time = (double)measuring->cpu_time;
    return cpu_time > 0 ? fmax(1, (double)measuring->time / cpu_time) : 1;
}

/* Measures a batch of so many draws, and estimates the total. */
static nq_status measure_batch(struct measuring *measuring, uint64_t draws,
                               struct sample_total *total) {
    struct sample_batch *batch = &measuring->batch;
    if (!nqi_sample_draw(&measuring->sample, draws, batch))
        return NQ_NO_MEMORY;
    struct selection selection = {.unit = batch->unit, .count = batch->count};
    for (uint64_t i = 0; i < batch->count; i++)
        selection.cost += measuring->setup->partition->units[batch->unit[i]].cost;
    const nq_status status = measure(measuring, &selection);
    if (status == NQ_OK) {
        nqi_sample_add(&measuring->sample, batch);
        *total = nqi_sample_total(&measuring->sample);
    }
    nqi_sample_batch_free(batch);
    return status;
}

/* Returns the draws of the next batch, after one of `draws` that took so many seconds. Batches
 * grow until as many as wanted fill the time; all threads measure to the end of a batch, so
 * their number divides that of the draws. */
static uint64_t next_draws(uint64_t draws, double seconds, const struct aim *aim,
                           uint64_t threads) {
    const double wanted = aim->seconds / BATCHES_IN_TIME / seconds;
    return threads *
           (uint64_t)fmax(1, (double)draws * fmin(fmax(wanted, 0.5), 8) / (double)threads);
}

/* Seconds that the first batch of a search may take. */
static double batch_limit(const struct aim *aim) {
    return fmax(3 * aim->seconds, least_limit);
}

/* Measures batches until the aim is reached, or all units if there is time for them. */
static nq_status take_sample(struct measuring *measuring, const struct aim *aim,
                             struct estimate *estimate) {
    const struct partition *partition = measuring->setup->partition;
    const uint64_t threads = (uint64_t)measuring->setup->team.threads;
    struct sample_total total = {.error = HUGE_VAL};
    double left = aim->seconds;
    nq_status status = NQ_OK;
    measuring->since = nqi_seconds_now();
    measuring->limit =
        strcmp(partition->job.method, "search") == 0 ? batch_limit(aim) : HUGE_VAL;
    uint64_t draws = (FIRST_DRAWS + threads - 1) / threads * threads;
    bool all = partition->job.units < 2 * draws; /* nothing is saved */
    while (status == NQ_OK && !all) {
        status = measure_batch(measuring, draws, &total);
        const double now = nqi_seconds_now(), seconds = now - measuring->begun;
        const int batches = measuring->sample.batches;
        measuring->limit = HUGE_VAL; /* from now on batches are sized by what units take */
        left = aim->seconds - (now - measuring->since);
        all = total.seconds * waiting_of(measuring) / (double)threads < left;
        if (batches >= LEAST_BY_TIME && !(left > seconds / 2))
            break;
        if (batches >= LEAST_BY_ERROR && total.error <= aim->error)
            break;
        draws = next_draws(draws, seconds, aim, threads);
    }
    if (status == NQ_OK && all) {
        status = measure_all(measuring, &total);
        total.error = 0;
    }
    estimate->thread_seconds = total.seconds;
    estimate->error = total.error;
    estimate->calibration_seconds = nqi_seconds_now() - measuring->since;
    estimate->units_measured = measuring->measured;
    return status;
}

/* Estimates the mean and the longest time of a unit. */
static void estimate_units(const struct measuring *measuring, struct estimate *estimate) {
    if (estimate->job.units > 0)
        estimate->unit_seconds = estimate->thread_seconds / (double)estimate->job.units;
    estimate->longest_unit_seconds =
        fmax(1e-9 * (double)measuring->longest, estimate->unit_seconds);
}

/* Limits the threads to their PUs and the quota: threads that take turns on a PU spoil each
 * other's caches. Returns how many can run at the same time. */
static double limit_threads(struct team *team) {
    int pus = team->pus > 0 ? team->pus : team->threads;
    if (team->quota > 0 && team->quota < pus)
        pus = (int)ceil(team->quota);
    if (team->threads > pus)
        team->threads = pus;
    return team->quota > 0 ? fmin(team->threads, team->quota) : team->threads;
}

/* What is known before anything is measured. */
static void describe_count(const struct setup *setup, struct estimate *estimate) {
    const struct partition *partition = setup->partition;
    estimate->job = partition->job;
    estimate->kernel = setup->solver->kernel;
    estimate->threads = setup->team.threads;
}

/* Refuses boards whose units take too long to be measured. */
static nq_status check_size(const struct partition *partition, struct failure *failure) {
    return partition->job.n <= LARGEST_SEARCHED || strcmp(partition->job.method, "search") != 0
               ? NQ_OK
               : nqi_fail(failure, NQ_BAD_OPTION,
                          "n = %d: units of method search take hours: they can be measured up "
                          "to n = %d",
                          partition->job.n, LARGEST_SEARCHED);
}

/* Measures a board for so many seconds; 0 or less: for its default aim. */
static nq_status measure_board(int n, const nq_options *options, double budget,
                               struct estimate *estimate, struct failure *failure) {
    const double begun = nqi_seconds_now();
    struct setup setup;
    nq_status status = nqi_setup_make(n, options, &setup, failure);
    struct aim aim = {.seconds = budget};
    if (!(budget > 0))
        aim = default_aim(n);
    struct course course = {.started = begun, .total = aim.seconds};
    struct measuring measuring = {.setup = &setup, .course = &course};
    if (status == NQ_OK)
        status = check_size(setup.partition, failure);
    if (status == NQ_OK) {
        describe_count(&setup, estimate);
        estimate->plan_seconds = nqi_seconds_now() - begun;
        measuring.threads = setup.team.threads;
        estimate->cores = limit_threads(&setup.team);
        unsigned short seed[3];
        if (getrandom(seed, sizeof seed, 0) != (ssize_t)sizeof seed)
            seed[0] = (unsigned short)time(NULL);
        if (!nqi_sample_begin(setup.partition, seed, &measuring.sample))
            status = NQ_NO_MEMORY;
    }
    if (status == NQ_OK)
        status = take_sample(&measuring, &aim, estimate);
    if (status == NQ_OK) {
        estimate_units(&measuring, estimate);
        estimate->cpu_share =
            fmin(1, setup.team.threads / estimate->cores / waiting_of(&measuring));
        estimate->seconds = estimate->plan_seconds + estimate->thread_seconds / estimate->cores;
    }
    if (status == NQ_CANCELLED && measuring.too_long)
        status =
            nqi_fail(failure, NQ_BAD_OPTION,
                     "n = %d: a few units of plan %s take more than %.0f s: give more time to "
                     "measure, or "
                     "another plan or depth",
                     n, estimate->job.plan, batch_limit(&aim));
    nqi_sample_end(&measuring.sample);
    nqi_setup_free(&setup);
    return status;
}

nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate) {
    struct failure failure = {0};
    nq_options own;
    *estimate = (struct estimate){.job.n = n};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = nqi_refuse_options(&own, REFUSE_LEDGER | REFUSE_SHARD,
                                    "an estimate is of a whole count", &failure);
    if (status == NQ_OK)
        status = nqi_name_n(measure_board(n, &own, budget, estimate, &failure), n, &failure);
    return nqi_end_call(status, &failure);
}
