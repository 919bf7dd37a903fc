/* nqi_ledger_audit: it counts units again, and finds those that differ from the record. */
#include "measure/audit.h"
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
static const nq_options rows = {.size = sizeof(nq_options), .plan = "rows", .depth = 2};

static const char *record(const char *kernel, int shard, int shards) {
    nq_options options = rows;
    options.ledger = in_folder("file");
    options.kernel = kernel;
    options.shard = shard;
    options.shards = shards;
    nq_result result = NQ_RESULT_INIT;
    cr_assert_eq(nq_count_solutions(N, &options, &result), NQ_OK, "%s", nq_error_message());
    return options.ledger;
}

static struct audit_result result;
enum { NAMED = 16 }; /* fewer than units */
static struct difference differences[NAMED + 1];

static nq_status audit(const char *file, double share, const nq_options *options) {
    memset(&result, 0x5a, sizeof result);
    memset(differences, 0x5a, sizeof differences);
    const struct difference untouched = differences[NAMED];
    nq_status status = nqi_ledger_audit(file, share, options, &result, differences, NAMED);
    cr_expect_eq(memcmp(&differences[NAMED], &untouched, sizeof untouched), 0);
    return status;
}

static void expect_no_difference(const char *file, double share, const nq_options *options,
                                 uint64_t units) {
    struct bytes before = bytes_of(file);
    nq_status status = audit(file, share, options);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_str_empty(nq_error_message());
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

Test(audit, finds_no_difference_with_any_kernel) {
    for (size_t k = 0; kernel_here(k) != NULL; k++) {
        const char *file = record(kernel_here(k)->impl.name, 0, 0);
        expect_no_difference(file, 1, NULL, UNITS);
        cr_expect_eq(result.units_recorded, UNITS);
        cr_expect_eq(result.same_kernel, kernel_here(1) != NULL ? 0 : UNITS);
        expect_no_difference(file, 1, &(nq_options){.size = sizeof(nq_options), .threads = 3},
                             UNITS);
        cr_assert_eq(remove(file), 0);
    }
}

Test(audit, finds_no_difference_with_plan_cross) {
    nq_result count = NQ_RESULT_INIT;
    const char *file = in_folder("file");
    cr_assert_eq(nq_count_solutions(
                     N, &(nq_options){.size = sizeof(nq_options), .ledger = file}, &count),
                 NQ_OK);
    expect_no_difference(file, 1, NULL, count.units);
}

/* At least one unit, and never a smaller share than requested. */
Test(audit, rounds_the_share_up_to_whole_units) {
    const char *file = record(NULL, 0, 0);
    expect_no_difference(file, 1e-300, NULL, 1);
    expect_no_difference(file, 0.02, NULL, 1);
    expect_no_difference(file, 0.5, NULL, UNITS / 2);
    expect_no_difference(file, 0.51, NULL, UNITS / 2 + 1);
    expect_no_difference(file, 0.9999, NULL, UNITS);
    cr_expect_eq(result.units_recorded, UNITS);
}

Test(audit, takes_the_share_of_the_recorded_units) {
    const char *file = record(NULL, 1, 4);
    expect_no_difference(file, 1, NULL, UNITS / 4);
    cr_expect_eq(result.units_recorded, UNITS / 4);
}

Test(audit, refuses_a_share_out_of_range) {
    const char *file = record(NULL, 1, 4);
    const double wrong[] = {0, -0.0, -1, -1e-300, 1.5, 1.0000001, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(audit(file, wrong[i], NULL), NQ_BAD_OPTION, "%g", wrong[i]);
        cr_expect_str_not_empty(nq_error_message());
        cr_expect(result.units_chosen == 0 && result.differences == 0);
    }
}

/* Adds `change` to one unit's number in the ledger. The audit must report this unit, with both
 * results. */
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
    const struct difference *d = &differences[0];
    cr_expect_eq(d->unit, unit);
    cr_expect(d->solutions == (uint64_t)solutions && d->work == (uint64_t)nodes);
    cr_expect_eq(d->recorded_solutions,
                 (uint64_t)(column == UNIT_SOLUTIONS ? recorded : solutions));
    cr_expect_eq(d->recorded_work, (uint64_t)(column == UNIT_WORK ? recorded : nodes));
    cr_expect_str_eq(d->recorded_kernel, "scalar64");
    cr_expect_str_eq(d->kernel, fastest_but("scalar64"));
    cr_expect_not_null(strstr(nq_error_message(), "unit 11"), "%s", nq_error_message());
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

/* As many as there is room for, with any number of threads. */
Test(audit, counts_all_differences_and_names_some) {
    const char *file = record(NULL, 0, 0);
    falsify_all(file);
    for (int threads = 1; threads <= 4; threads++) {
        cr_expect_eq(
            audit(file, 1, &(nq_options){.size = sizeof(nq_options), .threads = threads}),
            NQ_DISAGREE);
        cr_expect_eq(result.differences, UNITS);
        bool named[UNITS] = {false};
        for (int i = 0; i < NAMED; i++) {
            const struct difference *d = &differences[i];
            cr_assert_lt(d->unit, UNITS);
            cr_expect_not(named[d->unit], "unit %" PRIu64 " twice", d->unit);
            named[d->unit] = true;
            cr_expect_eq(d->recorded_solutions, 1000000 + d->unit);
            cr_expect_lt(d->solutions, 1000000u);
        }
    }
}

/* 20 audits of one unit each: the chance that all choose the same unit is 1 in 36^19. */
Test(audit, chooses_units_at_random) {
    const char *file = record(NULL, 0, 0);
    falsify_all(file);
    uint64_t seen = 0;
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(audit(file, 1e-9, NULL), NQ_DISAGREE);
        cr_assert_eq(result.differences, 1);
        cr_assert_lt(differences[0].unit, UNITS);
        seen |= UINT64_C(1) << differences[0].unit;
    }
    cr_expect_neq(seen & (seen - 1), 0, "always the same unit");
}

