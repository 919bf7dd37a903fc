/* SPDX-License-Identifier: MIT */
/* Audits a ledger: counts some of its units again, and compares the results.
 *
 * The units are picked at random, so that a sample without differences says something about the
 * whole ledger. Each unit goes to another kernel than the one that counted it, if there is
 * another, so that an error of a kernel or of a device shows, too. A run has one kernel, so
 * each kernel gets a run of its own. The sink of these runs compares every result as it
 * arrives. */
#include "measure/measure.h"

#include "core/failure.h"
#include "core/text.h"
#include "ledger/ledger.h"
#include "machine/clock.h"
#include "machine/team.h"
#include "measure/sample.h"
#include "methods/methods.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct audit {
    const char *file;
    const nq_options *options;
    const char *named; /* the kernel that the options name, or NULL */
    double started;    /* by nqi_seconds_now */
    struct ledger *ledger;
    struct team team;
    struct partition *partition; /* the units of the ledger's job */
    const struct method *method;
    /* The chosen units by rising id. Each has its recorded result and the kernel to use, and
     * later its new result, so that a difference can be reported. */
    struct difference *chosen;
    uint64_t unread;    /* recorded units that are still to be looked at */
    uint64_t to_choose; /* how many of these to choose */
    unsigned short seed[3];
    struct audit_result *result;
};

/* Returns whether a recorded name is that of this kernel, on any device: "opencl_NVIDIA_H200"
 * is kernel opencl. */
static bool audit_recorded_by(const char *recorded, const char *kernel) {
    const size_t length = strlen(kernel);
    return strncmp(recorded, kernel, length) == 0 &&
           (recorded[length] == '\0' || recorded[length] == '_');
}

/* Returns the fastest kernel that runs here and is not the recorded one; the slowest, which
 * runs everywhere, if there is no other. */
static const char *audit_other_kernel(const struct method *method, const char *recorded) {
    const char *best = method->kernels[0]->name;
    for (size_t i = 0; method->kernels[i] != NULL; i++)
        if (nqi_kernel_runs_here(method->kernels[i]) &&
            strcmp(method->kernels[i]->name, recorded) != 0)
            best = method->kernels[i]->name;
    return best;
}

/* Chooses the unit with probability to_choose / unread (selection sampling: Knuth, The Art of
 * Computer Programming 2, algorithm S). When all units were looked at, exactly the wanted
 * number is chosen, and all sets of that size were equally likely. */
static void audit_choose(struct audit *audit, uint64_t id) {
    const struct recorded_unit *recorded = &audit->ledger->unit[id];
    const bool take = erand48(audit->seed) * (double)audit->unread < (double)audit->to_choose;
    audit->unread--;
    if (!take)
        return;
    audit->to_choose--;
    struct difference *unit = &audit->chosen[audit->result->units_chosen++];
    unit->unit = id;
    unit->recorded = recorded->result;
    snprintf(unit->recorded_kernel, sizeof unit->recorded_kernel, "%.79s", recorded->kernel);
    unit->kernel = audit->named != NULL
                       ? audit->named
                       : audit_other_kernel(audit->method, unit->recorded_kernel);
    audit->result->same_kernel += audit_recorded_by(unit->recorded_kernel, unit->kernel);
}

