/* SPDX-License-Identifier: MIT */
/* Implements `nqueens estimate N`, which estimates how long a count would take here. */
#include "cli/monitor.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "commands/input.h"
#include "measure/measure.h"
#include "methods/methods.h"

#include <math.h>

static double measuring_seconds; /* 0 if --for is not given */

/* Seconds that a shard should take on a node of a cluster that is as fast as this machine: much
 * longer than a job takes to start, and much shorter than a job may take. */
static const double shard_seconds = 3600;

/* Returns the number of such shards. There are never more than units. */
static uint64_t estimate_shards(const struct estimate *e) {
    double shards = ceil(e->seconds / shard_seconds);
    double most = fmin(NQ_MAX_SHARDS, (double)e->job.units);
    return (uint64_t)fmax(1, fmin(shards, most));
}

/* Warns, in JSON or on stderr, if the threads had to wait for CPU time. A short measurement
 * is not judged, because even a moment's wait is a large part of it. */
static void estimate_add_warnings(struct report *report, const struct estimate *e) {
    static const double long_enough = 0.1, busy = 0.9; /* long_enough: seconds; busy: share */
    struct report *warnings = given.json ? report_list(report, "warnings") : NULL;
    char text[160];
    if (e->measuring_seconds < long_enough || e->cpu_share >= busy)
        return;
    snprintf(text, sizeof text,
             "the threads had %.0f %% of the CPU time that %.3g free PU%s would have given "
             "them: " OTHERS_RUN,
             100 * e->cpu_share, e->cores, e->cores > 1 ? "s" : "");
    if (warnings != NULL)
        report_text(warnings, NULL, text);
    else if (!given.quiet)
        message("warning: %s", text);
}

/* Adds the time of the count and its error, for people as "5 d 6 h (4 d 21 h to 5 d 15 h, 95
 * %)". */
static void estimate_add_time(struct report *report, const struct estimate *e) {
    if (given.json)
        report_seconds(report, "seconds", e->seconds);
    else
        report_words(report, "time", "%s (%s to %s, 95 %%)", duration_text(e->seconds).text,
                     duration_text(e->seconds * (1 - e->error)).text,
                     duration_text(e->seconds * (1 + e->error)).text);
}

static struct report *estimate_report(const struct estimate *e) {
    struct report *report = report_new();
    report_number(report, "n", e->job.n);
    report_text(report, "method", e->job.method);
    report_text(report, "kernel", e->kernel);
    report_number(report, "threads", e->threads);
    report_real(report, "cores", e->cores);
    estimate_add_time(report, e);
    report_seconds(report, "thread_seconds", e->thread_seconds);
    report_share(report, "cpu_share", e->cpu_share);
    if (given.json)
        report_share(report, "error", e->error);
    report_count(report, "units", e->job.units);
    report_seconds(report, "unit_seconds", e->unit_seconds);
    report_seconds(report, "longest_unit_seconds", e->longest_unit_seconds);
    report_seconds(report, "plan_seconds", e->plan_seconds);
    report_count(report, "units_measured", e->units_measured);
    report_seconds(report, "calibration_seconds", e->measuring_seconds);
    report_count(report, "shards", estimate_shards(e));
    report_bytes(report, "thread_bytes",
                 e->on_devices ? 0 : nqi_memory_of_thread(e->job.method, e->job.n));
    report_text(report, "version", nq_version());
    estimate_add_warnings(report, e);
    return report;
}

static int estimate_run(int count, char **arguments) {
    int n, code = read_n("estimate", count, arguments, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    signals_catch();
    struct monitor monitor;
    struct estimate estimate;
    struct failure failure = {0};
    const nq_options *options = monitor_begin(&monitor, n, &given.count, NULL);
    const nq_status status =
        nqi_estimate_count(n, options, measuring_seconds, &estimate, &failure);
    monitor_end(&monitor);
    if (status == NQ_CANCELLED && signals_caught() != 0)
        return say_interrupted();
    if (status != NQ_OK)
        return say_failure(status, &failure);
    monitor_done(&monitor,
                 &(nq_progress){.job = &estimate.job,
                                .units = estimate.job.units,
                                .units_done = estimate.units_measured,
                                .work_name = estimate.work_name,
                                .work = estimate.work,
                                .seconds = estimate.plan_seconds + estimate.measuring_seconds});
    return report_print(estimate_report(&estimate), given.json);
}

static bool read_measuring_time(const char *value) {
    return read_time(value, 1, &measuring_seconds);
}

static const struct option_spec option_measure_for = OPTION(
    0, "for", "TIME",
    "measure for TIME, such as 90 (seconds) or 2m (default: 10 s, longer from N = 25 on)",
    .expected = TIME_EXPECTED("seconds"), .read = read_measuring_time);

static const struct option_spec option_seconds =
    OPTION(0, "seconds", "TIME", "another name for --for", .expected = TIME_EXPECTED("seconds"),
           .read = read_measuring_time, .conflicts = "for");

const struct command command_estimate = {
    .name = "estimate",
    .arguments = "N",
    .heading = "Measuring",
    .help = "estimate the time that a count takes here",
    .about =
        "Estimates the time that 'nqueens count N' with the same options would take here, "
        "from a random sample of the units of work. The time is given with a 95 % confidence "
        "interval, for a count that has its PUs to itself.",
    .argument = {{"N", "size of the board, 0 to 28"}},
    .example = {{"nqueens estimate 22", "the time of a long count, before it starts"},
                {"nqueens estimate 24 --for 60", "a larger sample"}},
    .options = {&option_threads, &option_device, &option_measure_for, &option_seconds,
                &option_progress, &option_quiet, &option_json, &option_method, &option_kernel,
                &option_bind, &option_smt},
    .run = RUN(estimate_run)};
