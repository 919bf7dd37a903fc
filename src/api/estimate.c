/* nq_estimate_count: what a count would take, from a sample of its units.
 *
 * Hansen-Hurwitz estimator: units are drawn with probability proportional to their expected
 * cost. With random draws, the mean of seconds / cost over the draws, times the cost of all
 * units, is an unbiased estimate of the seconds of all units. Here the draws are the
 * golden-ratio (Kronecker) sequence, k phi mod 1, over the units in order of cost, which
 * spreads them evenly and makes them the same on every call.
 *
 * Batches of draws are measured until the time is used up. Each batch is measured to its end:
 * to drop its unfinished units would leave out the long ones.
 */
#include "api/error.h"
#include "api/setup.h"
#include "api/sized.h"
#include "machine/clock.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Least limit, in seconds, on the first batch; and most seconds between two looks at it,
 * however rarely the caller wants to hear of progress. */
static const double least_limit = 10, look_seconds = 0.1;

enum { LARGEST_MEASURED = 24 }; /* on larger boards a unit takes longer than a user waits */

/* One call, which may measure several boards: what its callback is told. */
struct course {
    int n; /* of the count */
    double started;
    double used, total; /* seconds measured on earlier boards; expected for all boards */
    double share;       /* as told last; never less later */
    uint64_t work;      /* of batches that have ended */
    double next_report; /* the callback is not called before, by nqi_seconds_now */
};

/* A sample of a job's units. */
struct sample {
    struct setup *setup;
    struct course *course;
    double *cost_before; /* [i]: cost of the units before position i of the selection; the last
                            element: of all units */
    double *seconds;     /* [i]: seconds of the unit at position i; negative: not measured */
    uint64_t *position;  /* [unit]: its position in the selection */
    uint64_t measured;   /* number of units measured */
    uint64_t draws;      /* number of draws so far */
    double limit;        /* seconds that a batch may take */
    double begun;        /* when the batch began, by nqi_seconds_now */
    double measuring;    /* since when units are measured; 0: tables are made before */
    bool too_long;       /* a batch exceeded its limit */
    bool stopped;        /* the caller's callback said stop */
};

static bool sample_begin(struct sample *sample) {
    const struct selection *all = &sample->setup->selection;
    const struct job *job = sample->setup->job;
    sample->cost_before = malloc((all->count + 1) * sizeof *sample->cost_before);
    sample->seconds = malloc((all->count + 1) * sizeof *sample->seconds);
    sample->position = malloc((job->unit_count + 1) * sizeof *sample->position);
    if (sample->cost_before == NULL || sample->seconds == NULL || sample->position == NULL)
        return false;
    sample->cost_before[0] = 0;
    for (uint64_t i = 0; i < all->count; i++) {
        sample->cost_before[i + 1] = sample->cost_before[i] + job->units[all->unit[i]].cost;
        sample->seconds[i] = -1;
        sample->position[all->unit[i]] = i;
    }
    return true;
}

static void sample_end(struct sample *sample) {
    free(sample->cost_before);
    free(sample->seconds);
    free(sample->position);
}