static int audit_by_unit(const void *left, const void *right) {
    const struct difference *a = left, *b = right;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* The sink of the runs: compares a unit's new result with the recorded one. */
static nq_status audit_compare(void *context, const struct solved *solved) {
    struct audit *audit = context;
    struct audit_result *result = audit->result;
    const struct difference key = {.unit = solved->unit};
    struct difference *unit =
        bsearch(&key, audit->chosen, result->units_chosen, sizeof key, audit_by_unit);
    if (unit == NULL)
        return NQ_INTERNAL;
    unit->found = solved->result;
    if (results_agree(unit->recorded, unit->found))
        return NQ_OK;
#pragma omp critical(nqi_audit)
    {
        if (result->differences < MAX_DIFFERENCES)
            result->difference[result->differences] = *unit;
        result->differences++;
    }
    return NQ_OK;
}

/* Counts again those chosen units that this kernel is to count. */
static nq_status audit_count_again(struct audit *audit, const char *kernel,
                                   struct failure *failure) {
    struct audit_result *result = audit->result;
    const size_t size = (audit->partition->job.units / 64 + 1) * sizeof(uint64_t);
    const struct sink sink = {.put = audit_compare, .context = audit};
    const nq_options *given = audit->options;
    const struct run_options options = {
        .team = &audit->team,
        .sink = &sink,
        .observer = {given->progress, given->progress_context, given->progress_seconds},
        .started = audit->started};
    struct totals totals = {0};
    struct solver *solver = NULL;
    uint64_t *left_out = malloc(size); /* one bit for each unit: 1 unless it is counted now */
    if (left_out == NULL)
        return NQ_NO_MEMORY;
    memset(left_out, 0xff, size);
    bool any = false;
    for (uint64_t i = 0; i < result->units_chosen; i++)
        if (strcmp(audit->chosen[i].kernel, kernel) == 0) {
            const uint64_t unit = audit->chosen[i].unit;
            left_out[unit / 64] &= ~(UINT64_C(1) << (unit % 64));
            any = true;
        }
    nq_status status = any ? nqi_solver_for(audit->partition, kernel, given->device,
                                            &options.observer, &solver, failure)
                           : NQ_OK;
    if (solver != NULL) {
        nqi_team_for_devices(&audit->team, solver->threads);
        status = nqi_run_all(solver, left_out, &options, &totals);
        result->units_audited += totals.units;
        result->work = work_sum(result->work, totals.work);
    }
    free(left_out);
    solver_close(solver);
    const bool stopped = totals.stopped && result->units_audited < result->units_chosen;
    return status == NQ_OK && stopped ? NQ_CANCELLED : status;
}

/* Counts the chosen units again, with one kernel after the other. */
static nq_status audit_count_all_again(struct audit *audit, struct failure *failure) {
    if (audit->named != NULL)
        return audit_count_again(audit, audit->named, failure);
    nq_status status = NQ_OK;
    for (size_t i = 0; audit->method->kernels[i] != NULL && status == NQ_OK; i++)
        status = audit_count_again(audit, audit->method->kernels[i]->name, failure);
    return status;
}

static nq_status audit_choose_units(struct audit *audit, double share,
                                    struct failure *failure) {
    struct audit_result *result = audit->result;
    const struct ledger *ledger = audit->ledger;
    const uint64_t recorded = result->units_recorded = ledger->units_recorded;
    result->lines_damaged = ledger->lines_damaged;
    if (recorded == 0)
        return nqi_fail(failure, NQ_LEDGER_IO,
                        "ledger '%.200s': nothing to audit: no unit is finished", audit->file);
    audit->unread = recorded;
    audit->to_choose = (uint64_t)ceil(share * (double)recorded);
    nqi_sample_seed(audit->seed);
    audit->chosen = malloc((audit->to_choose + 1) * sizeof *audit->chosen);
    if (audit->chosen == NULL)
        return NQ_NO_MEMORY;
    for (uint64_t id = 0; id < ledger->job.units; id++)
        if (ledger->unit[id].kernel != NULL)
            audit_choose(audit, id);
    return NQ_OK;
}

/* Chooses some of the ledger's units, and counts them again. */
static nq_status audit_ledger(struct audit *audit, double share, struct failure *failure) {
    nq_status status = nqi_ledger_partition(audit->ledger, &audit->partition);
    if (status != NQ_OK)
        return status;
    audit->result->n = audit->partition->job.n;
    audit->result->work_name = audit->partition->work;
    audit->method = nqi_method_by_name(audit->partition->job.method, NULL);
    status = audit_choose_units(audit, share, failure);
    if (status == NQ_OK)
        status = nqi_team_form(audit->options, &audit->team, failure);
    return status == NQ_OK ? audit_count_all_again(audit, failure) : status;
}

nq_status nqi_ledger_audit(const char *file, double share, const nq_options *options,
                           struct audit_result *result, struct failure *failure) {
    struct audit audit = {.file = file,
                          .options = options,
                          .named = nqi_kernel_named(options),
                          .started = nqi_seconds_now(),
                          .result = result};
    *result = (struct audit_result){0};
    nq_status status = nqi_options_check(options, failure);
    if (status == NQ_OK)
        status = nqi_ledger_open(file, LEDGER_READ, &audit.ledger, failure);
    if (status == NQ_OK)
        status = audit_ledger(&audit, share, failure);
    nqi_team_free(&audit.team);
    nqi_ledger_close(audit.ledger);
    partition_close(audit.partition);
    free(audit.chosen);
    result->seconds = nqi_seconds_now() - audit.started;
    return result->differences > 0 ? NQ_DISAGREE : status;
}
