/* nq_ledger_audit: units counted again; what is not as recorded is found. */
#include "implementations.h"
#include "ledgers.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(audit, .init = folder_make, .fini = folder_remove);

/* n = 10, plan rows: 36 units. */
enum { N = 10, UNITS = 36 };
static const nq_options rows = {.plan = "rows", .depth = 2};

static const char *record(const char *kernel, int shard, int shards) {
    nq_options options = rows;
    options.ledger = in_folder("file");
    options.kernel = kernel;
    options.shard = shard;
    options.shards = shards;
    nq_result result;
    cr_assert_eq(nq_count(N, &options, &result), NQ_OK, "%s", result.detail);
    return options.ledger;
}

static nq_audit result;

static nq_status audit(const char *file, double share, const nq_options *options) {
    memset(&result, 0x5a, sizeof result);
    return nq_ledger_audit(file, share, options, &result);
}

static void expect_as_recorded(const char *file, double share, const nq_options *options,
                               uint64_t units) {
    struct bytes before = bytes_of(file);
    nq_status status = audit(file, share, options);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), result.detail);
    cr_expect_str_empty(result.detail);
    cr_expect(result.n == N && result.units_chosen == units && result.units_audited == units &&
                  result.differences == 0,
              "%" PRIu64 " chosen, %" PRIu64 " audited, %" PRIu64 " differ",
              result.units_chosen, result.units_audited, result.differences);
    cr_expect_geq(result.seconds, 0);
    cr_expect(unchanged(file, before), "an audit writes nothing");
    cr_expect_eq(files_in_folder(), 1);
}

/* The fastest kernel here but this one; this one if there is no other. */
static const char *fastest_but(const char *name) {
    const char *fastest = name;
    for (size_t k = 0; kernel_here(k) != NULL; k++)
        if (strcmp(kernel_here(k)->impl.name, name) != 0)
            fastest = kernel_here(k)->impl.name;
    return fastest;
}

Test(audit, all_is_as_recorded) {
    for (size_t k = 0; kernel_here(k) != NULL; k++) {
        const char *file = record(kernel_here(k)->impl.name, 0, 0);
        expect_as_recorded(file, 1, NULL, UNITS);
        cr_expect_eq(result.units_recorded, UNITS);
        cr_expect_eq(result.same_kernel, kernel_here(1) != NULL ? 0 : UNITS);
        expect_as_recorded(file, 1, &(nq_options){.threads = 3}, UNITS);
        cr_assert_eq(remove(file), 0);
    }
}

Test(audit, nqi_plan_cross) {
    nq_result count;
    const char *file = in_folder("file");
    cr_assert_eq(nq_count(N, &(nq_options){.ledger = file}, &count), NQ_OK);
    expect_as_recorded(file, 1, NULL, count.units);
}

/* Rounded up: at least one, and never less than was asked for. */
Test(audit, a_share) {
    const char *file = record(NULL, 0, 0);
    expect_as_recorded(file, 1e-300, NULL, 1);
    expect_as_recorded(file, 0.02, NULL, 1);
    expect_as_recorded(file, 0.5, NULL, UNITS / 2);
    expect_as_recorded(file, 0.51, NULL, UNITS / 2 + 1);
    expect_as_recorded(file, 0.9999, NULL, UNITS);
    cr_expect_eq(result.units_recorded, UNITS);
}

Test(audit, what_is_there_of_it) {
    const char *file = record(NULL, 1, 4);
    expect_as_recorded(file, 1, NULL, UNITS / 4);
    cr_expect_eq(result.units_recorded, UNITS / 4);
}

Test(audit, a_share_that_makes_no_sense) {
    const char *file = record(NULL, 1, 4);
    const double wrong[] = {0, -0.0, -1, -1e-300, 1.5, 1.0000001, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(audit(file, wrong[i], NULL), NQ_BAD_OPTION, "%g", wrong[i]);
        cr_expect_str_not_empty(result.detail);
        cr_expect(result.units_chosen == 0 && result.differences == 0);
    }
}