/* The formula of docs/ledger.md: of 36 units 3 are wrong and 9 are counted again. A deviation
 * of five standard errors has a chance of 1 in 1.7 million. */
Test(audit, finds_wrong_units_as_likely_as_documented) {
    enum { WRONG = 3, CHOSEN = 9, AUDITS = 200 };
    const char *file = record(NULL, 0, 0);
    for (int unit = 0; unit < WRONG; unit++)
        falsify(file, TABLE_UNIT, 5 + 10 * unit, UNIT_SOLUTIONS, 1000000);
    double none = 1;
    for (int i = 0; i < WRONG; i++)
        none *= 1 - (double)CHOSEN / (UNITS - i);
    int found = 0;
    for (int i = 0; i < AUDITS; i++) {
        nq_status status = audit(file, (double)CHOSEN / UNITS,
                                 &(nq_options){.size = sizeof(nq_options), .threads = 1});
        cr_assert(status == NQ_OK || status == NQ_DISAGREE, "%s", nq_error_message());
        cr_assert_eq(result.units_audited, CHOSEN);
        found += status == NQ_DISAGREE;
    }
    double error = sqrt(none * (1 - none) / AUDITS);
    cr_expect_float_eq((double)found / AUDITS, 1 - none, 5 * error, "%d of %d found", found,
                       AUDITS);
}

Test(audit, uses_the_requested_kernel) {
    const char *file = record("scalar64", 0, 0);
    falsify(file, TABLE_UNIT, 3, UNIT_WORK, 1);
    for (size_t k = 0; kernel_here(k) != NULL; k++) {
        const char *kernel = kernel_here(k)->impl.name;
        cr_expect_eq(
            audit(file, 1, &(nq_options){.size = sizeof(nq_options), .kernel = kernel}),
            NQ_DISAGREE);
        cr_expect_eq(result.differences, 1);
        cr_expect_str_eq(differences[0].kernel, kernel);
        cr_expect_eq(result.same_kernel, strcmp(kernel, "scalar64") == 0 ? UNITS : 0);
    }
    cr_expect_eq(audit(file, 1, &(nq_options){.size = sizeof(nq_options), .kernel = "auto"}),
                 NQ_DISAGREE);
    cr_expect_str_eq(differences[0].kernel, fastest_but("scalar64"));
    cr_expect_eq(audit(file, 1, &(nq_options){.size = sizeof(nq_options), .kernel = "fpga"}),
                 NQ_NO_KERNEL);
    cr_expect_not_null(strstr(nq_error_message(), "fpga"), "%s", nq_error_message());
    cr_expect_eq(result.units_audited, 0);
}

Test(audit, gives_each_unit_to_another_kernel_than_its_own) {
    int shards = 0;
    while (kernel_here((size_t)shards) != NULL)
        shards++;
    const char *file = NULL;
    for (int k = 0; k < shards; k++)
        file = record(kernel_here((size_t)k)->impl.name, k + 1, shards);
    expect_no_difference(file, 1, NULL, UNITS);
    cr_expect_eq(result.same_kernel, shards > 1 ? 0 : UNITS);
    for (int unit = 0; unit < UNITS; unit += 5)
        falsify_text(file, TABLE_UNIT, unit, UNIT_KERNEL, "a kernel of a later version");
    expect_no_difference(file, 1, NULL, UNITS);
    falsify_all(file);
    cr_expect_eq(audit(file, 1, NULL), NQ_DISAGREE);
    for (int i = 0; i < NAMED; i++) {
        const struct difference *d = &differences[i];
        cr_expect_str_eq(d->kernel, fastest_but(d->recorded_kernel));
    }
}