/* Returns the position in the selection of the unit that the k-th draw hits. */
static uint64_t draw(const struct sample *sample, uint64_t k) {
    static const double golden = 0.6180339887498949;
    uint64_t low = 0, high = sample->setup->selection.count - 1;
    double whole, all_cost = sample->cost_before[high + 1];
    double point = modf(0.5 + (double)k * golden, &whole) * all_cost;
    while (low < high) { /* bisects for the last unit that begins at or before the point */
        uint64_t middle = low + (high - low + 1) / 2;
        if (sample->cost_before[middle] <= point)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static nq_status keep_seconds(void *context, const struct solved *solved) {
    struct sample *sample = context;
    sample->seconds[sample->position[solved->unit]] = solved->seconds;
    return NQ_OK;
}

/* Reports a batch's progress as that of the call: its share is that of the time to measure in,
 * which unlike a batch's share never falls back. */
static bool report(const struct sample *sample, const nq_progress *of_batch) {
    const struct observer *observer = &sample->setup->request.observer;
    struct course *course = sample->course;
    if (observer->report == NULL)
        return true;
    nq_progress progress = *of_batch;
    char phase[32] = "measuring";
    if (progress.n != course->n)
        snprintf(phase, sizeof phase, "measuring n = %d", progress.n);
    double used = course->used;
    progress.n = course->n;
    progress.work += course->work;
    progress.units = sample->setup->selection.count;
    progress.units_done += sample->measured;
    progress.remaining = -1;
    if (sample->measuring > 0) {
        used += nqi_seconds_now() - sample->measuring;
        progress.phase = phase;
        /* The last batch may take longer than planned: it is measured to its end. */
        progress.remaining = used < course->total ? course->total - used : of_batch->remaining;
    }
    course->share = fmax(course->share, fmin(used / course->total, 0.99));
    progress.share = course->share;
    return observer->report(&progress, observer->context);
}

/* Stops a batch that takes too long; otherwise calls the caller's callback, if that is due. */
static bool on_progress(const nq_progress *progress, void *context) {
    struct sample *sample = context;
    struct course *course = sample->course;
    double now = nqi_seconds_now();
    sample->too_long = now - sample->begun > sample->limit;
    if (!sample->too_long && now >= course->next_report) {
        course->next_report = now + nqi_observer_interval(&sample->setup->request.observer);
        sample->stopped = !report(sample, progress);
    }
    return !sample->too_long && !sample->stopped;
}

/* Measures the units of a batch, none of which has been measured. prepare: as in run_options.
 */
static nq_status measure(struct sample *sample, struct selection *batch, bool prepare) {
    const struct sink sink = {.keep = keep_seconds, .context = sample};
    const struct run_options options = {
        .team = &sample->setup->team,
        .sink = &sink,
        .observer = {.report = on_progress,
                     .context = sample,
                     .seconds = fmin(look_seconds,
                                     nqi_observer_interval(&sample->setup->request.observer))},
        .prepare = prepare,
        .started = sample->course->started};
    struct totals totals;
    sample->begun = nqi_seconds_now();
    batch->all_count = batch->count;
    batch->all_cost = batch->cost;
    nq_status status = nqi_run_job(sample->setup->job, batch, &options, &totals);
    sample->measured += totals.units;
    sample->course->work += totals.work;
    /* Even if all units of the batch had finished: other batches would follow. */
    return status == NQ_OK && sample->stopped ? NQ_CANCELLED : status;
}

/* Adds a position to a batch, unless its unit has been measured or is in the batch. */
static void add(struct sample *sample, struct selection *batch, uint64_t position) {
    static const double in_batch = -2;
    if (sample->seconds[position] >= 0 || sample->seconds[position] == in_batch)
        return;
    sample->seconds[position] = in_batch;
    batch->unit[batch->count++] = position;
}

static int by_position(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Replaces a batch's positions by the ids of their units, the costliest first. */
static void positions_to_units(const struct sample *sample, struct selection *batch) {
    const struct selection *all = &sample->setup->selection;
    qsort(batch->unit, batch->count, sizeof *batch->unit, by_position);
    for (uint64_t i = 0; i < batch->count; i++) {
        batch->unit[i] = all->unit[batch->unit[i]];
        batch->cost += sample->setup->job->units[batch->unit[i]].cost;
    }
}

/* Makes and measures `draws` more draws; UINT64_MAX: measures all units. */
static nq_status measure_batch(struct sample *sample, uint64_t draws) {
    uint64_t all = sample->setup->selection.count;
    bool whole = draws == UINT64_MAX;
    struct selection batch = {.unit = malloc((whole ? all : draws) * sizeof *batch.unit + 1)};
    if (batch.unit == NULL)
        return NQ_NO_MEMORY;
    if (whole)
        for (uint64_t position = 0; position < all; position++)
            add(sample, &batch, position);
    else
        for (uint64_t end = sample->draws + draws; sample->draws < end; sample->draws++)
            add(sample, &batch, draw(sample, sample->draws));
    positions_to_units(sample, &batch);
    nq_status status = batch.count > 0 ? measure(sample, &batch, false) : NQ_OK;
    free(batch.unit);
    return status;
}

/* Estimates the seconds of one thread for all units, and the error: two standard errors of the
 * mean, relative to it. */
static void estimate_total(const struct sample *sample, nq_estimate *estimate) {
    const struct selection *all = &sample->setup->selection;
    const struct job *job = sample->setup->job;
    estimate->thread_seconds = estimate->error = 0;
    if (sample->measured == all->count) {
        for (uint64_t i = 0; i < all->count; i++)
            estimate->thread_seconds += sample->seconds[i];
        return;
    }
    double sum = 0, squares = 0, draws = (double)sample->draws;
    for (uint64_t k = 0; k < sample->draws; k++) {
        uint64_t position = draw(sample, k);
        double rate = sample->seconds[position] / job->units[all->unit[position]].cost;
        sum += rate;
        squares += rate * rate;
    }
    double mean = sum / draws, variance = squares / draws - mean * mean;
    estimate->thread_seconds = mean * all->cost;
    estimate->error = variance > 0 ? 2 * sqrt(variance / draws) / mean : 0;
}

/* Measures batches until the time is used up or all units have been measured. */
static nq_status take_sample(struct sample *sample, double budget, nq_estimate *estimate) {
    const struct selection *all = &sample->setup->selection;
    int threads = sample->setup->team.threads;
    struct selection nothing = {.cost = 1}; /* no unit, but progress reports a share of 0 */
    double begun = nqi_seconds_now();
    sample->limit = HUGE_VAL;
    nq_status status = measure(sample, &nothing, true);
    estimate->table_seconds = nqi_seconds_now() - begun;
    uint64_t draws = 4 * (uint64_t)threads;
    begun = nqi_seconds_now();
    sample->measuring = begun;
    sample->limit = fmax(3 * budget, least_limit);
    while (status == NQ_OK && sample->measured < all->count) {
        status = measure_batch(sample, draws);
        if (status != NQ_OK)
            break;
        sample->limit = HUGE_VAL; /* from now on batches are sized by what units take */
        estimate_total(sample, estimate);
        double used = nqi_seconds_now() - begun, left = budget - used;
        if (estimate->thread_seconds / threads <= left)
            draws = UINT64_MAX;
        else if (left < used / 4)
            break;
        else /* as many draws as there is time for, but at most twice the number so far */
            draws = (uint64_t)ceil((double)sample->draws * fmin(2, left / used));
    }
    sample->course->used += nqi_seconds_now() - begun;
    estimate->calibration_seconds = estimate->table_seconds + nqi_seconds_now() - begun;
    estimate->units_measured = sample->measured;
    return status;
}

/* Estimates the mean and the longest time of a unit. */
static void estimate_units(const struct sample *sample, nq_estimate *estimate) {
    const struct selection *all = &sample->setup->selection;
    double longest = 0;
    for (uint64_t i = 0; i < all->count; i++)
        longest = fmax(longest, sample->seconds[i]);
    estimate->unit_seconds = all->count > 0 ? estimate->thread_seconds / (double)all->count : 0;
    estimate->longest_unit_seconds = fmax(longest, estimate->unit_seconds);
}

/* Limits the threads to the PUs and the quota: if threads took turns on a PU, a unit's seconds
 * would include the waiting. */
static void limit_threads(struct team *team) {
    int cores = hwloc_get_nbobjs_by_type(team->topology, HWLOC_OBJ_PU);
    if (team->quota > 0 && team->quota < cores)
        cores = (int)ceil(team->quota);
    if (cores > 0 && team->threads > cores)
        team->threads = cores;
}

/* Measures a board. Returns NQ_CANCELLED with *too_long set if its units take too long to be
 * measured, or another status of nq_estimate_count. */
static nq_status measure_board(const struct count_request *request, double budget,
                               struct course *course, bool *too_long, nq_estimate *estimate,
                               char *detail, size_t size) {
    double begun = nqi_seconds_now();
    struct setup setup;
    nq_status status = nqi_setup_make(request, &setup, detail, size);
    struct sample sample = {.setup = &setup, .course = course};
    *too_long = false;
    if (status == NQ_OK) {
        const struct job *job = setup.job;
        estimate->method = job->method->name;
        estimate->plan = job->plan;
        estimate->kernel = job->kernel;
        estimate->depth = job->depth;
        estimate->units = job->unit_count;
        estimate->table_bytes = job->memory.tables;
        estimate->thread_bytes = job->memory.worker;
        estimate->threads = setup.team.threads;
        estimate->plan_seconds = nqi_seconds_now() - begun;
        limit_threads(&setup.team);
        estimate->cores = setup.team.threads;
        *too_long = request->job.n > LARGEST_MEASURED;
        if (*too_long)
            status = NQ_CANCELLED;
        else if (!sample_begin(&sample))
            status = NQ_NO_MEMORY;
    }
    if (status == NQ_OK) {
        status = take_sample(&sample, budget, estimate);
        *too_long = sample.too_long;
    }
    if (status == NQ_OK) {
        estimate_units(&sample, estimate);
        estimate->seconds = estimate->plan_seconds + estimate->table_seconds +
                            estimate->thread_seconds / estimate->cores;
    }
    sample_end(&sample);
    nqi_setup_free(&setup);
    return status;
}

/* Extrapolates from three measured boards of the same parity, the largest that can be measured:
 * the logarithm of the time by a parabola in n. The error includes the difference from a
 * straight line through the larger two. */
static nq_status extrapolate(const struct count_request *request, double budget,
                             struct course *course, nq_estimate *estimate, char *detail,
                             size_t size) {
    enum { MEASURED = 3 };
    double logarithm[MEASURED];
    bool too_long = true;
    const int n = request->job.n;
    nq_estimate board = {0};
    struct count_request smaller = *request; /* with the large board's method and tables */
    smaller.job.method = estimate->method;
    smaller.job.memory.tables = estimate->table_bytes > 0;
    nq_status status = NQ_CANCELLED;
    while (too_long && smaller.job.n > 2 * MEASURED) {
        smaller.job.n -= 2;
        board = (nq_estimate){0};
        course->total = course->used + 1.5 * budget; /* the smaller two take a quarter each */
        status = measure_board(&smaller, budget, course, &too_long, &board, detail, size);
        estimate->calibration_seconds += board.calibration_seconds;
    }
    const int last = smaller.job.n;
    for (int i = 0; i < MEASURED && status == NQ_OK; i++) {
        if (i > 0) {
            smaller.job.n -= 2;
            course->total = course->used + (MEASURED - i) * budget / 4;
            status =
                measure_board(&smaller, budget / 4, course, &too_long, &board, detail, size);
            estimate->calibration_seconds += board.calibration_seconds;
        }
        logarithm[i] = log(board.thread_seconds);
        estimate->units_measured += board.units_measured;
        estimate->error = fmax(estimate->error, board.error);
    }
    if (status != NQ_OK)
        return status;
    double growth = logarithm[0] - logarithm[1],
           change = growth - (logarithm[1] - logarithm[2]);
    double parabola = logarithm[0], line = logarithm[0];
    for (int board_n = last; board_n < n; board_n += 2) {
        line += logarithm[0] - logarithm[1];
        growth += change;
        parabola += growth;
    }
    estimate->extrapolated_from = last;
    estimate->thread_seconds = exp(parabola);
    estimate->error += fabs(1 - exp(line - parabola));
    estimate->unit_seconds = estimate->thread_seconds / (double)estimate->units;
    estimate->longest_unit_seconds = -1;
    estimate->seconds = estimate->plan_seconds + estimate->table_seconds +
                        estimate->thread_seconds / estimate->cores;
    return NQ_OK;
}

static nq_status estimate_count(int n, const nq_options *options, double budget,
                                nq_estimate *estimate, char *detail, size_t size) {
    struct count_request request;
    const char *refused = options->ledger != NULL ? "ledger"
                          : options->shard != 0   ? "shard"
                          : options->shards != 0  ? "shards"
                                                  : NULL;
    if (refused != NULL) {
        snprintf(detail, size, "option %s: an estimate is of a whole count", refused);
        return NQ_BAD_OPTION;
    }
    nq_status status = nqi_request_make(n, options, &request, detail, size);
    if (status != NQ_OK)
        return status;
    bool too_long;
    budget = budget > 0 ? budget : 10;
    struct course course = {.n = n, .started = nqi_seconds_now(), .total = budget};
    status = measure_board(&request, budget, &course, &too_long, estimate, detail, size);
    if (status == NQ_CANCELLED && too_long)
        status = extrapolate(&request, budget, &course, estimate, detail, size);
    return nqi_with_detail(status, n, detail, size);
}

nq_status nq_estimate_count_sized(int n, const nq_options *options, size_t options_size,
                                  double budget, nq_estimate *estimate, size_t estimate_size) {
    char detail[ERROR_SIZE] = "";
    nq_options own;
    nq_estimate found = {.n = n};
    nq_status status = nqi_read_options(options, options_size, &own, detail, sizeof detail);
    if (status == NQ_OK)
        status = estimate_count(n, &own, budget, &found, detail, sizeof detail);
    nqi_write_sized(&found, SIZE_TO(nq_estimate, calibration_seconds), estimate, estimate_size);
    return nqi_end_call(status, detail);
}
