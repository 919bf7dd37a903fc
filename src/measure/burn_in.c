/* SPDX-License-Identifier: MIT */
/* Burns in a machine: counts boards whose totals are known, again and again, to find out
 * whether it counts right.
 *
 * A wrong total shows that a machine is faulty, but not which of its cores. So the first
 * count of a board keeps the result of each unit and the PU that solved it. If a unit of a
 * later count has another result, the PUs of the two results are suspects. */
#include "measure/measure.h"

#include "core/known.h"
#include "core/text.h"
#include "machine/clock.h"
#include "machine/team.h"
#include "methods/methods.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A unit's result and its origin. */
struct traced {
    struct unit_result result;
    const char *kernel; /* NULL if there is no result yet */
    int pu;             /* the operating system's number of the PU; -1 for a device */
};

struct burn_in_state {
    const struct burn_in_request *request;
    struct burn_in *out;
    const nq_options *options;
    struct team team;
    double started;
    bool stopped; /* the callback asked to stop */
    /* The results with which later counts are compared: references[n][method][unit], or NULL
     * where there are none yet. */
    struct traced *references[NQ_MAX_KNOWN_N + 1][METHODS];
    /* The count under way. */
    int n;
    struct solver *solver;
    struct traced *units; /* the references for this method and n */
    uint64_t differences; /* units whose result differs from the reference */
    /* The PUs that counted the units that differ: now, and for the references. */
    struct pus of_results, of_references;
};

static bool burn_in_is_over(const struct burn_in_state *b) {
    return b->stopped || nqi_seconds_now() - b->started >= b->request->seconds;
}

/* Shows the progress of a count as that of the whole burn-in. Returns whether to go on. */
static bool burn_in_show(const struct burn_in_state *b, const nq_progress *progress) {
    const nq_options *options = b->options;
    const double seconds = nqi_seconds_now() - b->started;
    nq_progress shown = *progress;
    char phase[80];
    if (options->progress == NULL)
        return true;
    if (strcmp(progress->phase, "counting") == 0) { /* any other phase prepares devices */
        snprintf(phase, sizeof phase, "%s by %s", progress->job->method, progress->kernel);
        shown.phase = phase;
    }
    shown.seconds = seconds;
    shown.share = fmin(1, seconds / b->request->seconds);
    shown.remaining = fmax(0, b->request->seconds - seconds);
    return options->progress(&shown, options->progress_context);
}

/* The observer of each count; also called between two counts, with NULL. Returns whether to go
 * on. The callback gets a copy of what was found so far, since other threads go on comparing
 * units. */
static bool burn_in_report(const nq_progress *progress, void *context) {
    struct burn_in_state *b = context;
    struct burn_in so_far;
#pragma omp critical(nqi_burn_in)
    so_far = *b->out;
    so_far.seconds = nqi_seconds_now() - b->started;
    so_far.counting = so_far.counts_done > 0 || (progress != NULL && progress->work > 0);
    b->stopped = b->stopped || !b->request->report(b->request->context, &so_far) ||
                 (progress != NULL && !burn_in_show(b, progress));
    return !burn_in_is_over(b);
}

static void pus_add(struct pus *pus, int pu) {
    for (int i = 0; i < pus->count; i++)
        if (pus->pu[i] == pu)
            return;
    if (pu >= 0 && pus->count < MAX_PUS)
        pus->pu[pus->count++] = pu;
}

static void pus_add_all(struct pus *pus, const struct pus *added) {
    for (int i = 0; i < added->count; i++)
        pus_add(pus, added->pu[i]);
}

/* Returns a text such as "kernel avx2 on PU 3". */
static struct origin { char text[64]; } traced_origin(const struct traced *traced) {
    struct origin origin;
    if (traced->pu >= 0)
        snprintf(origin.text, sizeof origin.text, "kernel %s on PU %d", traced->kernel,
                 traced->pu);
    else
        snprintf(origin.text, sizeof origin.text, "kernel %s", traced->kernel);
    return origin;
}

static void burn_in_describe_difference(struct burn_in_state *b, uint64_t unit,
                                        const struct traced *result,
                                        const struct traced *reference) {
    snprintf(b->out->first_failure, sizeof b->out->first_failure,
             "n = %d, method %s, unit %" PRIu64 ": %s counts %" PRIu64 " solutions, %" PRIu64
             " %s; before, %s counted %" PRIu64 " solutions, %" PRIu64 " %s",
             b->n, b->solver->partition->job.method, unit, traced_origin(result).text,
             result->result.solutions, result->result.work, b->solver->partition->work,
             traced_origin(reference).text, reference->result.solutions, reference->result.work,
             b->solver->partition->work);
}

