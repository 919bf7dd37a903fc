/* SPDX-License-Identifier: MIT */
/* nqi_ledger_audit: it counts units again, and finds those that differ from the record. And
 * what nqi_burn_in, which does so without a ledger, says meanwhile. */
#include "measure/audit.h"
#include "counts.h"
#include "implementations.h"
#include "ledgers.h"
#include "measure/burn_in.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(audit, .init = folder_make, .fini = folder_remove);

/* Units with n = 10, plan rows; n = 9, plan orbits. */
enum { N = 10, UNITS = 36, ORBITS_UNITS = 66 };

static const char *record(const char *kernel, int shard, int shards) {
    const char *file = in_folder("file");
    count_ok(N, OPTIONS(.plan = "rows", .depth = 2, .kernel = kernel, .shard = shard,
                        .shards = shards, .ledger = file));
    return file;
}

static struct audit_result result;

static nq_status audit(const char *file, double share, const nq_options *options) {
    memset(&result, 0x5a, sizeof result);
    return nqi_ledger_audit(file, share, options, &result);
}

static void expect_no_difference(const char *file, double share, const nq_options *options,
                                 uint64_t units) {
    struct bytes before = bytes_of(file);
    expect_status(audit(file, share, options), NQ_OK, file);
    cr_expect(result.units_chosen == units && result.units_audited == units &&
                  result.differences == 0 && result.seconds >= 0,
              "%" PRIu64 " chosen, %" PRIu64 " audited, %" PRIu64 " differ",
              result.units_chosen, result.units_audited, result.differences);
    cr_expect(unchanged(file, before), "an audit writes nothing");
    cr_expect_eq(files_in_folder(), 1);
}

/* The fastest kernel here but this one; this one if there is no other. */
static const char *fastest_but(const char *name) {
    const char *fastest = name;
    for (const struct kernel *k = NULL; (k = kernel_after(k)) != NULL;)
        if (strcmp(k->impl.name, name) != 0)
            fastest = k->impl.name;
    return fastest;
}

/* Without a kernel in the options, each unit is given to another one than its own. */
Test(audit, finds_no_difference_with_any_kernel) {
    const struct {
        const struct implementation *const *list;
        const char *plan;
        int n;
        uint64_t units;
    } jobs[] = {{nqi_kernel_list, "rows", N, UNITS},
                {nqi_completer_list, "orbits", 9, ORBITS_UNITS}};
    const char *file = in_folder("file");
    for (size_t j = 0; j < LENGTH(jobs); j++)
        for (const struct implementation *by = NULL, *again;
             (by = implementation_after(jobs[j].list, by)) != NULL;) {
            count_ok(jobs[j].n,
                     OPTIONS(.plan = jobs[j].plan, .kernel = by->name, .ledger = file));
            for (again = NULL; (again = implementation_after(jobs[j].list, again)) != NULL;) {
                expect_no_difference(file, 1, OPTIONS(.kernel = again->name, .threads = 3),
                                     jobs[j].units);
                cr_expect_eq(result.same_kernel, again == by ? jobs[j].units : 0);
            }
            expect_no_difference(file, 1, NULL, jobs[j].units);
            cr_expect(result.same_kernel == 0 || jobs[j].list[1] == NULL);
            cr_expect(result.n == jobs[j].n && result.units_recorded == jobs[j].units);
            cr_assert_eq(remove(file), 0);
        }
}

/* At least one unit, and never a smaller share than requested. */
Test(audit, rounds_the_share_up_to_whole_units) {
    const struct {
        double share;
        uint64_t units;
    } shares[] = {{1e-300, 1}, {0.02, 1}, {0.5, 9}, {0.51, 10}, {0.9999, 18}, {1, 18}};
    const double wrong[] = {0, -1, 1.0000001, NAN};
    const char *file = record(NULL, 1, 2);
    for (size_t i = 0; i < LENGTH(shares); i++)
        expect_no_difference(file, shares[i].share, NULL, shares[i].units);
    cr_expect_eq(result.units_recorded, UNITS / 2);
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        expect_status(audit(file, wrong[i], NULL), NQ_BAD_OPTION, "share");
        cr_expect(result.units_chosen == 0 && result.differences == 0);
    }
}

/* Adds `change` to one unit's number in the ledger. The audit must report this unit, with both
 * results. */
static void expect_difference(int column, int64_t change) {
    const char *file = record("scalar64", 0, 0);
    const int64_t right[] = {ask_sql(file, "SELECT solutions FROM unit WHERE id = 11"),
                             ask_sql(file, "SELECT work FROM unit WHERE id = 11")};
    uint64_t recorded[] = {(uint64_t)right[0], (uint64_t)right[1]};
    const int changed = column == UNIT_WORK;
    recorded[changed] += (uint64_t)change;
    falsify(file, TABLE_UNIT, 11, column, (int64_t)recorded[changed]);
    expect_status(audit(file, 1, NULL), NQ_DISAGREE, "unit 11");
    const struct difference *d = &result.difference[0];
    cr_expect(result.differences == 1 && result.units_audited == UNITS && d->unit == 11 &&
              d->solutions == (uint64_t)right[0] && d->work == (uint64_t)right[1] &&
              d->recorded_solutions == recorded[0] && d->recorded_work == recorded[1]);
    cr_expect_str_eq(d->recorded_kernel, "scalar64");
    cr_expect_str_eq(d->kernel, fastest_but("scalar64"));
    cr_assert_eq(remove(file), 0);
}

