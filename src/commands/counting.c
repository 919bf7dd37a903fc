/* SPDX-License-Identifier: MIT */
/* Counts one board: calls the library, shows progress, and writes to stderr what there is to
 * say about the count. */
#include "commands/counting.h"

#include "cli/monitor.h"
#include "cli/number.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "core/failure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the exit code of a count that was stopped. */
static int stopped_code(const nq_options *options) {
    return options->ledger != NULL ? EXIT_SAVED : exit_code_of(NQ_CANCELLED);
}

/* What to say of a count that was stopped: how many units are done and, if this call did not
 * finish a unit, that a unit takes longer than the call ran. The user should know that, because
 * if the same call were repeated, it would not finish a unit either. */
struct early_end {
    uint64_t units, done; /* of the board or shard; 0 if the count had not begun */
    char no_unit[200];    /* empty if this call finished a unit */
};

static struct early_end counting_early_end(const struct monitor *monitor,
                                           const nq_result *result) {
    const uint64_t finished = result->units_done - result->units_recorded;
    const double solving = result->seconds - result->plan_seconds;
    /* The ledger of a shard may hold other shards, too. The monitor knows only the units of
     * this shard, and how many of them were recorded when the count began. */
    struct early_end end = {.units = monitor->reported ? monitor->units : result->units,
                            .done = monitor->units_done + finished};
    if (finished > 0)
        return end;
    text_add(end.no_unit, sizeof end.no_unit, " before %s",
             end.units > 0 ? "any unit was finished" : "the count began");
    if (solving > 0)
        text_add(end.no_unit, sizeof end.no_unit,
                 "; a unit takes more than %s here, and 'nqueens estimate' tells how long",
                 duration_text(solving).text);
    return end;
}

static int counting_say_end(const struct monitor *monitor, const nq_result *result,
                            const struct counting *how) {
    const nq_options *options = how->options;
    const struct early_end end = counting_early_end(monitor, result);
    const bool none = end.no_unit[0] != '\0';
    const int n = result->job.n;
    char saved[256] = "";
    if (options->ledger != NULL && end.units > 0)
        snprintf(saved, sizeof saved,
                 "; %" PRIu64 " of %" PRIu64 " units%s are saved in '%.100s'%s", end.done,
                 end.units, options->shards > 0 ? " of the shard" : "", options->ledger,
                 none ? "" : ", and the same command carries on");
    if (none || options->ledger != NULL)
        message("n = %d: %s%s%s", n, interruption(), end.no_unit, saved);
    else
        message("n = %d: %s after %" PRIu64 " of %" PRIu64 " units%s", n, interruption(),
                end.done, end.units,
                how->takes_ledger && options->board == NULL
                    ? "; --ledger FILE would have saved them"
                    : "");
    return stopped_code(options);
}

/* Lists the devices. Returns their number, or 0 if no device counted. */
static size_t counting_list_devices(const nq_result *result, nq_device *devices) {
    size_t count;
    return result->devices != 0 && nq_list_devices(devices, NQ_MAX_DEVICES, &count) == NQ_OK
               ? count
               : 0;
}

/* Appends the devices that counted, such as ", device 0 (NVIDIA H200)". */
static void counting_add_devices(const nq_result *result, char *text, size_t size) {
    nq_device devices[NQ_MAX_DEVICES];
    const size_t count = counting_list_devices(result, devices);
    for (size_t i = 0; i < count; i++)
        if (result->devices >> i & 1)
            text_add(text, size, ", device %zu (%s)", i, devices[i].name);
}

static void counting_say_time(const nq_result *r) {
    char planning[48] = "", threads[48] = "", devices[1000] = "";
    const bool counted = r->units_recorded == 0 || r->units_done > r->units_recorded;
    if (counted && r->plan_seconds >= 0.0005)
        snprintf(planning, sizeof planning, " (%.3f s to plan)", r->plan_seconds);
    if (counted)
        snprintf(threads, sizeof threads, ", %d thread%s (%d bound)", r->threads,
                 r->threads == 1 ? "" : "s", r->threads_bound);
    message("n = %d: %s%s%s%s, %s", r->job.n, duration_text(r->seconds).text,
            counted ? "" : " (no unit was left to count)", planning, threads,
            verdict_name(r->verdict));
    counting_add_devices(r, devices, sizeof devices);
    message("n = %d: method %s, kernel %s%s", r->job.n, r->job.method, r->kernel, devices);
    const double seconds = (counted ? r->seconds : 0) + r->seconds_recorded;
    if (r->work == UINT64_MAX)
        message("n = %d: %" PRIu64 " units, 2^64 - 1 or more %s", r->job.n, r->units,
                r->work_name);
    else if (r->work > 0 && seconds > 0)
        message("n = %d: %" PRIu64 " unit%s, %" PRIu64 " %s, %.3e %s/s", r->job.n, r->units,
                r->units == 1 ? "" : "s", r->work, r->work_name, (double)r->work / seconds,
                r->work_name);
    if (r->units_recorded > 0)
        message("n = %d: %" PRIu64 " of the units were recorded earlier, in %s", r->job.n,
                r->units_recorded, duration_text(r->seconds_recorded).text);
}