/* The sink of the counts: keeps a unit's first result, and compares a later one with it. */
static nq_status burn_in_put(void *context, const struct solved *solved) {
    struct burn_in_state *b = context;
    /* If a device counts, the PU is that of a thread that only serves the device, so the PU
     * cannot be at fault. */
    const int pu = b->solver->devices == 0 ? sched_getcpu() : -1;
    const struct traced result = {solved->result, b->solver->kernel, pu};
    struct traced *reference = &b->units[solved->unit];
    if (reference->kernel == NULL) {
        *reference = result;
        return NQ_OK;
    }
    const bool equal = results_agree(reference->result, result.result);
#pragma omp critical(nqi_burn_in)
    {
        b->out->units_compared++;
        if (!equal && b->differences++ == 0 && b->out->first_failure[0] == '\0')
            burn_in_describe_difference(b, solved->unit, &result, reference);
        if (!equal) {
            pus_add(&b->of_results, result.pu);
            pus_add(&b->of_references, reference->pu);
        }
    }
    return NQ_OK;
}

/* Suspects the PUs of the count whose total is wrong. If both totals are wrong, or both right
 * (because only the work differs), nothing tells which count is at fault, so the PUs of both
 * are suspects. */
static void burn_in_suspect(struct burn_in_state *b, bool reference_right, bool result_right) {
    if (reference_right || !result_right)
        pus_add_all(&b->out->suspects, &b->of_results);
    if (result_right || !reference_right)
        pus_add_all(&b->out->suspects, &b->of_references);
}

/* Counts b->n. Compares the total with the known one, and the units with those of an earlier
 * count, if there is one.
 *
 * reference_right: the total of that earlier count was right. *right: receives whether all that
 * was compared agreed. Returns NQ_OK, even if the count was wrong; NQ_CANCELLED if the burn-in
 * is over; or another status of nqi_run_all. */
static nq_status burn_in_count(struct burn_in_state *b, const struct run_options *options,
                               bool reference_right, bool *right, struct failure *failure) {
    struct totals totals;
    nq_verdict verdict = NQ_UNVERIFIED;
    b->differences = 0;
    b->of_results.count = b->of_references.count = 0;
    nq_status status = nqi_run_all(b->solver, NULL, options, &totals);
    if (status == NQ_OK)
        verdict = nqi_known_verdict(b->n, totals.solutions, "counted", failure);
    burn_in_suspect(b, reference_right, verdict == NQ_VERIFIED);
    *right = b->differences == 0 && (status == NQ_CANCELLED || verdict == NQ_VERIFIED);
    /* A sound machine never gets here. The count is wrong, so the burn-in notes that and goes
     * on. */
    if (status == NQ_OVERFLOW || status == NQ_LOST_UNIT) {
        nqi_fail(failure, status, "n = %d: %s", b->n, nq_status_text(status));
        status = NQ_OK;
    }
    return status;
}

/* Counts b->n with one kernel of a method.
 *
 * The first count of a board by a method keeps the results of its units, with which later
 * counts are compared. If its total is wrong, a second count finds the unit that was wrong.
 * After any wrong count the kept results are dropped, because they may be the wrong ones. */
static nq_status burn_in_kernel(struct burn_in_state *b, struct traced **reference,
                                struct failure *failure) {
    const struct partition *partition = b->solver->partition;
    const struct sink sink = {.put = burn_in_put, .context = b};
    const struct run_options options = {
        .team = &b->team, .sink = &sink, .observer = {.report = burn_in_report, .context = b}};
    const bool first = *reference == NULL;
    bool right, again;
    if (first)
        *reference = calloc(partition->job.units + 1, sizeof **reference);
    if (*reference == NULL)
        return NQ_NO_MEMORY;
    b->units = *reference;
    nqi_team_for_devices(&b->team, b->solver->threads);
    nq_status status = burn_in_count(b, &options, true, &right, failure);
    const bool finished = status == NQ_OK;
    if (first && finished && !right)
        status = burn_in_count(b, &options, false, &again, failure);
    if (!right || (first && !finished)) {
        free(*reference);
        *reference = NULL;
    }
    if (status != NQ_OK && status != NQ_CANCELLED)
        return status;
    b->out->counts_done += finished;
    b->out->counts_wrong += !right;
    if (!right && b->out->first_failure[0] == '\0')
        snprintf(b->out->first_failure, sizeof b->out->first_failure,
                 "method %s, kernel %s: %.300s", partition->job.method, b->solver->kernel,
                 failure->text);
    return NQ_OK;
}