/* What each unit has, and what is recorded of it instead. */
static void expect_difference(int column, int64_t change) {
    const char *file = record("scalar64", 0, 0);
    const int64_t unit = 11;
    int64_t solutions = ask_sql(file, "SELECT solutions FROM unit WHERE id = 11");
    int64_t nodes = ask_sql(file, "SELECT work FROM unit WHERE id = 11");
    int64_t recorded = (column == UNIT_SOLUTIONS ? solutions : nodes) + change;
    falsify(file, TABLE_UNIT, unit, column, recorded);
    nq_status status = audit(file, 1, NULL);
    cr_expect_eq(status, NQ_DISAGREE, "%s", nq_status_text(status));
    cr_expect(result.differences == 1 && result.units_audited == UNITS);
    const nq_difference *d = &result.difference[0];
    cr_expect_eq(d->unit, unit);
    cr_expect(d->solutions == (uint64_t)solutions && d->work == (uint64_t)nodes);
    cr_expect_eq(d->recorded_solutions,
                 (uint64_t)(column == UNIT_SOLUTIONS ? recorded : solutions));
    cr_expect_eq(d->recorded_work, (uint64_t)(column == UNIT_WORK ? recorded : nodes));
    cr_expect_str_eq(d->recorded_kernel, "scalar64");
    cr_expect_str_eq(d->kernel, fastest_but("scalar64"));
    cr_expect_not_null(strstr(result.detail, "unit 11"), "%s", result.detail);
    cr_assert_eq(remove(file), 0);
}

Test(audit, finds_wrong_solutions) {
    expect_difference(UNIT_SOLUTIONS, 1);
    expect_difference(UNIT_SOLUTIONS, -1);
    expect_difference(UNIT_SOLUTIONS, INT64_C(1) << 40);
}

Test(audit, finds_wrong_nodes) {
    expect_difference(UNIT_WORK, 1);
    expect_difference(UNIT_WORK, -1);
}

static void falsify_all(const char *file) {
    for (int unit = 0; unit < UNITS; unit++)
        falsify(file, TABLE_UNIT, unit, UNIT_SOLUTIONS, 1000000 + unit);
}

/* All are counted, as many as there is room for are told, from however many threads. */
Test(audit, finds_very_many) {
    const char *file = record(NULL, 0, 0);
    falsify_all(file);
    for (int threads = 1; threads <= 4; threads++) {
        cr_expect_eq(audit(file, 1, &(nq_options){.threads = threads}), NQ_DISAGREE);
        cr_expect_eq(result.differences, UNITS);
        bool told[UNITS] = {false};
        for (int i = 0; i < NQ_MAX_DIFFERENCES; i++) {
            const nq_difference *d = &result.difference[i];
            cr_assert_lt(d->unit, UNITS);
            cr_expect_not(told[d->unit], "unit %" PRIu64 " twice", d->unit);
            told[d->unit] = true;
            cr_expect_eq(d->recorded_solutions, 1000000 + d->unit);
            cr_expect_lt(d->solutions, 1000000u);
        }
    }
}

/* Every unit has its turn: 20 of one unit each, all the same, happen once in 36^19 audits. */
Test(audit, chooses_at_random) {
    const char *file = record(NULL, 0, 0);
    falsify_all(file);
    uint64_t seen = 0;
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(audit(file, 1e-9, NULL), NQ_DISAGREE);
        cr_assert_eq(result.differences, 1);
        cr_assert_lt(result.difference[0].unit, UNITS);
        seen |= UINT64_C(1) << result.difference[0].unit;
    }
    cr_expect_neq(seen & (seen - 1), 0, "always the same unit");
}

Test(audit, with_the_kernel_that_is_asked_for) {
    const char *file = record("scalar64", 0, 0);
    falsify(file, TABLE_UNIT, 3, UNIT_WORK, 1);
    for (size_t k = 0; kernel_here(k) != NULL; k++) {
        const char *kernel = kernel_here(k)->impl.name;
        cr_expect_eq(audit(file, 1, &(nq_options){.kernel = kernel}), NQ_DISAGREE);
        cr_expect_eq(result.differences, 1);
        cr_expect_str_eq(result.difference[0].kernel, kernel);
        cr_expect_eq(result.same_kernel, strcmp(kernel, "scalar64") == 0 ? UNITS : 0);
    }
    cr_expect_eq(audit(file, 1, &(nq_options){.kernel = "auto"}), NQ_DISAGREE);
    cr_expect_str_eq(result.difference[0].kernel, fastest_but("scalar64"));
    cr_expect_eq(audit(file, 1, &(nq_options){.kernel = "fpga"}), NQ_NO_KERNEL);
    cr_expect_not_null(strstr(result.detail, "fpga"), "%s", result.detail);
    cr_expect_eq(result.units_audited, 0);
}

