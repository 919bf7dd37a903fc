#include "cli/counting.h"

#include "cli/failure.h"
#include "cli/message.h"
#include "cli/monitor.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether the same call with --ledger FILE is accepted: a `count` of one N. */
static bool can_have_ledger(const struct call *call) {
    return call->command == COMMAND_count && call->argument_count == 1 &&
           strcmp(call->arguments[0], "-") != 0;
}

static int say_count_failure(const struct call *call, nq_status status,
                             const nq_result *result) {
    if (status != NQ_CANCELLED)
        return say_failure(status, result->detail);
    if (call->options.ledger != NULL) {
        message("n = %d: interrupted; %" PRIu64 " of %" PRIu64
                " units are saved in '%.100s', and the same command carries on",
                result->n, result->units_done, result->units, call->options.ledger);
        return EXIT_SAVED;
    }
    message("n = %d: interrupted after %" PRIu64 " of %" PRIu64 " units%s", result->n,
            result->units_done, result->units,
            can_have_ledger(call) ? "; --ledger FILE would have kept them" : "");
    return exit_code_of(status);
}

static void say_time(const nq_result *r) {
    char duration[32], before[96] = "";
    duration_text(r->seconds_recorded, duration, sizeof duration);
    if (r->units_recorded > 0)
        snprintf(before, sizeof before, ", %" PRIu64 " units recorded before in %s",
                 r->units_recorded, duration);
    duration_text(r->seconds, duration, sizeof duration);
    message(
        "n = %d: %s (%.3f s to plan), %d thread%s (%d bound), method %s, plan %s, depth %d, "
        "kernel %s, %" PRIu64 " units, %" PRIu64 " %s, %.3e %s/s%s, %s",
        r->n, duration, r->plan_seconds, r->threads, r->threads == 1 ? "" : "s",
        r->threads_bound, r->method, r->plan, r->depth, r->kernel, r->units, r->work,
        r->work_name, r->seconds > 0 ? (double)r->work / (r->seconds + r->seconds_recorded) : 0,
        r->work_name, before, r->verdict == NQ_VERIFIED ? "verified" : "unverified");
}

static void say_warnings(const struct call *call, const nq_result *result) {
    const nq_options *options = &call->options;
    if (!result->complete && options->ledger != NULL)
        message("n = %d: part %d of %d is done; %" PRIu64 " of all %" PRIu64
                " units are in '%.100s'",
                result->n, options->shard, options->shards, result->units_done, result->units,
                options->ledger);
    else if (!result->complete)
        message("n = %d: this is part %d of %d, not the whole count", result->n, options->shard,
                options->shards);
    else if (result->verdict == NQ_UNVERIFIED)
        message("n = %d: unverified: totals are published up to n = %d", result->n,
                NQ_MAX_KNOWN_N);
}

int try_options(const struct call *call) {
    char detail[sizeof((nq_result *)0)->detail];
    nq_status status = nq_choose(0, &call->options, NULL, detail, sizeof detail);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, detail);
}

/* Says how much memory a large count will take. */
static void say_memory(const struct call *call, int n) {
    enum { LARGE_N = 21 }; /* smaller ones take less than 200 MB */
    nq_choice choice;
    bool as_in_ledger = call->options.ledger != NULL && call->options.method == NULL;
    if (n < LARGE_N || call->quiet || as_in_ledger ||
        nq_choose(n, &call->options, &choice, NULL, 0) != NQ_OK || choice.memory == 0)
        return;
    message("n = %d: tables take %.2f GB of memory (--memory sets a limit)", n,
            (double)choice.memory * 1e-9);
}

int count_one(const struct call *call, int n, nq_result *result) {
    say_memory(call, n);
    struct monitor monitor;
    nq_status status = call->count_function(n, monitor_begin(&monitor, call), result);
    monitor_end(&monitor);
    if (status != NQ_OK)
        return say_count_failure(call, status, result);
    if (!call->quiet)
        say_warnings(call, result);
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
    return status == NQ_OK ? EXIT_DONE : say_failure(status, classes->detail);
}

/* Adds the members that only some counts have. */
static json_t *add_optional_members(json_t *object, const struct call *call, const nq_result *r,
                                    const nq_classes *classes) {
    int failed = 0;
    if (classes != NULL) {
        failed |= json_object_set_new(object, "fundamental", json_count(classes->fundamental));
        failed |= json_object_set_new(object, "half_turn", json_count(classes->half_turn));
        failed |=
            json_object_set_new(object, "quarter_turn", json_count(classes->quarter_turn));
    }
    if (call->options.shards != 0) {
        failed |= json_object_set_new(object, "shard", json_integer(call->options.shard));
        failed |= json_object_set_new(object, "shards", json_integer(call->options.shards));
    }
    if (call->options.ledger != NULL) {
        failed |= json_object_set_new(object, "units_recorded", json_count(r->units_recorded));
        failed |=
            json_object_set_new(object, "seconds_recorded", json_real(r->seconds_recorded));
    }
    if (failed == 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *json_result(const struct call *call, const nq_result *r, const nq_classes *classes) {
    bool wrong_classes = classes != NULL && classes->verdict == NQ_WRONG;
    nq_verdict verdict = wrong_classes ? NQ_WRONG : r->verdict;
    json_t *object =
        json_pack("{s:i, s:o, s:b, s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:i, s:i, s:f, s:f, "
                  "s:s}",
                  "n", r->n, "solutions", json_count(r->solutions), "complete", r->complete,
                  "verdict", verdict_name(verdict), "method", r->method, "plan", r->plan,
                  "depth", r->depth, "kernel", r->kernel, r->work_name, json_count(r->work),
                  "units", json_count(r->units), "units_done", json_count(r->units_done),
                  "threads", r->threads, "threads_bound", r->threads_bound, "seconds",
                  r->seconds, "plan_seconds", r->plan_seconds, "version", nq_version());
    return add_optional_members(object, call, r, classes);
}