/* Counts b->n with each kernel of a method that runs here, or with the one that the options
 * name. */
static nq_status burn_in_method(struct burn_in_state *b, const struct method *method,
                                struct traced **reference, struct failure *failure) {
    const char *named = nqi_kernel_named(b->options);
    struct partition *partition = method->partition(b->n);
    nq_status status = partition != NULL ? NQ_OK : NQ_NO_MEMORY;
    const struct observer observer = {.report = burn_in_report, .context = b};
    for (int i = 0; status == NQ_OK && method->kernels[i] != NULL && !burn_in_is_over(b); i++) {
        const struct kernel *kernel = method->kernels[i];
        if (named != NULL ? strcmp(named, kernel->name) != 0 : !nqi_kernel_runs_here(kernel))
            continue;
        status = nqi_solver_for(partition, kernel->name, b->options->device, &observer,
                                &b->solver, failure);
        if (status == NQ_OK)
            status = burn_in_kernel(b, reference, failure);
        solver_close(b->solver);
        if (status == NQ_OK)
            burn_in_report(NULL, b);
    }
    partition_close(partition);
    return status;
}

/* Counts all boards by all methods and kernels, and begins again until the time is over. */
static nq_status burn_in_all(struct burn_in_state *b, struct failure *failure) {
    const char *named = choice_or_null(b->options->method);
    nq_status status = NQ_OK;
    while (status == NQ_OK && !burn_in_is_over(b))
        for (b->n = 0; b->n <= NQ_MAX_KNOWN_N; b->n++)
            for (size_t i = 0; i < METHODS && b->request->boards[b->n]; i++) {
                const struct method *method = nqi_method_at(i);
                if (status == NQ_OK && !burn_in_is_over(b) && b->n <= method->max_burn_in_n &&
                    (named == NULL || strcmp(named, method->name) == 0))
                    status = burn_in_method(b, method, &b->references[b->n][i], failure);
            }
    return status;
}

/* Refuses boards if the method would count none of them, because even the smallest takes too
 * long. method: the one that the options name, or the default. */
static nq_status burn_in_check_boards(const struct burn_in_request *request,
                                      const struct method *method, struct failure *failure) {
    int n = 0;
    while (n < NQ_MAX_KNOWN_N && !request->boards[n])
        n++;
    return n <= method->max_burn_in_n
               ? NQ_OK
               : nqi_fail(
                     failure, NQ_BAD_OPTION,
                     "n = %d: method %s takes too long for a burn-in of boards above n = %d", n,
                     method->name, method->max_burn_in_n);
}

nq_status nqi_burn_in(const struct burn_in_request *request, const nq_options *options,
                      struct burn_in *burn_in, struct failure *failure) {
    const struct method *method;
    const struct kernel *kernel;
    struct burn_in_state b = {
        .request = request, .out = burn_in, .options = options, .started = nqi_seconds_now()};
    *burn_in = (struct burn_in){0};
    nq_status status = nqi_options_check(options, failure);
    if (status == NQ_OK) /* refuses unknown names of methods and kernels */
        status = nqi_method_choose(options, &method, &kernel, failure);
    if (status == NQ_OK)
        status = burn_in_check_boards(request, method, failure);
    if (status == NQ_OK)
        status = nqi_team_form(options, &b.team, failure);
    if (status == NQ_OK)
        status = burn_in_all(&b, failure);
    nqi_team_free(&b.team);
    for (int n = 0; n <= NQ_MAX_KNOWN_N; n++)
        for (int i = 0; i < METHODS; i++)
            free(b.references[n][i]);
    burn_in->seconds = nqi_seconds_now() - b.started;
    if (burn_in->counts_wrong > 0)
        status = nqi_fail(failure, NQ_MISMATCH, "%s", burn_in->first_failure);
    else if (status == NQ_OK && b.stopped)
        status = NQ_CANCELLED;
    return status;
}
