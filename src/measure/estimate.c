/* nqi_estimate_count: what a count would take, from a sample of its units.
 *
 * A unit takes less time after its neighbours in the order of the count: they share quarters,
 * and lists have the size that it needs. So clusters are drawn, each of some units that one
 * thread of a count might solve one after the other, and the first unit of each, which does not
 * find what it could share, is not counted.
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
    double share;       /* as told last, like work_told, units_told: none falls back */
    uint64_t work_told; /* may exceed the work that is kept, if a batch was stopped */
    uint64_t units_told;
    double next_report; /* the callback is not called before, by nqi_seconds_now */
};

/* How units are drawn. The clusters of a board with listed units are made of its order: cluster
 * c has `length` units, `stride` from each other, as threads that take turns have. The first is
 * solved to be followed by the others. */
struct clusters {
    struct selection order; /* of a count; empty: units are not listed, each is a cluster */
    uint64_t *place;        /* [unit]: in that order */
    uint64_t count, length, stride;
    uint64_t offset; /* place of the first cluster, random: any unit may be the first of one */
};

/* A sample under way. */
struct measuring {
    struct setup *setup;
    struct course *course;
    struct clusters clusters;
    struct sample sample;
    bool all;              /* units are measured, once, as a count solves them */
    double limit;          /* seconds that a batch may take */
    double begun;          /* when the batch began, by nqi_seconds_now */
    double since;          /* since when units are measured; 0: tables are made before */
    double cost;           /* of the batch, as expected */
    _Atomic uint64_t done; /* part of that cost, in fractions 2^-32 */
    _Atomic uint64_t time, cpu_time; /* of all units solved, in nanoseconds */
    _Atomic uint64_t longest;        /* CPU time of one */
    _Atomic uint64_t measured;       /* units that count */
    bool too_long;                   /* a batch exceeded its limit */
    bool stopped;                    /* the caller's callback said stop */
};

/* Returns a unit of a cluster. i: below clusters->length. */
static uint64_t cluster_unit(const struct clusters *clusters, uint64_t cluster, uint64_t i) {
    const uint64_t round = cluster / clusters->stride, turn = cluster % clusters->stride;
    if (clusters->order.unit == NULL)
        return cluster;
    return clusters->order
        .unit[clusters->offset + (round * clusters->length + i) * clusters->stride + turn];
}

/* Returns the index, in its cluster, of the first unit that counts. */
static uint64_t cluster_first(const struct clusters *clusters) {
    return clusters->length > 1;
}

/* Returns whether a unit counts, and stores its cluster. It was solved as one of a cluster. */
static bool cluster_of(const struct clusters *clusters, uint64_t unit, uint64_t *cluster) {
    *cluster = unit;
    if (clusters->order.unit == NULL)
        return true;
    const uint64_t place = clusters->place[unit] - clusters->offset,
                   round = clusters->length * clusters->stride;
    *cluster = place / round * clusters->stride + place % clusters->stride;
    return place % round / clusters->stride >= cluster_first(clusters);
}

/* Returns the expected cost of a cluster's units that count. */
static double cluster_cost(void *context, uint64_t cluster) {
    const struct measuring *measuring = context;
    const struct clusters *clusters = &measuring->clusters;
    double cost = 0;
    for (uint64_t i = cluster_first(clusters); i < clusters->length; i++)
        cost += (double)partition_unit(measuring->setup->partition,
                                       cluster_unit(clusters, cluster, i))
                    .cost;
    return cost;
}

/* Units of method `join` share; those of `search` share nothing. */
enum { JOINED_TOGETHER = 4 };

/* Divides the board into clusters. False: out of memory. */
static bool make_clusters(const struct setup *setup, uint64_t random,
                          struct clusters *clusters) {
    const struct partition *partition = setup->partition;
    const bool join = strcmp(partition->method, "join") == 0;
    *clusters = (struct clusters){.count = partition->unit_count, .length = 1, .stride = 1};
    if (partition->units == NULL)
        return true;
    clusters->place = malloc((partition->unit_count + 1) * sizeof *clusters->place);
    if (clusters->place == NULL || !nqi_selection_make(partition, 0, 0, NULL, &clusters->order))
        return false;
    for (uint64_t place = 0; place < clusters->count; place++)
        clusters->place[clusters->order.unit[place]] = place;
    if (!join)
        return true;
    clusters->length = JOINED_TOGETHER;
    clusters->stride = (uint64_t)setup->team.threads;
    const uint64_t round = clusters->length * clusters->stride;
    clusters->offset = random % round;
    clusters->count =
        partition->unit_count < clusters->offset
            ? 0
            : (partition->unit_count - clusters->offset) / round * clusters->stride;
    return true;
}

/* Makes the frame: all clusters, or some of the units that are not listed. False: out of
 * memory. */
static bool begin_sample(struct measuring *measuring) {
    const bool listed = measuring->setup->partition->units != NULL;
    struct sample_random random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        random = (struct sample_random){(uint64_t)time(NULL), (uint64_t)time(NULL) << 32};
    if (!make_clusters(measuring->setup, random.frame, &measuring->clusters))
        return false;
    const uint64_t count = measuring->clusters.count;
    return nqi_sample_begin(count, listed || count < SAMPLE_FRAME ? count : SAMPLE_FRAME,
                            cluster_cost, measuring, &random, &measuring->sample);
}

static void atomic_raise(_Atomic uint64_t *most, uint64_t value) {
    uint64_t before = atomic_load(most);
    while (before < value && !atomic_compare_exchange_weak(most, &before, value))
        ;
}