Test(audit, finds_wrong_numbers) {
    expect_difference(UNIT_SOLUTIONS, 1);
    expect_difference(UNIT_SOLUTIONS, -1);
    expect_difference(UNIT_WORK, 1);
}

static void falsify_all(const char *file) {
    for (int unit = 0; unit < UNITS; unit++)
        falsify(file, TABLE_UNIT, unit, UNIT_SOLUTIONS, 1000000 + unit);
}

/* As many as there is room for, with any number of threads. */
Test(audit, counts_all_differences_and_names_some) {
    const char *file = record(NULL, 0, 0);
    falsify_text(file, TABLE_UNIT, 0, UNIT_KERNEL, "a kernel of a later version");
    falsify_all(file);
    for (int threads = 1; threads <= 4; threads++) {
        expect_status(audit(file, 1, OPTIONS(.threads = threads)), NQ_DISAGREE, "unit ");
        cr_expect_eq(result.differences, UNITS);
        bool named[UNITS] = {false};
        for (int i = 0; i < MAX_DIFFERENCES; i++) {
            const struct difference *d = &result.difference[i];
            cr_assert(d->unit < UNITS && !named[d->unit]);
            named[d->unit] = true;
            cr_expect(d->recorded_solutions == 1000000 + d->unit && d->solutions < 1000000u);
            cr_expect_str_eq(d->kernel, fastest_but(d->recorded_kernel));
        }
    }
    cr_expect_eq(nqi_ledger_audit(file, 1, NULL, &result), NQ_DISAGREE);
    cr_expect_eq(result.differences, UNITS);
}

/* An audit of a quarter of the units misses each of them with a chance of 3/4. */
Test(audit, chooses_every_unit_now_and_then) {
    const char *file = record(NULL, 0, 0);
    bool named[UNITS] = {false};
    falsify_all(file);
    for (int i = 0; i < 120; i++) {
        expect_status(audit(file, 0.25, OPTIONS(.threads = 1)), NQ_DISAGREE, "unit ");
        cr_assert_eq(result.differences, UNITS / 4);
        for (int k = 0; k < UNITS / 4; k++)
            named[result.difference[k].unit] = true;
    }
    for (int unit = 0; unit < UNITS; unit++)
        cr_expect(named[unit], "unit %d", unit);
}

Test(audit, refuses_wrong_options) {
    const char *file = record(NULL, 0, 0);
    const struct {
        const nq_options *options;
        const char *named;
        nq_status status;
    } refused[] = {{OPTIONS(.threads = -1), "-1", NQ_BAD_OPTION},
                   {OPTIONS(.kernel = "fpga"), "fpga", NQ_NO_KERNEL}};
    for (size_t i = 0; i < LENGTH(refused); i++) {
        expect_status(audit(file, 1, refused[i].options), refused[i].status, refused[i].named);
        cr_expect_eq(result.units_audited, 0);
    }
}

Test(audit, stops_when_the_callback_says_so) {
    const char *file = record(NULL, 0, 0);
    struct watch w = {.stop_at = 2}; /* after the first unit */
    const nq_options *options = OPTIONS(.threads = 1, WATCHED_BY(&w));
    expect_status(audit(file, 1, options), NQ_CANCELLED, "");
    cr_expect(w.calls == 2 && w.last.units == UNITS && w.job.n == N &&
              result.units_chosen == UNITS && result.units_audited == 1);
    falsify_all(file);
    w.calls = 0;
    expect_status(audit(file, 1, options), NQ_DISAGREE, "unit "); /* found before the stop */
    cr_expect_eq(result.differences, 1);
}

Test(audit, refuses_ledgers_that_it_cannot_count_again) {
    const char *file = in_folder("file");
    expect_status(audit(file, 1, NULL), NQ_LEDGER_IO, file);
    write_bytes(file, "", 0);
    expect_status(audit(file, 1, NULL), NQ_LEDGER_IO, file);
    record(NULL, 1, 2);
    run_sql(file, "UPDATE unit SET work = work + 1 WHERE id = (SELECT max(id) FROM unit)");
    expect_status(audit(file, 1e-9, NULL), NQ_LEDGER_DAMAGED, file);
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    expect_status(audit(file, 1, NULL), NQ_LEDGER_IO, file);
    falsify(file, TABLE_JOB, 1, JOB_VERSION, 99);
    expect_status(audit(file, 1, NULL), NQ_LEDGER_OTHER, "99");
    falsify_text(file, TABLE_JOB, 1, JOB_METHOD, "join");
    expect_status(audit(file, 1, NULL), NQ_LEDGER_OTHER, "method join, last in commit");
}

static bool look_twice(void *changed, const struct burn_in *so_far) {
    const volatile uint64_t *units = &so_far->units;
    const uint64_t before = *units;
    usleep(20000);
    *(bool *)changed |= *units != before;
    return true;
}

/* Although other threads go on comparing units. */
Test(burn_in, a_report_stays_as_it_is_while_it_is_read) {
    bool changed = false;
    struct burn_in found;
    const struct burn_in_request request = {
        .first = 12, .last = 12, .seconds = 1, .report = look_twice, .context = &changed};
    cr_expect_eq(nqi_burn_in(&request, OPTIONS(.threads = 2), &found), NQ_OK);
    cr_expect(found.units > 0 && !changed);
}
