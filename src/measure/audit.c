/* SPDX-License-Identifier: MIT */
#include "measure/measure.h"

#include "core/method.h"
#include "core/text.h"
#include "engine/methods.h"
#include "ledger/ledger.h"
#include "library/count.h"
#include "machine/team.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* A unit to count again. */
struct chosen {
    struct difference unit; /* with what is recorded, and the kernel that counts it again */
    bool counted;
};

struct audit {
    const char *file;
    struct ledger *ledger;
    const nq_options *options;
    struct partition *partition; /* of the ledger's job */
    const struct method *method;
    struct chosen *chosen; /* by rising unit */
    uint64_t count;        /* number of chosen units */
    uint64_t unread;       /* number of units still to read */
    uint64_t to_choose;    /* how many of the unread units to choose */
    unsigned short seed[3];
    const char *kernel; /* that counts units now */
    bool without_work;  /* as that of its solver */
    bool stopped;       /* the callback said stop */
    struct audit_result *result;
};

/* Returns the fastest kernel that runs here other than the named one; that one, if there is no
 * other. */
static const char *another_kernel(const struct method *method, const char *than) {
    const char *best = method->kernels[0]->name; /* runs everywhere */
    for (size_t i = 0; method->kernels[i] != NULL; i++)
        if (nqi_implementation_runs_here(method->kernels[i]) &&
            strcmp(method->kernels[i]->name, than) != 0)
            best = method->kernels[i]->name;
    return best;
}

/* Chooses a unit with probability to_choose / unread (selection sampling): exactly to_choose
 * units are chosen, and all sets of so many units are equally likely. */
static nq_status choose(void *context, const struct row *row) {
    struct audit *audit = context;
    const struct value *value = row->value;
    bool take = erand48(audit->seed) * (double)audit->unread < (double)audit->to_choose;
    audit->unread--;
    if (!take)
        return NQ_OK;
    audit->to_choose--;
    struct difference *unit = &audit->chosen[audit->count].unit;
    audit->chosen[audit->count++].counted = false;
    unit->unit = (uint64_t)value[UNIT_ID].number;
    unit->recorded_solutions = (uint64_t)value[UNIT_SOLUTIONS].number;
    unit->recorded_work = (uint64_t)value[UNIT_WORK].number;
    snprintf(unit->recorded_kernel, sizeof unit->recorded_kernel, "%.15s",
             value[UNIT_KERNEL].text);
    const char *named = named_choice(audit->options->kernel);
    unit->kernel = named != NULL ? named : another_kernel(audit->method, unit->recorded_kernel);
    audit->result->same_kernel += strcmp(unit->kernel, unit->recorded_kernel) == 0;
    return NQ_OK;
}

static int by_unit(const void *left, const void *right) {
    const struct chosen *a = left, *b = right;
    return a->unit.unit < b->unit.unit ? -1 : a->unit.unit > b->unit.unit;
}

/* Compares a unit's new result with the recorded one. */
static nq_status compare(void *context, const struct solved *solved) {
    struct audit *audit = context;
    struct audit_result *result = audit->result;
    const struct chosen key = {.unit = {.unit = solved->unit}};
    struct chosen *chosen = bsearch(&key, audit->chosen, audit->count, sizeof key, by_unit);
    if (chosen == NULL)
        return NQ_INTERNAL;
    struct difference *unit = &chosen->unit;
    chosen->counted = true;
    unit->kernel = audit->kernel;
    unit->solutions = solved->result.solutions;
    unit->work = solved->result.work;
    if (unit->recorded_solutions == unit->solutions &&
        (audit->without_work || unit->recorded_work == work_kept(unit->work)))
        return NQ_OK;
#pragma omp critical(nqi_audit)
    {
        if (result->differences < MAX_DIFFERENCES)
            result->difference[result->differences] = *unit;
        result->differences++;
    }
    return NQ_OK;
}

/* Returns one bit per unit: set for all units except those that audit->kernel is to count.
 * NULL: out of memory. */
static uint64_t *all_but(const struct audit *audit) {
    size_t words = audit->partition->job.units / 64 + 1;
    uint64_t *others = malloc(words * sizeof *others);
    if (others == NULL)
        return NULL;
    memset(others, 0xff, words * sizeof *others);
    for (uint64_t i = 0; i < audit->count; i++) {
        const struct difference *unit = &audit->chosen[i].unit;
        if (strcmp(unit->kernel, audit->kernel) == 0)
            others[unit->unit / 64] &= ~(UINT64_C(1) << (unit->unit % 64));
    }
    return others;
}

/* Counts the chosen units of audit->kernel. */
static nq_status count_again(struct audit *audit, const struct team *team, double started,
                             struct failure *failure) {
    struct audit_result *result = audit->result;
    struct solver *solver;
    nq_status status = nqi_solver_for(audit->partition, audit->kernel, &solver, failure);
    if (status != NQ_OK)
        return status;
    audit->kernel = solver->kernel; /* a static name */
    audit->without_work = solver->without_work;
    uint64_t *others = all_but(audit);
    struct selection selection = {0};
    if (others == NULL || !nqi_selection_make(audit->partition, 0, 0, others, &selection))
        status = NQ_NO_MEMORY;
    selection.all_count = selection.count;
    selection.all_cost = selection.cost;
    const struct sink sink = {.keep = compare, .context = audit};
    const struct run_options options = {.team = team,
                                        .sink = &sink,
                                        .observer = observer_of(audit->options),
                                        .started = started};
    struct totals totals = {0};
    if (status == NQ_OK)
        status = nqi_run_job(solver, &selection, &options, &totals);
    result->units_audited += totals.units;
    audit->stopped = totals.stopped;
    nqi_selection_free(&selection);
    free(others);
    solver_close(solver);
    return status;
}