static nq_status keep_seconds(void *context, const struct solved *solved) {
    struct measuring *measuring = context;
    const uint64_t cpu_time = (uint64_t)(1e9 * solved->cpu_seconds);
    uint64_t cluster;
    if (measuring->all || cluster_of(&measuring->clusters, solved->unit, &cluster)) {
        if (!measuring->all)
            nqi_sample_add(&measuring->sample, cluster, solved->cpu_seconds);
        atomic_fetch_add(&measuring->measured, 1);
        atomic_raise(&measuring->longest, cpu_time);
    }
    atomic_fetch_add(&measuring->time, (uint64_t)(1e9 * solved->seconds));
    atomic_fetch_add(&measuring->cpu_time, cpu_time);
    const double cost = (double)partition_unit(measuring->setup->partition, solved->unit).cost;
    atomic_fetch_add(&measuring->done, (uint64_t)ldexp(cost / measuring->cost, 32));
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
    progress.units_done =
        measuring->measured < course->units_told ? course->units_told : measuring->measured;
    course->units_told = progress.units_done;
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

/* Measures the units of a batch: clusters, or all. prepare: as in run_options. */
static nq_status measure(struct measuring *measuring, struct selection *batch, bool prepare) {
    const struct sink sink = {.keep = keep_seconds, .context = measuring};
    const struct run_options options = {
        .team = &measuring->setup->team,
        .sink = &sink,
        .observer = {.report = on_progress,
                     .context = measuring,
                     .seconds = fmin(look_seconds, nqi_observer_interval(
                                                       &measuring->setup->request.observer))},
        .together = measuring->all ? 1 : measuring->clusters.length,
        .prepare = prepare,
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

static int by_position(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Measures all units, as a count solves them. */
static nq_status measure_all(struct measuring *measuring, struct sample_total *total) {
    struct selection all = {0};
    if (!nqi_selection_make(measuring->setup->partition, 0, 0, NULL, &all))
        return NQ_NO_MEMORY;
    measuring->all = true;
    measuring->measured = measuring->longest = measuring->time = measuring->cpu_time = 0;
    nq_status status = all.count > 0 ? measure(measuring, &all, false) : NQ_OK;
    *total = (struct sample_total){.seconds = 1e-9 * (double)measuring->cpu_time};
    nqi_selection_free(&all);
    return status;
}

/* Seconds that a thread takes for a second of CPU time, at least 1. */
static double waiting_of(const struct measuring *measuring) {
    const double cpu_time = (double)measuring->cpu_time;
    return cpu_time > 0 ? fmax(1, (double)measuring->time / cpu_time) : 1;
}

/* Makes and measures so many more draws, and estimates the total. */
static nq_status measure_batch(struct measuring *measuring, uint64_t draws,
                               struct sample_total *total) {
    struct sample *sample = &measuring->sample;
    const struct clusters *clusters = &measuring->clusters;
    const struct partition *partition = measuring->setup->partition;
    uint64_t *position = malloc(draws * sizeof *position), drawn = 0;
    struct selection batch = {.unit = malloc(draws * clusters->length * sizeof *batch.unit)};
    nq_status status = position == NULL || batch.unit == NULL ? NQ_NO_MEMORY : NQ_OK;
    for (uint64_t i = 0; i < draws && status == NQ_OK; i++) {
        position[drawn] = nqi_sample_draw(sample);
        drawn += sample->hits[position[drawn]] == 1; /* else measured, or drawn before */
    }
    if (status == NQ_OK)
        qsort(position, drawn, sizeof *position, by_position); /* the costliest first */
    for (uint64_t i = 0; i < drawn * clusters->length && status == NQ_OK; i++) {
        batch.unit[i] = cluster_unit(clusters, sample->unit[position[i / clusters->length]],
                                     i % clusters->length);
        batch.cost += partition_unit(partition, batch.unit[i]).cost;
        batch.count++;
    }
    if (batch.count > 0 && status == NQ_OK)
        status = measure(measuring, &batch, false);
    nqi_sample_end_batch(sample);
    if (status == NQ_OK) {
        *total = nqi_sample_total(sample);
        if (partition->units != NULL) /* units that count in no cluster, too */
            total->seconds *= (double)partition->cost / sample->cost_before[sample->count];
    }
    free(position);
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
    if (measuring->clusters.count < 2 * draws) /* nothing is saved */
        draws = SAMPLE_ALL;
    while (status == NQ_OK && draws > 0) {
        const bool all = draws == SAMPLE_ALL;
        status = all ? measure_all(measuring, &total) : measure_batch(measuring, draws, &total);
        measuring->limit = HUGE_VAL; /* from now on batches are sized by what units take */
        used = nqi_seconds_now() - begun;
        if (all)
            break;
        if (status == NQ_OK) {
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
    estimate->units_measured = measuring->measured;
    estimate->draws = measuring->all ? 0 : measuring->sample.draws;
    return status;
}

/* Estimates the mean and the longest time of a unit. */
static void estimate_units(const struct measuring *measuring, struct estimate *estimate) {
    if (estimate->units > 0)
        estimate->unit_seconds = estimate->thread_seconds / (double)estimate->units;
    estimate->longest_unit_seconds =
        fmax(1e-9 * (double)measuring->longest, estimate->unit_seconds);
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
        estimate_units(&measuring, estimate);
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
    nqi_selection_free(&measuring.clusters.order);
    free(measuring.clusters.place);
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
