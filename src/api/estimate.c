/* nq_estimate_count: what a count would take, from a sample of its units.
 *
 * Units are drawn with a chance proportional to their expected cost: the seconds of a unit over
 * its cost, averaged over the draws, times the cost of all, is an unbiased estimate of the
 * seconds of all. Draws are spread evenly over the units in order of cost (points k phi mod 1),
 * which makes it better than a random sample of that size, and the same on every call. Batches
 * of draws are measured until the time is used up, each to its end: dropping the units that are
 * at work then would leave out the long ones.
 */
#include "api/setup.h"
#include "machine/clock.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that a first batch may always take. */
static const double least_limit = 10;

enum { LARGEST_MEASURED = 24 }; /* beyond it a single unit takes longer than people wait */

/* One call, which may measure several boards: what its callback is told. */
struct course {
    int n; /* of the count */
    double started;
    double used, total; /* seconds measured on earlier boards; expected for all boards */
    double share;       /* as told last; never less later */
    uint64_t work;      /* of batches that have ended */
};

/* A sample of a job's units. */
struct sample {
    struct setup *setup;
    struct course *course;
    double *before;  /* [i]: cost of the units ahead of the i-th of the selection; one more */
    double *seconds; /* [i]: what it took; negative: not measured */
    uint64_t *rank;  /* [unit]: its i */
    uint64_t measured;
    uint64_t draws;
    double limit;     /* seconds that a batch may take */
    double begun;     /* the batch */
    double measuring; /* since when units are measured; 0: tables are made before */
    bool too_long;    /* a batch took longer */
};

static bool sample_begin(struct sample *sample) {
    const struct selection *all = &sample->setup->selection;
    const struct job *job = sample->setup->job;
    sample->before = malloc((all->count + 1) * sizeof *sample->before);
    sample->seconds = malloc((all->count + 1) * sizeof *sample->seconds);
    sample->rank = malloc((job->unit_count + 1) * sizeof *sample->rank);
    if (sample->before == NULL || sample->seconds == NULL || sample->rank == NULL)
        return false;
    sample->before[0] = 0;
    for (uint64_t i = 0; i < all->count; i++) {
        sample->before[i + 1] = sample->before[i] + job->units[all->unit[i]].cost;
        sample->seconds[i] = -1;
        sample->rank[all->unit[i]] = i;
    }
    return true;
}

static void sample_end(struct sample *sample) {
    free(sample->before);
    free(sample->seconds);
    free(sample->rank);
}

