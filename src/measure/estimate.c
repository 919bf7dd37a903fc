/* SPDX-License-Identifier: MIT */
/* Estimates how long a count would take on this machine, from the time that a random sample of
 * its units takes.
 *
 * The threads take units in the order in which the sample draws them, until the time to measure
 * is over or the confidence interval is narrow enough. Units that were begun are measured to
 * their end: if unfinished ones were dropped, the sample would lack long units, and the
 * estimate would be too low.
 */
#include "measure/measure.h"

#include "core/failure.h"
#include "count/count.h"
#include "machine/clock.h"
#include "machine/team.h"
#include "measure/sample.h"
#include "methods/methods.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>

/* Least number of draws before an estimate may end because its time is over, and before it may
 * end because its error is small enough. */
enum { LEAST_BY_TIME = 8, LEAST_BY_ERROR = 16 };

/* The largest board of which a draw takes a whole block of neighbouring units. Neighbours have
 * parts in common, which a unit that is measured without them must make for itself. That takes
 * up to 5 % of the time for n = 20 and 21. On larger boards it takes less than 1 %, and units
 * are so long that the time to measure should go to different places of the board. */
enum { BLOCKS_N = 22 };

/* Relative half-width that is added to the interval because the machine's speed changes between
 * an estimate and the count. Whole counts of n = 20 and 21 varied by 3.5 and 4.6 % (standard
 * deviation) on a shared machine without other work (results/zen4-2-cores.md). */
static const double speed_varies = 0.05;

/* Measuring ends after `seconds`, or earlier when the estimate's error has fallen to `error`.
 * If `error` is 0, measuring does not end earlier. */
struct stopping_rule {
    double seconds, error;
};

/* Returns the rule for a caller who names no time. Units of large boards are so long that a few
 * seconds would give a wide interval, so there the error decides. */
static struct stopping_rule estimate_default_rule(int n) {
    if (n <= 24)
        return (struct stopping_rule){.seconds = 10};
    return (struct stopping_rule){.seconds = n <= 26 ? 300 : 600, .error = 0.05};
}

/* The measuring that is under way. All threads share it, so they take units, add times and
 * decide whether to stop within critical(nqi_estimate). */
struct measurement {
    struct setup *setup;
    const struct method *method;
    struct stopping_rule rule;
    struct sample sample;
    int threads;                 /* number of threads that a count would have */
    double since;                /* when measuring began, by nqi_seconds_now */
    double seconds, cpu_seconds; /* wall-clock and CPU time of all units measured */
    double longest;              /* CPU time of the longest unit measured */
    bool stopped;                /* the callback asked to stop */
    double share, remaining;     /* as in nq_progress */
};

/* The source of the run's units (run/run.h). */
static bool estimate_take_unit(void *context, bool wait, uint64_t *unit) {
    (void)wait; /* a sample knows at once whether it has another unit */
    struct measurement *measurement = context;
    bool taken;
#pragma omp critical(nqi_estimate)
    taken = nqi_sample_take(&measurement->sample, unit);
    return taken;
}

/* The sink of the run: adds the times of a unit. */
static nq_status estimate_put(void *context, const struct solved *solved) {
    struct measurement *measurement = context;
#pragma omp critical(nqi_estimate)
    {
        nqi_sample_add(&measurement->sample, solved->unit, solved->cpu_seconds);
        measurement->seconds += solved->seconds;
        measurement->cpu_seconds += solved->cpu_seconds;
        measurement->longest = fmax(measurement->longest, solved->cpu_seconds);
    }
    return NQ_OK;
}

/* Returns the seconds of wall-clock time in which a thread got a second of CPU time; at least
 * 1. */
static double estimate_slowdown(const struct measurement *measurement) {
    return measurement->cpu_seconds > 0
               ? fmax(1, measurement->seconds / measurement->cpu_seconds)
               : 1;
}

/* Decides whether to stop measuring, and whether there is time to measure all units instead of
 * a sample. Updates the progress. The share of the progress is the part of the budget that is
 * over or, if the least number of draws takes longer, the part of these draws that is done. It
 * never falls, and stays below 1 while units are under way. */
static void estimate_decide(struct measurement *measurement, double now) {
    struct sample *sample = &measurement->sample;
    const struct stopping_rule *rule = &measurement->rule;
    const struct sample_total total = nqi_sample_total(sample);
    const double used = now - measurement->since,
                 rest = (total.seconds - measurement->cpu_seconds) *
                        estimate_slowdown(measurement) / measurement->setup->team.threads;
    if (total.draws >= LEAST_BY_TIME && used + rest < rule->seconds)
        sample->census = true;
    if (!sample->census)
        sample->closed =
            (total.draws >= LEAST_BY_TIME && used + measurement->longest >= rule->seconds) ||
            (total.draws >= LEAST_BY_ERROR && total.error <= rule->error);
    const double left = sample->census && total.draws > 0 ? rest : rule->seconds - used,
                 by_time = left > 0 ? used / (used + left) : 1,
                 by_draws = sample->census ? 1 : (double)total.draws / (double)LEAST_BY_TIME;
    measurement->remaining = sample->closed || left <= 0 || by_draws < by_time ? -1 : left;
    measurement->share = fmax(measurement->share, fmin(fmin(by_time, by_draws), 0.99));
}