/* Counts the chosen units, kernel by kernel: a solver has one kernel. */
static nq_status count_all_again(struct audit *audit, const struct team *team, double started,
                                 struct failure *failure) {
    nq_status status = NQ_OK;
    for (uint64_t i = 0; i < audit->count && status == NQ_OK && !audit->stopped; i++)
        if (!audit->chosen[i].counted) {
            audit->kernel = audit->chosen[i].unit.kernel;
            status = count_again(audit, team, started, failure);
        }
    return status == NQ_OK && audit->result->units_audited < audit->count ? NQ_CANCELLED
                                                                          : status;
}

static nq_status choose_units(struct audit *audit, double share, struct failure *failure) {
    struct audit_result *result = audit->result;
    struct recorded recorded;
    nq_status status = nqi_recorded_read(audit->ledger, NULL, &recorded, failure);
    if (status != NQ_OK)
        return status;
    nqi_recorded_free(&recorded);
    result->units_recorded = recorded.count;
    if (recorded.count == 0)
        return nqi_fail(failure, NQ_LEDGER_IO,
                        "ledger '%.200s': nothing to audit: it has no finished unit",
                        audit->file);
    audit->unread = recorded.count;
    audit->to_choose = (uint64_t)ceil(share * (double)recorded.count);
    if (audit->to_choose > audit->unread)
        audit->to_choose = audit->unread;
    result->units_chosen = audit->to_choose;
    if (getrandom(audit->seed, sizeof audit->seed, 0) != (ssize_t)sizeof audit->seed)
        audit->seed[0] = (unsigned short)time(NULL);
    audit->chosen = malloc((audit->to_choose + 1) * sizeof *audit->chosen);
    if (audit->chosen == NULL)
        return NQ_NO_MEMORY;
    return nqi_ledger_each(audit->ledger, TABLE_UNIT, choose, audit, failure);
}

/* Checks that the kernel that the caller named runs here. */
static nq_status check_kernel(const struct audit *audit, struct failure *failure) {
    struct solver *solver;
    if (named_choice(audit->options->kernel) == NULL)
        return NQ_OK;
    nq_status status =
        nqi_solver_for(audit->partition, audit->options->kernel, &solver, failure);
    solver_close(solver);
    return status;
}

/* Checks that this version can count the ledger's units, chooses some, and counts them. */
static nq_status audit_ledger(struct audit *audit, double share, double started,
                              struct failure *failure) {
    struct audit_result *result = audit->result;
    nq_status status = nqi_ledger_partition(audit->ledger, &audit->partition, failure);
    if (status != NQ_OK)
        return status;
    result->n = audit->partition->job.n;
    audit->method = nqi_method_by_name(audit->partition->job.method, NULL);
    status = check_kernel(audit, failure);
    if (status != NQ_OK)
        return status;
    status = choose_units(audit, share, failure);
    nqi_ledger_end_reading(audit->ledger);
    struct team team;
    if (status == NQ_OK)
        status = nqi_team_form(audit->options, &team, failure);
    if (status != NQ_OK)
        return status;
    status = count_all_again(audit, &team, started, failure);
    nqi_team_free(&team);
    return status;
}

static nq_status check_share(double share, struct failure *failure) {
    if (!(share > 0 && share <= 1))
        return nqi_fail(failure, NQ_BAD_OPTION,
                        "share %.17g: expected more than 0 and at most 1", share);
    return NQ_OK;
}

/* Says which unit differs: that takes precedence over all other failures. */
static nq_status report_difference(const struct difference *first, struct failure *failure) {
    return nqi_fail(failure, NQ_DISAGREE,
                    "unit %" PRIu64 ": kernel %s recorded %" PRIu64 " solutions, work %" PRIu64
                    "; kernel %s counts %" PRIu64 " solutions, work %" PRIu64,
                    first->unit, first->recorded_kernel, first->recorded_solutions,
                    first->recorded_work, first->kernel, first->solutions, first->work);
}

static nq_status run_audit(struct audit *audit, const char *file, double share,
                           const nq_options *options, struct failure *failure) {
    double started = nqi_seconds_now();
    nq_status status = check_share(share, failure);
    if (status != NQ_OK)
        return status;
    audit->file = file;
    audit->options = options;
    status = nqi_ledger_open(file, LEDGER_READ, &audit->ledger, failure);
    if (status == NQ_OK)
        status = audit_ledger(audit, share, started, failure);
    nqi_ledger_close(audit->ledger);
    partition_close(audit->partition);
    free(audit->chosen);
    audit->result->seconds = nqi_seconds_now() - started;
    if (audit->result->differences > 0)
        return report_difference(&audit->result->difference[0], failure);
    if (status != NQ_OK && failure->text[0] == '\0')
        nqi_fail(failure, status, "ledger '%.200s': %s", file, nq_status_text(status));
    return status;
}

nq_status nqi_ledger_audit(const char *file, double share, const nq_options *options,
                           struct audit_result *result) {
    struct failure failure = {0};
    nq_options own;
    struct audit audit = {.result = result};
    *result = (struct audit_result){0};
    nq_status status = nqi_read_options(options, &own, &failure);
    if (status == NQ_OK)
        status = run_audit(&audit, file, share, &own, &failure);
    return nqi_end_call(status, &failure);
}
