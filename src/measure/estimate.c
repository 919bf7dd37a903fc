/* nqi_estimate_count: what a count would take, from a sample of its units.
 *
 * Batches of draws are measured until the time is used up, or the interval is narrow enough.
 * Each batch is measured to its end: to drop its unfinished units would leave out the long
 * ones. So batches are sized by what units took in those before, and the first one is small.
 */
#include "measure/estimate.h"
#include "search/search.h"

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

/* Units in the first batch, at least. */
enum { FIRST_DRAWS = 4 };

/* On larger boards a unit of method `search` takes longer than a user waits. */
enum { LARGEST_SEARCHED = 24 };

/* What is measured if the caller names no time: so much that the interval becomes narrow, where
 * units are so long that a few seconds would not do. */
static struct sample_aim default_aim(int n) {
    if (n <= 24)
        return (struct sample_aim){.seconds = 10};
    if (n <= 26)
        return (struct sample_aim){.seconds = 300, .error = 0.1};
    return (struct sample_aim){.seconds = 600, .error = 0.15};
}

/* What the callback is told. */
struct course {
    double started;
    double total;       /* seconds of measuring, as expected */
    uint64_t work;      /* of batches that have ended */
    double share;       /* as told last, like work_told: neither falls back */
    uint64_t work_told; /* may exceed the work that is kept, if a batch was stopped */
    double next_report; /* the callback is not called before, by nqi_seconds_now */
};

/* A sample under way. */
struct measuring {
    struct setup *setup;
    struct course *course;
    struct sample sample;
    double limit;          /* seconds that a batch may take */
    double begun;          /* when the batch began, by nqi_seconds_now */
    double since;          /* since when units are measured; 0: tables are made before */
    double cost;           /* of the batch, as expected */
    _Atomic uint64_t done; /* part of that cost, in fractions 2^-32 */
    _Atomic uint64_t time, cpu_time; /* of all units measured, in nanoseconds */
    bool too_long;                   /* a batch exceeded its limit */
    bool stopped;                    /* the caller's callback said stop */
};

static double cost(void *context, uint64_t id) {
    const struct partition *partition = context;
    return (double)partition_unit(partition, id).cost;
}

/* Makes the frame: all units, or some of those that are not listed. False: out of memory. */
static bool begin_sample(struct measuring *measuring) {
    struct partition *partition = measuring->setup->partition;
    const bool all = partition->units != NULL || partition->unit_count < SAMPLE_FRAME;
    struct sample_random random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        random = (struct sample_random){(uint64_t)time(NULL), (uint64_t)time(NULL) << 32};
    return nqi_sample_begin(partition->unit_count, all ? partition->unit_count : SAMPLE_FRAME,
                            cost, partition, &random, &measuring->sample);
}

static nq_status keep_seconds(void *context, const struct solved *solved) {
    struct measuring *measuring = context;
    nqi_sample_keep(&measuring->sample, solved->unit, solved->cpu_seconds);
    atomic_fetch_add(&measuring->time, (uint64_t)(1e9 * solved->seconds));
    atomic_fetch_add(&measuring->cpu_time, (uint64_t)(1e9 * solved->cpu_seconds));
    const double done = cost(measuring->setup->partition, solved->unit) / measuring->cost;
    atomic_fetch_add(&measuring->done, (uint64_t)ldexp(done, 32));
    return NQ_OK;
}

/* Reports a batch's progress as that of the call: its share is that of the time to measure in,
 * which unlike a batch's share never falls back. */