/* The observer of the run: decides whether to stop, and passes the progress on. */
static bool estimate_on_progress(const nq_progress *progress, void *context) {
    struct measurement *measurement = context;
    const nq_options *options = &measurement->setup->options;
    nq_progress reported = *progress;
#pragma omp critical(nqi_estimate)
    estimate_decide(measurement, nqi_seconds_now());
    if (options->progress != NULL) {
        reported.phase = "measuring";
        reported.threads = measurement->threads;
        reported.share = measurement->share;
        reported.remaining = measurement->remaining;
        measurement->stopped = !options->progress(&reported, options->progress_context);
    }
    return !measurement->stopped;
}

/* Measures units until the stopping rule is met, or all units if there is time for all.
 * started: when the call began. */
static nq_status estimate_take_sample(struct measurement *measurement, double started,
                                      struct estimate *estimate) {
    const struct setup *setup = measurement->setup;
    const struct partition *partition = setup->partition;
    const struct sink sink = {.put = estimate_put, .context = measurement};
    const struct source source = {.take = estimate_take_unit, .context = measurement};
    const struct run_options options = {
        .team = &setup->team,
        .sink = &sink,
        .source = &source,
        .observer = {estimate_on_progress, measurement, setup->options.progress_seconds},
        .started = started};
    struct totals totals;
    unsigned short seed[3];
    nqi_sample_seed(seed);
    const uint64_t units =
        partition->job.n <= BLOCKS_N ? (uint64_t)measurement->method->block_units : 1;
    if (!nqi_sample_begin(partition, units, erand48(seed), &measurement->sample))
        return NQ_NO_MEMORY;
    measurement->since = nqi_seconds_now();
    nq_status status = nqi_run_all(setup->solver, NULL, &options, &totals);
    if (status == NQ_OK && measurement->stopped)
        status = NQ_CANCELLED;
    const struct sample_total total = nqi_sample_total(&measurement->sample);
    estimate->thread_seconds = total.seconds;
    estimate->error = hypot(total.error, speed_varies);
    estimate->measuring_seconds = nqi_seconds_now() - measurement->since;
    estimate->units_measured = measurement->sample.measured;
    estimate->work = totals.work;
    estimate->work_name = partition->work;
    return status;
}

/* Lowers the number of threads to that of their PUs and to the CPU quota, because threads that
 * take turns on a PU spoil each other's caches, so that units take too long. Returns how many
 * of the threads can run at the same time. */
static double estimate_limit_threads(struct team *team) {
    int pus = team->pus > 0 ? team->pus : team->threads;
    if (team->quota > 0 && team->quota < pus)
        pus = (int)ceil(team->quota);
    if (team->threads > pus)
        team->threads = pus;
    return team->quota > 0 ? fmin(team->threads, team->quota) : team->threads;
}

/* Refuses a board whose units take too long to be measured, and measures any other. begun: when
 * the call began. */
static nq_status estimate_measure_board(struct measurement *measurement, double begun,
                                        struct estimate *estimate, struct failure *failure) {
    struct setup *setup = measurement->setup;
    const nq_job *job = &setup->partition->job;
    const struct method *method = measurement->method = nqi_method_by_name(job->method, NULL);
    if (job->n > method->max_estimated_n)
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "n = %d: units of method %s take minutes or more, so they are measured "
                        "only up to n = %d",
                        job->n, method->name, method->max_estimated_n);
    estimate->job = *job;
    estimate->kernel = setup->solver->kernel;
    estimate->threads = measurement->threads = setup->team.threads;
    estimate->on_devices = setup->solver->threads > 0;
    estimate->plan_seconds = nqi_seconds_now() - begun;
    estimate->cores = estimate_limit_threads(&setup->team);
    nq_status status = estimate_take_sample(measurement, begun, estimate);
    if (job->units > 0)
        estimate->unit_seconds = estimate->thread_seconds / (double)job->units;
    estimate->longest_unit_seconds = fmax(measurement->longest, estimate->unit_seconds);
    estimate->cpu_share =
        fmin(1, setup->team.threads / estimate->cores / estimate_slowdown(measurement));
    estimate->seconds = estimate->plan_seconds + estimate->thread_seconds / estimate->cores;
    return status;
}

nq_status nqi_estimate_count(int n, const nq_options *options, double budget,
                             struct estimate *estimate, struct failure *failure) {
    const double begun = nqi_seconds_now();
    struct setup setup;
    struct measurement measurement = {.setup = &setup, .rule = estimate_default_rule(n)};
    if (budget > 0)
        measurement.rule = (struct stopping_rule){.seconds = budget};
    *estimate = (struct estimate){.job.n = n};
    nq_status status = nqi_setup_make(n, options, &setup, failure);
    if (status == NQ_OK)
        status = estimate_measure_board(&measurement, begun, estimate, failure);
    nqi_sample_end(&measurement.sample);
    nqi_setup_free(&setup);
    return nqi_fail_for_n(status, n, failure);
}