/* Each unit with another kernel than its own. */
Test(audit, of_units_by_several_kernels) {
    int shards = 0;
    while (kernel_here((size_t)shards) != NULL)
        shards++;
    const char *file = NULL;
    for (int k = 0; k < shards; k++)
        file = record(kernel_here((size_t)k)->impl.name, k + 1, shards);
    expect_as_recorded(file, 1, NULL, UNITS);
    cr_expect_eq(result.same_kernel, shards > 1 ? 0 : UNITS);
    for (int unit = 0; unit < UNITS; unit += 5)
        falsify_text(file, TABLE_UNIT, unit, UNIT_KERNEL, "a kernel of the years to come");
    expect_as_recorded(file, 1, NULL, UNITS);
    falsify_all(file);
    cr_expect_eq(audit(file, 1, NULL), NQ_DISAGREE);
    for (int i = 0; i < NQ_MAX_DIFFERENCES; i++) {
        const nq_difference *d = &result.difference[i];
        cr_expect_str_eq(d->kernel, fastest_but(d->recorded_kernel));
    }
}

/* The other options are for counts. */
Test(audit, ignores_what_is_not_its_own) {
    const char *file = record(NULL, 0, 0);
    const nq_options others = {.plan = "cross",
                               .depth = 3,
                               .method = "guess",
                               .ledger = "/nowhere/at/all",
                               .shard = 7,
                               .shards = 3};
    expect_as_recorded(file, 1, &others, UNITS);
    cr_expect_eq(audit(file, 1, &(nq_options){.threads = -1}), NQ_BAD_OPTION);
    cr_expect_str_not_empty(result.detail);
}

static bool stop(const nq_progress *progress, void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
    cr_expect(progress->n == N && progress->units == UNITS && progress->units_done >= 1);
    return false;
}

Test(audit, can_be_stopped) {
    const char *file = record(NULL, 0, 0);
    atomic_int calls = 0;
    const nq_options options = {.threads = 1, .progress = stop, .progress_context = &calls};
    cr_expect_eq(audit(file, 1, &options), NQ_CANCELLED);
    cr_expect_eq(atomic_load(&calls), 1);
    cr_expect(result.units_chosen == UNITS && result.units_audited == 1);
    cr_expect_str_not_empty(result.detail);
    falsify_all(file);
    cr_expect_eq(audit(file, 1, &options), NQ_DISAGREE, "what was found before counts");
    cr_expect_eq(result.differences, 1);
}

/* So that there is something to commit. */
static void add_a_run(struct ledger *ledger) {
    const struct row run = {.value = {[RUN_ID] = {.number = 5}, [RUN_STATE] = {.number = 1}}};
    if (nqi_ledger_add(ledger, TABLE_RUN, &run, detail, sizeof detail) != NQ_OK)
        _exit(2);
}

static bool let_commit(const nq_progress *progress, void *context) {
    (void)progress;
    holder_commit(context);
    cr_expect(holder_committed(context, 10000), "the audit keeps the writer waiting");
    return false;
}

/* What is to be counted again has been read by then: an audit may take hours, a writer not. */
Test(audit, while_another_process_writes) {
    const char *file = record(NULL, 1, 2);
    struct holder holder = hold(file, add_a_run);
    cr_expect_eq(audit(file, 1, NULL), NQ_OK, "%s", result.detail);
    cr_expect_eq(result.units_audited, UNITS / 2);
    const nq_options options = {
        .threads = 1, .progress = let_commit, .progress_context = &holder};
    cr_expect_eq(audit(file, 1, &options), NQ_CANCELLED);
    holder_end(&holder);
}

Test(audit, of_what_cannot_be_counted_again) {
    const char *file = in_folder("none");
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(result.detail, file), "%s", result.detail);
    write_bytes(file, "", 0);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(result.detail, file), "%s", result.detail);
    write_bytes(file, "a text", 6);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_DAMAGED);
    file = record(NULL, 1, 2);
    run_sql(file, "UPDATE unit SET work = work + 1 WHERE id = (SELECT max(id) FROM unit)");
    cr_expect_eq(audit(file, 1e-9, NULL), NQ_LEDGER_DAMAGED);
    cr_expect_not_null(strstr(result.detail, file), "%s", result.detail);
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    falsify(file, TABLE_JOB, 1, JOB_VERSION, 99);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_OTHER);
    cr_expect_not_null(strstr(result.detail, "version 99"), "%s", result.detail);
}
