/* SPDX-License-Identifier: MIT */
/* Burns in a machine: counts again and again what is known, and compares each unit with its
 * first count. A total alone would not name the core that was wrong. */
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

/* A unit's result, and where it is from: the first one is the reference for the others. */
struct traced {
    struct unit_result result;
    const char *kernel;
    int pu;
};

struct burn_in_state {
    const struct burn_in_request *request;
    struct burn_in *out;
    const nq_options *options;
    struct team team;
    double started;
    bool stopped; /* by the callback */
    /* [n][method][unit]; NULL: none yet */
    struct traced *references[NQ_MAX_KNOWN_N + 1][METHODS];
    /* The count under way. */
    int n;
    struct solver *solver;
    struct traced *units; /* of this method and n */
    uint64_t differences; /* units that differ, and the PUs of their two results */
    struct pus of_results, of_references;
};

static bool burn_in_is_over(const struct burn_in_state *b) {
    return b->stopped || nqi_seconds_now() - b->started >= b->request->seconds;
}

/* Passes the progress of a count on as that of the burn-in. Returns whether to go on. */
static bool burn_in_show(const struct burn_in_state *b, const nq_progress *progress) {
    const nq_options *options = b->options;
    const double seconds = nqi_seconds_now() - b->started;
    nq_progress shown = *progress;
    char phase[80];
    if (options->progress == NULL)
        return true;
    if (strcmp(progress->phase, "counting") == 0) { /* else devices are prepared */
        snprintf(phase, sizeof phase, "%s by %s", progress->job->method, progress->kernel);
        shown.phase = phase;
    }
    shown.seconds = seconds;
    shown.share = fmin(1, seconds / b->request->seconds);
    shown.remaining = fmax(0, b->request->seconds - seconds);
    return options->progress(&shown, options->progress_context);
}

/* The observer of each count, and called between two. Hands out a copy: other threads go on
 * counting units. */
static bool burn_in_report(const nq_progress *progress, void *context) {
    struct burn_in_state *b = context;
    struct burn_in so_far;
#pragma omp critical(nqi_burn_in)
    so_far = *b->out;
    so_far.seconds = nqi_seconds_now() - b->started;
    so_far.counts = so_far.counts_done > 0 || (progress != NULL && progress->work > 0);
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

/* "kernel avx2 on PU 3". */
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

/* Keeps a unit's first result, or compares a later one with it. */
static nq_status burn_in_put(void *context, const struct solved *solved) {
    struct burn_in_state *b = context;
    const int pu = b->solver->devices == 0 ? sched_getcpu() : -1; /* that only feeds a device */
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

/* Suspects the PUs of the count whose total is wrong; those of both, if both totals are wrong,
 * or both right, as where only the work differs. */
static void burn_in_suspect(struct burn_in_state *b, bool reference_right, bool result_right) {
    if (reference_right || !result_right)
        pus_add_all(&b->out->suspects, &b->of_results);
    if (result_right || !reference_right)
        pus_add_all(&b->out->suspects, &b->of_references);
}

/* Counts b->n, and compares the total and, with an earlier count, the units. reference_right:
 * the total of that was. *right: all was as it should be. NQ_CANCELLED: the burn-in is over. */
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
    /* No right machine comes to this: the count is wrong, and the burn-in goes on. */
    if (status == NQ_OVERFLOW || status == NQ_LOST_UNIT) {
        nqi_fail(failure, status, "n = %d: %s", b->n, nq_status_text(status));
        status = NQ_OK;
    }
    return status;
}

/* Counts b->n by a kernel of a method. The first count of a method keeps its units, with
 * which later counts are compared. If its total is wrong, a second count finds the wrong unit.
 * After a wrong count the units are dropped: they may be wrong themselves. */
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

/* Counts b->n by each kernel of a method. */
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

static nq_status burn_in_all(struct burn_in_state *b, struct failure *failure) {
    const char *named = named_choice(b->options->method);
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

/* Refuses boards of which the method would count none. method: the one that the options name,
 * or the default, which is among those that count. */
static nq_status burn_in_check_boards(const struct burn_in_request *request,
                                      const struct method *method, struct failure *failure) {
    int n = 0;
    while (n < NQ_MAX_KNOWN_N && !request->boards[n])
        n++;
    return n <= method->max_burn_in_n
               ? NQ_OK
               : nqi_fail(failure, NQ_BAD_OPTION,
                          "n = %d: method %s takes too long: its burn-ins are of boards up to "
                          "n = %d",
                          n, method->name, method->max_burn_in_n);
}

nq_status nqi_burn_in(const struct burn_in_request *request, const nq_options *options,
                      struct burn_in *burn_in, struct failure *failure) {
    const struct method *method;
    const struct kernel *kernel;
    struct burn_in_state b = {
        .request = request, .out = burn_in, .options = options, .started = nqi_seconds_now()};
    *burn_in = (struct burn_in){0};
    nq_status status = nqi_options_check(options, failure);
    if (status == NQ_OK) /* checks the names of method and kernel */
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
