/* SPDX-License-Identifier: MIT */
#include "cli/counting.h"

#include "cli/message.h"
#include "cli/monitor.h"
#include "cli/output.h"
#include "cli/quantity.h"
#include "cli/say_failure.h"
#include "library/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the same call with --ledger FILE is accepted: a `count` of one N. */
static bool can_have_ledger(const struct call *call) {
    return call->command == COMMAND_count && call->argument_count == 1 &&
           strcmp(call->arguments[0], "-") != 0 && strstr(call->arguments[0], "..") == NULL;
}

static int say_count_failure(const struct call *call, nq_status status,
                             const nq_result *result) {
    if (status != NQ_CANCELLED)
        return say_options_failure(call, status);
    if (call->options.ledger != NULL) {
        message("n = %d: interrupted; %" PRIu64 " of %" PRIu64
                " units are saved in '%.100s', and the same command carries on",
                result->job.n, result->units_done, result->units, call->options.ledger);
        return EXIT_SAVED;
    }
    message("n = %d: interrupted after %" PRIu64 " of %" PRIu64 " units%s", result->job.n,
            result->units_done, result->units,
            can_have_ledger(call) ? "; --ledger FILE would have kept them" : "");
    return exit_code_of(status);
}

static void say_time(const nq_result *r) {
    char time[32], planning[48] = "", threads[48] = "", depth[24] = "";
    duration_text(r->seconds, time, sizeof time);
    if (r->plan_seconds >= 0.0005)
        snprintf(planning, sizeof planning, " (%.3f s to plan)", r->plan_seconds);
    if (r->job.depth > 0)
        snprintf(depth, sizeof depth, ", depth %d", r->job.depth);
    if (r->threads > 0) /* none, if the ledger held all units */
        snprintf(threads, sizeof threads, ", %d thread%s (%d bound)", r->threads,
                 r->threads == 1 ? "" : "s", r->threads_bound);
    message("n = %d: %s%s%s, %s", r->job.n, time, planning, threads,
            r->verdict == NQ_VERIFIED ? "verified" : "unverified");
    message("n = %d: method %s, plan %s%s, kernel %s", r->job.n, r->job.method, r->job.plan,
            depth, r->kernel);
    double seconds = r->seconds + r->seconds_recorded;
    if (r->work == UINT64_MAX)
        message("n = %d: %" PRIu64 " units, 2^64 - 1 or more %s", r->job.n, r->units,
                r->work_name);
    else if (r->work > 0 && seconds > 0)
        message("n = %d: %" PRIu64 " units, %" PRIu64 " %s, %.3e %s/s", r->job.n, r->units,
                r->work, r->work_name, (double)r->work / seconds, r->work_name);
    if (r->units_recorded > 0) {
        duration_text(r->seconds_recorded, time, sizeof time);
        message("n = %d: %" PRIu64 " of the units were recorded before, in %s", r->job.n,
                r->units_recorded, time);
    }
}

static void say_warnings(const struct call *call, const nq_result *result) {
    const nq_options *options = &call->options;
    if (!result->complete && options->ledger != NULL)
        message(
            "n = %d: part %d of %d is %s; %" PRIu64 " of all %" PRIu64 " units are in '%.100s'",
            result->job.n, options->shard, options->shards,
            (uint64_t)options->shard > result->units ? "empty: there are fewer units than parts"
                                                     : "done",
            result->units_done, result->units, options->ledger);
    else if (!result->complete && result->units == 0)
        message("n = %d: part %d of %d is empty: there are fewer units than parts",
                result->job.n, options->shard, options->shards);
    else if (!result->complete)
        message("n = %d: this is part %d of %d, not the whole count", result->job.n,
                options->shard, options->shards);
    else if (result->verdict == NQ_UNVERIFIED && options->board == NULL)
        message("n = %d: unverified: totals are published up to n = %d", result->job.n,
                NQ_MAX_KNOWN_N);
}

int try_options(const struct call *call) {
    nq_status status = nqi_setup_try(&call->options);
    return status == NQ_OK ? EXIT_DONE : say_options_failure(call, status);
}

/* Says, once, that OpenMP started fewer threads than a count was to have. */
static void say_fewer(int threads, const nq_result *result) {
    static bool said;
    if (said || result->threads == 0 || result->threads >= threads)
        return;
    message("%d threads were asked for, but OpenMP started %d%s", threads, result->threads,
            getenv("OMP_THREAD_LIMIT") != NULL ? ": see OMP_THREAD_LIMIT" : "");
    said = true;
}

int count_one(const struct call *call, int n, nq_result *result) {
    struct monitor monitor;
    const nq_options *options = monitor_begin(&monitor, call);
    if (n >= LARGE_N || call->run != NULL)
        monitor_say(&monitor, n, n >= LARGE_N ? "planning" : "counting");
    nq_status status = call->count_function(n, options, result);
    monitor_end(&monitor);
    if (status != NQ_OK)
        return say_count_failure(call, status, result);
    monitor_done(&monitor, n);
    if (!call->quiet) {
        say_fewer(monitor.threads, result);
        say_warnings(call, result);
    }
    if (call->time)
        say_time(result);
    return EXIT_DONE;
}

int count_classes(const struct call *call, int n, nq_result *result, nq_classes *classes) {
    *classes = (nq_classes){0};
    int code = count_one(call, n, result);
    if (code != EXIT_DONE || !result->complete)
        return code;
    nq_status status = nq_count_classes(n, result->solutions, classes);
    return status == NQ_OK ? EXIT_DONE : say_failure(status);
}

/* Adds the members that only some counts have. */
static void add_optional_members(json_t *object, const struct call *call, const nq_result *r,
                                 const nq_classes *classes) {
    if (classes != NULL) {
        json_add_member(object, "fundamental", json_count(classes->fundamental));
        json_add_member(object, "half_turn", json_count(classes->half_turn));
        json_add_member(object, "quarter_turn", json_count(classes->quarter_turn));
    }
    if (call->options.shards != 0) {
        json_add_member(object, "shard", json_integer(call->options.shard));
        json_add_member(object, "shards", json_integer(call->options.shards));
    }
    if (call->options.ledger != NULL) {
        json_add_member(object, "units_recorded", json_count(r->units_recorded));
        json_add_member(object, "seconds_recorded", json_real(r->seconds_recorded));
    }
}

json_t *json_result(const struct call *call, const nq_result *r, const nq_classes *classes) {
    bool wrong_classes = classes != NULL && classes->verdict == NQ_WRONG;
    nq_verdict verdict = wrong_classes ? NQ_WRONG : r->verdict;
    json_t *object = json_pack(
        "{s:i, s:o, s:b, s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:i, s:i, s:f, s:f, "
        "s:s}",
        "n", r->job.n, "solutions", json_count(r->solutions), "complete", r->complete,
        "verdict", verdict_name(verdict), "method", r->job.method, "plan", r->job.plan, "depth",
        r->job.depth, "kernel", r->kernel, r->work_name, json_count(r->work), "units",
        json_count(r->units), "units_done", json_count(r->units_done), "threads", r->threads,
        "threads_bound", r->threads_bound, "seconds", r->seconds, "plan_seconds",
        r->plan_seconds, "version", nq_version());
    add_optional_members(object, call, r, classes);
    return object;
}
