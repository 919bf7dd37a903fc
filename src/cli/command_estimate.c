/* SPDX-License-Identifier: MIT */
/* `nqueens estimate N`: the time that a count would take here. */
#include "cli/monitor.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "engine/methods.h"
#include "measure/measure.h"

#include <math.h>

/* Seconds that a part for a cluster takes with these threads: long against a job's start, short
 * against its time limit. */
static const double part_seconds = 3600;

/* The number of such parts; at most one per unit. */
static uint64_t estimate_parts_of(const struct estimate *e) {
    double parts = ceil(e->seconds / part_seconds);
    double most = fmin(NQ_MAX_SHARDS, (double)e->job.units);
    return (uint64_t)fmax(1, fmin(parts, most));
}

/* Bytes that a thread takes at most; 0: little, or on devices. */
static uint64_t estimate_thread_bytes(const struct estimate *e) {
    return e->on_devices ? 0 : nqi_memory_of_thread(e->job.method, e->job.n);
}

/* Warns if the threads waited for CPU time. Shorter measurements decide nothing, and a moment's
 * wait is much of them. */
static json_t *estimate_warnings(const struct estimate *e) {
    static const double long_enough = 0.1, busy = 0.9; /* seconds; share */
    json_t *warnings = json_array();
    if (e->calibration_seconds >= long_enough && e->cpu_share < busy)
        json_array_append_new(
            warnings,
            json_sprintf("the threads had %.0f %% of the CPU time that %.3g free PU%s "
                         "would have given them: " OTHERS_RUN,
                         100 * e->cpu_share, e->cores, e->cores > 1 ? "s" : ""));
    return warnings;
}

static json_t *estimate_document(const struct estimate *e) {
    return json_pack(
        "{s:i, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:o, s:f, "
        "s:o, s:I, s:s, s:o}",
        "n", e->job.n, "method", e->job.method, "kernel", e->kernel, "threads", e->threads,
        "cores", e->cores, "seconds", e->seconds, "thread_seconds", e->thread_seconds,
        "cpu_share", e->cpu_share, "error", e->error, "units", json_count(e->job.units),
        "unit_seconds", e->unit_seconds, "longest_unit_seconds", e->longest_unit_seconds,
        "plan_seconds", e->plan_seconds, "units_measured", json_count(e->units_measured),
        "calibration_seconds", e->calibration_seconds, "parts",
        json_count(estimate_parts_of(e)), "thread_bytes", (json_int_t)estimate_thread_bytes(e),
        "version", nq_version(), "warnings", estimate_warnings(e));
}

int run_estimate(const struct call *call) {
    int n, code = read_n(call, 0, NQ_MAX_N, &n);
    if (code != EXIT_DONE)
        return code;
    signals_catch();
    struct monitor monitor;
    struct estimate estimate;
    struct failure failure = {0};
    const nq_options *options = monitor_begin(&monitor, call, n);
    const nq_status status =
        nqi_estimate_count(n, options, (int)call->number[OPTION_seconds], &estimate, &failure);
    monitor_end(&monitor);
    if (status == NQ_CANCELLED && signals_caught() != 0)
        return say_interrupted();
    if (status != NQ_OK)
        return say_options_failure(call, status, &failure);
    monitor_done(&monitor, &(nq_progress){.job = &estimate.job,
                                          .units = estimate.job.units,
                                          .units_done = estimate.units_measured,
                                          .work_name = estimate.work_name,
                                          .work = estimate.work,
                                          .seconds = estimate.plan_seconds +
                                                     estimate.calibration_seconds});
    return output_document(estimate_document(&estimate), is_given(call, OPTION_json));
}