static bool report(const struct measuring *measuring, const nq_progress *of_batch) {
    const struct observer *observer = &measuring->setup->request.observer;
    struct course *course = measuring->course;
    if (observer->report == NULL)
        return true;
    nq_progress progress = *of_batch;
    double used = 0, total = course->total;
    progress.work = work_sum(progress.work, course->work);
    progress.work = progress.work < course->work_told ? course->work_told : progress.work;
    course->work_told = progress.work;
    progress.units = measuring->setup->partition->unit_count;
    progress.units_done = measuring->sample.measured;
    progress.remaining = -1;
    if (measuring->since > 0) {
        const double now = nqi_seconds_now(), done = ldexp((double)measuring->done, -32);
        used = now - measuring->since;
        progress.phase = "measuring";
        /* A batch may take longer than planned: it is measured to its end. */
        if (done > 0)
            total = fmax(total, used + (now - measuring->begun) * fmax(1 / done - 1, 0));
        progress.remaining = fmax(total - used, 0);
    }
    course->share = fmax(course->share, fmin(used / total, 0.99));
    progress.share = course->share;
    return observer->report(&progress, observer->context);
}

/* Stops a batch that takes too long; otherwise calls the caller's callback, if that is due. */
static bool on_progress(const nq_progress *progress, void *context) {
    struct measuring *measuring = context;
    struct course *course = measuring->course;
    double now = nqi_seconds_now();
    measuring->too_long = now - measuring->begun > measuring->limit;
    if (!measuring->too_long && now >= course->next_report) {
        course->next_report = now + nqi_observer_interval(&measuring->setup->request.observer);
        measuring->stopped = !report(measuring, progress);
    }
    return !measuring->too_long && !measuring->stopped;
}

/* Measures the units of a batch, none of which has been measured. prepare: as in run_options.
 */
static nq_status measure(struct measuring *measuring, struct selection *batch, bool prepare) {
    const struct sink sink = {.keep = keep_seconds, .context = measuring};
    const struct run_options options = {
        .team = &measuring->setup->team,
        .sink = &sink,
        .observer = {.report = on_progress,
                     .context = measuring,
                     .seconds = fmin(look_seconds, nqi_observer_interval(
                                                       &measuring->setup->request.observer))},
        .prepare = prepare,
        .started = measuring->course->started};
    struct totals totals;
    measuring->begun = nqi_seconds_now();
    measuring->done = 0;
    batch->all_count = batch->count;
    batch->all_cost = batch->cost;
    nq_status status = nqi_run_job(measuring->setup->solver, batch, &options, &totals);
    measuring->course->work = work_sum(measuring->course->work, totals.work);
    /* Even if all units of the batch had finished: other batches would follow. */
    return status == NQ_OK && measuring->stopped ? NQ_CANCELLED : status;
}