/* The place in the selection of the unit that the k-th draw hits. */
static uint64_t draw(const struct sample *sample, uint64_t k) {
    static const double golden = 0.6180339887498949;
    uint64_t low = 0, high = sample->setup->selection.count - 1;
    double whole, point = modf(0.5 + (double)k * golden, &whole) * sample->before[high + 1];
    while (low < high) { /* the last one that begins at or before the point */
        uint64_t middle = low + (high - low + 1) / 2;
        if (sample->before[middle] <= point)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static nq_status keep_seconds(void *context, const struct solved *solved) {
    struct sample *sample = context;
    sample->seconds[sample->rank[solved->unit]] = solved->seconds;
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

/* Stops a batch that takes too long; else asks the caller. */
static bool on_progress(const nq_progress *progress, void *context) {
    struct sample *sample = context;
    sample->too_long = nqi_seconds_now() - sample->begun > sample->limit;
    return !sample->too_long && report(sample, progress);
}

/* Measures the units of these places, which are not measured yet. */
static nq_status measure(struct sample *sample, struct selection *batch) {
    const struct sink sink = {.keep = keep_seconds, .context = sample};
    const struct run_options options = {
        .team = &sample->setup->team,
        .sink = &sink,
        .observer = {.report = on_progress,
                     .context = sample,
                     .seconds = sample->setup->request.observer.seconds},
        .started = sample->course->started};
    struct totals totals;
    sample->begun = nqi_seconds_now();
    batch->all_count = batch->count;
    batch->all_cost = batch->cost;
    nq_status status = nqi_run_job(sample->setup->job, batch, &options, &totals);
    sample->measured += totals.units;
    sample->course->work += totals.work;
    return status;
}

/* Adds a place to a batch, unless it is measured or in the batch already. */
static void add(struct sample *sample, struct selection *batch, uint64_t place) {
    static const double in_batch = -2;
    if (sample->seconds[place] >= 0 || sample->seconds[place] == in_batch)
        return;
    sample->seconds[place] = in_batch;
    batch->unit[batch->count++] = place;
}

static int by_number(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* From places to units, the costliest first, as in the selection of all. */
static void name_units(const struct sample *sample, struct selection *batch) {
    const struct selection *all = &sample->setup->selection;
    qsort(batch->unit, batch->count, sizeof *batch->unit, by_number);
    for (uint64_t i = 0; i < batch->count; i++) {
        batch->unit[i] = all->unit[batch->unit[i]];
        batch->cost += sample->setup->job->units[batch->unit[i]].cost;
    }
}

/* Measures so many more draws; UINT64_MAX: all units. */
static nq_status measure_batch(struct sample *sample, uint64_t draws) {
    uint64_t all = sample->setup->selection.count;
    bool whole = draws == UINT64_MAX;
    struct selection batch = {.unit = malloc((whole ? all : draws) * sizeof *batch.unit + 1)};
    if (batch.unit == NULL)
        return NQ_NO_MEMORY;
    if (whole)
        for (uint64_t place = 0; place < all; place++)
            add(sample, &batch, place);
    else
        for (uint64_t end = sample->draws + draws; sample->draws < end; sample->draws++)
            add(sample, &batch, draw(sample, sample->draws));
    name_units(sample, &batch);
    nq_status status = batch.count > 0 ? measure(sample, &batch) : NQ_OK;
    free(batch.unit);
    return status;
}

/* Seconds of one thread for all units, and by how much that may be wrong. */
static void add_up(const struct sample *sample, nq_estimate *estimate) {
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
        uint64_t place = draw(sample, k);
        double rate = sample->seconds[place] / job->units[all->unit[place]].cost;
        sum += rate;
        squares += rate * rate;
    }
    double mean = sum / draws, variance = squares / draws - mean * mean;
    estimate->thread_seconds = mean * all->cost;
    estimate->error = variance > 0 ? 2 * sqrt(variance / draws) / mean : 0;
}

/* Measures until the time is used up, or all is measured. */
static nq_status take_sample(struct sample *sample, double budget, nq_estimate *estimate) {
    const struct selection *all = &sample->setup->selection;
    int threads = sample->setup->team.threads; /* that measure */
    struct selection nothing = {.cost = 1};    /* none of it is done, as progress tells it */
    double begun = nqi_seconds_now();
    sample->limit = HUGE_VAL;
    nq_status status = measure(sample, &nothing); /* makes the tables that all units share */
    estimate->table_seconds = nqi_seconds_now() - begun;
    uint64_t draws = 4 * (uint64_t)threads;
    begun = nqi_seconds_now();
    sample->measuring = begun;
    sample->limit = fmax(3 * budget, least_limit);
    while (status == NQ_OK && sample->measured < all->count) {
        status = measure_batch(sample, draws);
        if (status != NQ_OK)
            break;
        sample->limit = HUGE_VAL; /* what is to come is known well enough */
        add_up(sample, estimate);
        double used = nqi_seconds_now() - begun, left = budget - used;
        if (estimate->thread_seconds / threads <= left)
            draws = UINT64_MAX;
        else if (left < used / 4)
            break;
        else /* as many again as there is time for, no more than twice as many */
            draws = (uint64_t)ceil((double)sample->draws * fmin(2, left / used));
    }
    sample->course->used += nqi_seconds_now() - begun;
    estimate->calibration_seconds = estimate->table_seconds + nqi_seconds_now() - begun;
    estimate->units_measured = sample->measured;
    return status;
}

/* What the sample says of single units. */
static void look_at_units(const struct sample *sample, nq_estimate *estimate) {
    const struct selection *all = &sample->setup->selection;
    double longest = 0;
    for (uint64_t i = 0; i < all->count; i++)
        longest = fmax(longest, sample->seconds[i]);
    estimate->unit_seconds = all->count > 0 ? estimate->thread_seconds / (double)all->count : 0;
    estimate->longest_unit_seconds = fmax(longest, estimate->unit_seconds);
}

/* More threads than PUs wait for each other, and a unit's seconds would hold the waiting. */
static void use_cores(struct team *team) {
    int cores = hwloc_get_nbobjs_by_type(team->topology, HWLOC_OBJ_PU);
    if (team->quota > 0 && team->quota < cores)
        cores = (int)ceil(team->quota);
    if (cores > 0 && team->threads > cores)
        team->threads = cores;
}

/* Measures a board. NQ_CANCELLED with too_long: its units take too long for that. */
static nq_status measure_board(const struct count_request *request, double budget,
                               struct course *course, bool *too_long, nq_estimate *estimate) {
    double begun = nqi_seconds_now();
    struct setup setup;
    nq_status status =
        nqi_setup_make(request, &setup, estimate->detail, sizeof estimate->detail);
    struct sample sample = {.setup = &setup, .course = course};
    *too_long = false;
    if (status == NQ_OK) {
        const struct job *job = setup.job;
        estimate->method = job->method->name;
        estimate->plan = job->plan;
        estimate->kernel = job->kernel;
        estimate->depth = job->depth;
        estimate->units = job->unit_count;
        estimate->memory = job->memory;
        estimate->memory_thread = job->worker_memory;
        estimate->threads = setup.team.threads;
        estimate->plan_seconds = nqi_seconds_now() - begun;
        use_cores(&setup.team);
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
        look_at_units(&sample, estimate);
        estimate->seconds = estimate->plan_seconds + estimate->table_seconds +
                            estimate->thread_seconds / estimate->cores;
    }
    sample_end(&sample);
    nqi_setup_free(&setup);
    return status;
}

/* Carries the growth from board to board of the same parity on from three that were measured:
 * the logarithm of the time by a parabola. As an error, what a straight line would make of it.
 */
static nq_status extrapolate(const struct count_request *request, double budget,
                             struct course *course, nq_estimate *estimate) {
    enum { MEASURED = 3 };
    double logarithm[MEASURED];
    bool too_long = true;
    const int n = request->job.n;
    nq_estimate board = {0};
    struct count_request smaller = *request; /* counted as the large board would be */
    smaller.job.method = estimate->method;
    if (estimate->memory == 0)
        smaller.job.table_memory = 0;
    nq_status status = NQ_CANCELLED;
    while (too_long && smaller.job.n > 2 * MEASURED) {
        smaller.job.n -= 2;
        board = (nq_estimate){0};
        course->total = course->used + 1.5 * budget; /* the smaller two take a quarter each */
        status = measure_board(&smaller, budget, course, &too_long, &board);
        estimate->calibration_seconds += board.calibration_seconds;
    }
    const int last = smaller.job.n;
    for (int i = 0; i < MEASURED && status == NQ_OK; i++) {
        if (i > 0) {
            smaller.job.n -= 2;
            course->total = course->used + (MEASURED - i) * budget / 4;
            status = measure_board(&smaller, budget / 4, course, &too_long, &board);
            estimate->calibration_seconds += board.calibration_seconds;
        }
        logarithm[i] = log(board.thread_seconds);
        estimate->units_measured += board.units_measured;
        estimate->error = fmax(estimate->error, board.error);
    }
    if (status != NQ_OK) {
        memcpy(estimate->detail, board.detail, sizeof estimate->detail);
        return status;
    }
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

nq_status nq_estimate_count(int n, const nq_options *options, double budget,
                            nq_estimate *estimate) {
    *estimate = (nq_estimate){.n = n};
    const struct count_request request = nqi_request_of(n, options);
    if (request.ledger != NULL || request.shards != 0) {
        snprintf(estimate->detail, sizeof estimate->detail,
                 "an estimate is of a whole count: no ledger, no shard");
        return NQ_BAD_OPTION;
    }
    bool too_long;
    budget = budget > 0 ? budget : 10;
    struct course course = {.n = n, .started = nqi_seconds_now(), .total = budget};
    nq_status status = measure_board(&request, budget, &course, &too_long, estimate);
    if (status == NQ_CANCELLED && too_long)
        status = extrapolate(&request, budget, &course, estimate);
    return nqi_with_detail(status, n, estimate->detail, sizeof estimate->detail);
}
