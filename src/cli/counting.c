#include "cli/counting.h"

#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool on_progress(const nq_progress *progress, void *context) {
    progress_show(context, progress);
    return signals_caught() == 0;
}

static int say_count_failure(nq_status status, const nq_result *result) {
    if (status != NQ_CANCELLED)
        return say_failure(status, result->detail);
    message("n = %d: interrupted after %" PRIu64 " of %" PRIu64 " units; nothing is kept",
            result->n, result->units_done, result->units);
    return exit_code_of(status);
}

static void say_time(const nq_result *r) {
    char duration[32];
    duration_text(r->seconds, duration, sizeof duration);
    message(
        "n = %d: %s (%.3f s to plan), %d thread%s (%d bound), method %s, plan %s, depth %d, "
        "kernel %s, %" PRIu64 " units, %" PRIu64 " nodes, %.3e nodes/s, %s",
        r->n, duration, r->plan_seconds, r->threads, r->threads == 1 ? "" : "s",
        r->threads_bound, r->method, r->plan, r->depth, r->kernel, r->units, r->nodes,
        r->seconds > 0 ? (double)r->nodes / r->seconds : 0,
        r->verdict == NQ_VERIFIED ? "verified" : "unverified");
}

static void say_warnings(const nq_result *result) {
    if (result->verdict == NQ_UNVERIFIED)
        message("n = %d: unverified: totals are published up to n = %d", result->n,
                NQ_MAX_KNOWN_N);
}

int check_options(const struct call *call) {
    char detail[sizeof((nq_result *)0)->detail];
    nq_status status = nq_check(0, &call->options, detail, sizeof detail);
    return status == NQ_OK ? EXIT_DONE : say_failure(status, detail);
}

/* OpenMP ends the program, with exit code 1, when the system refuses it a thread. That code is
 * kept for wrong counts. */
static volatile bool under_way;

static void on_exit_under_way(void) {
    if (under_way)
        _exit(EXIT_SYSTEM);
}

static nq_status guarded_count(int n, const nq_options *options, nq_result *result) {
    static bool registered;
    registered = registered || atexit(on_exit_under_way) == 0;
    under_way = true;
    nq_status status = nq_count(n, options, result);
    under_way = false;
    return status;
}

int count_one(const struct call *call, int n, nq_result *result) {
    struct progress_view view;
    progress_begin(&view, call);
    nq_options options = call->options;
    options.progress = on_progress;
    options.progress_context = &view;
    options.progress_seconds = 0.05;
    nq_status status = guarded_count(n, &options, result);
    progress_end(&view);
    if (status != NQ_OK)
        return say_count_failure(status, result);
    if (!call->quiet)
        say_warnings(result);
    if (call->time)
        say_time(result);
    return EXIT_DONE;
}

json_t *json_result(const nq_result *r) {
    static const char *const verdicts[] = {
        [NQ_UNVERIFIED] = "unverified", [NQ_VERIFIED] = "verified", [NQ_WRONG] = "wrong"};
    return json_pack("{s:i, s:o, s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:i, s:i, s:f, s:f, s:s}",
                     "n", r->n, "solutions", json_count(r->solutions), "verdict",
                     verdicts[r->verdict], "method", r->method, "plan", r->plan, "depth",
                     r->depth, "kernel", r->kernel, "nodes", json_count(r->nodes), "units",
                     json_count(r->units), "threads", r->threads, "threads_bound",
                     r->threads_bound, "seconds", r->seconds, "plan_seconds", r->plan_seconds,
                     "version", nq_version());
}