static int by_position(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Replaces a batch's positions by the ids of their units, the costliest first, and adds up
 * their costs. */
static void positions_to_units(struct measuring *measuring, struct selection *batch) {
    qsort(batch->unit, batch->count, sizeof *batch->unit, by_position);
    for (uint64_t i = 0; i < batch->count; i++) {
        batch->unit[i] = measuring->sample.unit[batch->unit[i]];
        batch->cost += partition_unit(measuring->setup->partition, batch->unit[i]).cost;
    }
    measuring->cost = (double)batch->cost;
}

/* Seconds that a thread takes for a second of CPU time, at least 1. */
static double waiting_of(const struct measuring *measuring) {
    const double cpu_time = (double)measuring->cpu_time;
    return cpu_time > 0 ? fmax(1, (double)measuring->time / cpu_time) : 1;
}

/* Makes and measures so many more draws; SAMPLE_ALL: measures all units. */
static nq_status measure_batch(struct measuring *measuring, uint64_t draws) {
    struct sample *sample = &measuring->sample;
    const bool all = draws == SAMPLE_ALL;
    struct selection batch = {
        .unit = malloc((all ? sample->count : draws) * sizeof *batch.unit + 1)};
    if (batch.unit == NULL)
        return NQ_NO_MEMORY;
    for (uint64_t position = 0; all && position < sample->count; position++)
        if (sample->hits[position] == 0)
            batch.unit[batch.count++] = position;
    for (uint64_t i = 0; !all && i < draws; i++) {
        const uint64_t position = nqi_sample_draw(sample);
        if (sample->hits[position] == 1) /* else it has been measured, or is in the batch */
            batch.unit[batch.count++] = position;
    }
    positions_to_units(measuring, &batch);
    nq_status status = batch.count > 0 ? measure(measuring, &batch, false) : NQ_OK;
    free(batch.unit);
    return status;
}

/* Foresees the time of all batches: at least that of the next one, and what the error needs,
 * which falls with the square root of the number of draws. */
static void foresee(struct course *course, const struct sample_aim *aim,
                    const struct sample_total *total, double next, double used) {
    if (aim->error > 0) {
        const double ratio = total->error / aim->error;
        course->total = fmin(aim->seconds, used * fmax(1 + next, ratio * ratio));
    }
}

/* Seconds that the first batch of a search may take. */
static double batch_limit(const struct sample_aim *aim) {
    return fmax(3 * aim->seconds, least_limit);
}

/* Measures batches until the aim is reached or all units have been measured. */
static nq_status take_sample(struct measuring *measuring, const struct sample_aim *aim,
                             struct estimate *estimate) {
    struct selection nothing = {.cost = 1}; /* no unit, but progress reports a share of 0 */
    struct sample_total total = {0};
    double begun = nqi_seconds_now(), used = 0;
    const bool search = strcmp(measuring->setup->partition->method, "search") == 0;
    measuring->limit = HUGE_VAL;
    nq_status status = measure(measuring, &nothing, true);
    estimate->table_seconds = nqi_seconds_now() - begun;
    begun = nqi_seconds_now();
    measuring->since = begun;
    /* Those of method `join` take a minute or two with vectors. */
    measuring->limit = search ? batch_limit(aim) : HUGE_VAL;
    uint64_t draws = aim->threads < FIRST_DRAWS ? FIRST_DRAWS : (uint64_t)aim->threads;
    if (measuring->sample.units == 0)
        draws = 0;
    while (status == NQ_OK && draws > 0) {
        status = measure_batch(measuring, draws);
        measuring->limit = HUGE_VAL; /* from now on batches are sized by what units take */
        used = nqi_seconds_now() - begun;
        if (status == NQ_OK) {
            total = nqi_sample_total(&measuring->sample);
            const struct sample_total on_clock = {
                .seconds = total.seconds * waiting_of(measuring), .error = total.error};
            draws = nqi_sample_more(&measuring->sample, &on_clock, aim, used);
            foresee(measuring->course, aim, &total,
                    (double)draws / (double)measuring->sample.draws, used);
        }
    }
    estimate->thread_seconds = total.seconds;
    estimate->error = total.error;
    estimate->calibration_seconds = estimate->table_seconds + used;
    estimate->units_measured = measuring->sample.measured;
    return status;
}

/* Estimates the mean and the longest time of a unit. */
static void estimate_units(const struct sample *sample, struct estimate *estimate) {
    double longest = 0;
    for (uint64_t i = 0; i < sample->count; i++)
        longest = fmax(longest, sample->seconds[i]);
    estimate->unit_seconds =
        sample->units > 0 ? estimate->thread_seconds / (double)sample->units : 0;
    estimate->longest_unit_seconds = fmax(longest, estimate->unit_seconds);
}

/* Limits the threads to their PUs and the quota: threads that take turns on a PU spoil each
 * other's caches. Returns how many can run at the same time. */
static double limit_threads(struct team *team) {
    int cores = team->places.count > 0 ? (int)team->places.count
                                       : hwloc_get_nbobjs_by_type(team->topology, HWLOC_OBJ_PU);
    if (team->quota > 0 && team->quota < cores)
        cores = (int)ceil(team->quota);
    if (cores > 0 && team->threads > cores)
        team->threads = cores;
    return team->quota > 0 ? fmin(team->threads, team->quota) : team->threads;
}

/* What is known before anything is measured. */
static void describe_count(const struct setup *setup, struct estimate *estimate) {
    const struct partition *partition = setup->partition;
    estimate->method = partition->method;
    estimate->plan = partition->plan;
    estimate->kernel = setup->solver->kernel;
    estimate->depth = partition->depth;
    estimate->units = partition->unit_count;
    estimate->table_bytes = setup->solver->memory.tables;
    estimate->thread_bytes = setup->solver->memory.worker;
    estimate->threads = setup->team.threads;
}

/* Refuses boards whose units take too long to be measured. */
static nq_status check_size(const struct job_request *request, struct failure *failure) {
    const struct method *method;
    const struct implementation *kernel;
    if (request->n <= LARGEST_SEARCHED || request->n > NQ_MAX_N)
        return NQ_OK;
    nq_status status = nqi_method_choose(request, &method, &kernel, failure);
    if (status == NQ_OK && method == &nqi_method_search)
        status = nqi_fail(
            failure, NQ_BAD_OPTION,
            "n = %d: units of method search take hours: they can be measured up to n = %d",
            request->n, LARGEST_SEARCHED);
    return status;
}

/* Measures a board for so many seconds; 0 or less: for its default aim. */
static nq_status measure_board(const struct count_request *request, double budget,
                               struct estimate *estimate, struct failure *failure) {
    const double begun = nqi_seconds_now();
    struct setup setup;
    nq_status status = nqi_setup_make(request, &setup, failure);
    struct sample_aim aim = {.seconds = budget};
    if (!(budget > 0))
        aim = default_aim(request->job.n);
    struct course course = {.started = begun, .total = aim.seconds};
    struct measuring measuring = {.setup = &setup, .course = &course};
    if (status == NQ_OK) {
        describe_count(&setup, estimate);
        estimate->plan_seconds = nqi_seconds_now() - begun;
        estimate->cores = limit_threads(&setup.team);
        aim.threads = setup.team.threads;
        if (!begin_sample(&measuring))
            status = NQ_NO_MEMORY;
    }
    if (status == NQ_OK)
        status = take_sample(&measuring, &aim, estimate);
    if (status == NQ_OK) {
        estimate_units(&measuring.sample, estimate);
        estimate->cpu_share = fmin(1, aim.threads / estimate->cores / waiting_of(&measuring));
        estimate->seconds = estimate->plan_seconds + estimate->table_seconds +
                            estimate->thread_seconds / estimate->cores;
    }
    if (status == NQ_CANCELLED && measuring.too_long)
        status =
            nqi_fail(failure, NQ_BAD_OPTION,
                     "n = %d: a few units of plan %s take more than %.0f s: give more time to "
                     "measure, or "
                     "another plan or depth",
                     request->job.n, estimate->plan, batch_limit(&aim));
    nqi_sample_end(&measuring.sample);
    nqi_setup_free(&setup);
    return status;
}

static nq_status estimate_count(int n, const nq_options *options, double budget,
                                struct estimate *estimate, struct failure *failure) {
    struct count_request request;
    const char *refused = options->ledger != NULL ? "ledger"
                          : options->shard != 0   ? "shard"
                          : options->shards != 0  ? "shards"
                                                  : NULL;
    if (refused != NULL)
        return nqi_fail(failure, NQ_BAD_OPTION, "option %s: an estimate is of a whole count",
                        refused);
    nq_status status = nqi_request_make(n, options, &request, failure);
    if (status == NQ_OK)
        status = check_size(&request.job, failure);
    if (status == NQ_OK)
        status = nqi_name_n(measure_board(&request, budget, estimate, failure), n, failure);
    return status;
}

nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate) {
    struct failure failure = {0};
    nq_options own;
    *estimate = (struct estimate){.n = n};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = estimate_count(n, &own, budget, estimate, &failure);
    return nqi_end_call(status, &failure);
}