Test(audit, needs_no_room_for_differences) {
    const char *file = record(NULL, 0, 0);
    falsify_all(file);
    cr_expect_eq(nqi_ledger_audit(file, 1, NULL, &result, NULL, 0), NQ_DISAGREE);
    cr_expect_eq(result.differences, UNITS);
    cr_expect_not_null(strstr(nq_error_message(), "unit "), "%s", nq_error_message());
}

Test(audit, refuses_options_without_effect) {
    const char *file = record(NULL, 0, 0);
    const struct {
        nq_options options;
        const char *name;
    } refused[] = {{{.size = sizeof(nq_options), .method = "search"}, "option method:"},
                   {{.size = sizeof(nq_options), .method = "auto"}, "option method:"},
                   {{.size = sizeof(nq_options), .plan = "rows"}, "option plan:"},
                   {{.size = sizeof(nq_options), .depth = 2}, "option depth:"},
                   {{.size = sizeof(nq_options), .ledger = file}, "option ledger:"},
                   {{.size = sizeof(nq_options), .shard = 1}, "option shard:"},
                   {{.size = sizeof(nq_options), .shards = 2}, "option shards:"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(audit(file, 1, &refused[i].options), NQ_BAD_OPTION, "%s", refused[i].name);
        cr_expect_not_null(strstr(nq_error_message(), refused[i].name), "%s",
                           nq_error_message());
        cr_expect_eq(result.units_chosen, 0);
    }
    expect_no_difference(
        file, 1, &(nq_options){.size = sizeof(nq_options), .tables = NQ_TABLES_NONE}, UNITS);
    cr_expect_eq(audit(file, 1, &(nq_options){.size = sizeof(nq_options), .threads = -1}),
                 NQ_BAD_OPTION);
    cr_expect_str_not_empty(nq_error_message());
}

static bool stop(const nq_progress *progress, void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
    cr_expect(progress->n == N && progress->units == UNITS && progress->units_done >= 1);
    return false;
}

Test(audit, stops_when_the_callback_says_so) {
    const char *file = record(NULL, 0, 0);
    atomic_int calls = 0;
    const nq_options options = {
        .size = sizeof(nq_options), .threads = 1, .progress = stop, .progress_context = &calls};
    cr_expect_eq(audit(file, 1, &options), NQ_CANCELLED);
    cr_expect_eq(atomic_load(&calls), 1);
    cr_expect(result.units_chosen == UNITS && result.units_audited == 1);
    cr_expect_str_not_empty(nq_error_message());
    falsify_all(file);
    cr_expect_eq(audit(file, 1, &options), NQ_DISAGREE,
                 "a difference found before the stop counts");
    cr_expect_eq(result.differences, 1);
}

/* Gives the process that holds the ledger something to commit. */
static void add_a_run(struct ledger *ledger) {
    const struct row run = {.value = {[RUN_ID] = {.number = 5}, [RUN_STATE] = {.number = 1}}};
    if (nqi_ledger_add(ledger, TABLE_RUN, &run, &failure) != NQ_OK)
        _exit(2);
}

static bool let_commit(const nq_progress *progress, void *context) {
    (void)progress;
    holder_commit(context);
    cr_expect(holder_committed(context, 10000), "the audit keeps the writer waiting");
    return false;
}

/* An audit may take hours, and a writer cannot wait so long: the audit has read the ledger
 * before it begins to count. */
Test(audit, lets_another_process_commit) {
    const char *file = record(NULL, 1, 2);
    struct holder holder = hold(file, add_a_run);
    cr_expect_eq(audit(file, 1, NULL), NQ_OK, "%s", nq_error_message());
    cr_expect_eq(result.units_audited, UNITS / 2);
    const nq_options options = {.size = sizeof(nq_options),
                                .threads = 1,
                                .progress = let_commit,
                                .progress_context = &holder};
    cr_expect_eq(audit(file, 1, &options), NQ_CANCELLED);
    holder_end(&holder);
}

Test(audit, refuses_ledgers_that_it_cannot_count_again) {
    const char *file = in_folder("none");
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(nq_error_message(), file), "%s", nq_error_message());
    write_bytes(file, "", 0);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(nq_error_message(), file), "%s", nq_error_message());
    write_bytes(file, "a text", 6);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_DAMAGED);
    file = record(NULL, 1, 2);
    run_sql(file, "UPDATE unit SET work = work + 1 WHERE id = (SELECT max(id) FROM unit)");
    cr_expect_eq(audit(file, 1e-9, NULL), NQ_LEDGER_DAMAGED);
    cr_expect_not_null(strstr(nq_error_message(), file), "%s", nq_error_message());
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_IO);
    cr_expect_not_null(strstr(nq_error_message(), "nothing to audit"), "%s",
                       nq_error_message());
    falsify(file, TABLE_JOB, 1, JOB_VERSION, 99);
    cr_expect_eq(audit(file, 1, NULL), NQ_LEDGER_OTHER);
    cr_expect_not_null(strstr(nq_error_message(), "version 99"), "%s", nq_error_message());
}