static void counting_say_warnings(const nq_options *options, const nq_result *result) {
    const bool saved = options->ledger != NULL;
    const uint64_t shard = (uint64_t)options->shard;
    char rest[256] = "; this is not the whole count";
    if (saved)
        snprintf(rest, sizeof rest, "; %" PRIu64 " of all %" PRIu64 " units are in '%.100s'",
                 result->units_done, result->units, options->ledger);
    if (!result->complete)
        /* With a ledger, `units` are those of the board, and a shard beyond their number is
         * empty. Without a ledger, they are those of the shard. */
        message("n = %d: shard %" PRIu64 " of %d is %s%s", result->job.n, shard,
                options->shards,
                (saved ? shard > result->units : result->units == 0)
                    ? "empty: there are fewer units than shards"
                    : "done",
                rest);
    else if (result->verdict == NQ_UNVERIFIED && options->board == NULL)
        message("n = %d: unverified, since totals are only known up to n = %d", result->job.n,
                NQ_MAX_KNOWN_N);
}

int counting_try_options(const nq_options *given_options) {
    nq_options options = *given_options;
    nq_result result = NQ_RESULT_INIT;
    options.ledger = NULL;
    const nq_status status = nq_count_solutions(0, &options, &result);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

int counting_count(const struct counting *how, int n, nq_result *result) {
    struct monitor monitor;
    const nq_options *options = how->options;
    const nq_status status =
        how->function(n, monitor_begin(&monitor, n, options, how->label), result);
    monitor_end(&monitor);
    if (status != NQ_OK)
        return status == NQ_CANCELLED ? counting_say_end(&monitor, result, how)
                                      : say_failure(status, NULL);
    const uint64_t units = monitor.reported ? monitor.units : result->units_done;
    monitor_done(&monitor, &(nq_progress){.job = &result->job,
                                          .units = units,
                                          .units_done = units,
                                          .work_name = result->work_name,
                                          .work = result->work,
                                          .seconds = result->seconds});
    if (!given.quiet)
        counting_say_warnings(options, result);
    if (given.time)
        counting_say_time(result);
    return EXIT_DONE;
}

static bool classes_go_on(const nq_progress *progress, void *context) {
    (void)progress, (void)context;
    return signals_caught() == 0;
}

static int classes_say_stopped(const nq_options *options, const nq_result *result) {
    char saved[192] = "";
    if (options->ledger != NULL)
        snprintf(saved, sizeof saved,
                 "; all units are saved in '%.100s', and the same command carries on",
                 options->ledger);
    message("n = %d: %s while the classes of %" PRIu64 " solutions were counted%s",
            result->job.n, interruption(), result->solutions, saved);
    return stopped_code(options);
}

int counting_count_classes(const struct counting *how, int n, nq_result *result,
                           nq_classes *classes) {
    *classes = (nq_classes){0};
    int code = counting_count(how, n, result);
    if (code != EXIT_DONE || !result->complete)
        return code;
    nq_options stoppable = NQ_OPTIONS_INIT;
    stoppable.progress = classes_go_on;
    const nq_status status = nq_count_classes(n, result->solutions, &stoppable, classes);
    if (status == NQ_CANCELLED)
        return classes_say_stopped(how->options, result);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, NULL);
}

const char *verdict_name(nq_verdict verdict) {
    static const char *const names[] = {
        [NQ_UNVERIFIED] = "unverified", [NQ_VERIFIED] = "verified", [NQ_WRONG] = "wrong"};
    return names[verdict];
}

void result_add_devices(struct report *report, const nq_result *result) {
    nq_device devices[NQ_MAX_DEVICES];
    const size_t count = counting_list_devices(result, devices);
    struct report *list = count > 0 ? report_list(report, "devices") : NULL;
    for (size_t i = 0; i < count; i++)
        if (result->devices >> i & 1) {
            struct report *device = report_object(list, NULL);
            report_number(device, "number", (int64_t)i);
            report_text(device, "name", devices[i].name);
        }
}

void machine_add_topology(struct report *report, const nq_machine *machine) {
    struct report *topology = report_object(report, "topology");
    report_number(topology, "packages", machine->packages);
    report_number(topology, "last_level_caches", machine->caches);
    report_number(topology, "cores", machine->cores);
    report_number(topology, "pus", machine->pus);
}

struct report *result_report(const nq_options *options, const nq_result *r,
                             const nq_classes *classes) {
    const bool wrong_classes = classes != NULL && classes->verdict == NQ_WRONG;
    struct report *report = report_new();
    report_number(report, "n", r->job.n);
    report_count(report, "solutions", r->solutions);
    report_flag(report, "complete", r->complete);
    report_text(report, "verdict", verdict_name(wrong_classes ? NQ_WRONG : r->verdict));
    report_text(report, "method", r->job.method);
    report_text(report, "kernel", r->kernel);
    report_count(report, r->work_name, r->work);
    report_count(report, "units", r->units);
    report_count(report, "units_done", r->units_done);
    report_number(report, "threads", r->threads);
    report_number(report, "threads_bound", r->threads_bound);
    report_seconds(report, "seconds", r->seconds);
    report_seconds(report, "plan_seconds", r->plan_seconds);
    report_text(report, "version", nq_version());
    if (classes != NULL) {
        report_count(report, "fundamental", classes->fundamental);
        report_count(report, "half_turn", classes->half_turn);
        report_count(report, "quarter_turn", classes->quarter_turn);
    }
    if (options->shards != 0) {
        report_number(report, "shard", options->shard);
        report_number(report, "shards", options->shards);
    }
    if (options->ledger != NULL) {
        report_count(report, "units_recorded", r->units_recorded);
        report_seconds(report, "seconds_recorded", r->seconds_recorded);
    }
    result_add_devices(report, r);
    return report;
}
