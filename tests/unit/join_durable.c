/* Counts by method join with a ledger: read again, stopped and continued, in shards, audited,
 * and refused if the ledger belongs to another count. */
#include "counts.h"
#include "implementations.h"
#include "ledger/show.h"
#include "ledgers.h"
#include "measure/audit.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(join_durable, .init = folder_make, .fini = folder_remove);

static nq_result join_ok(int n, const nq_options *options) {
    nq_result result = count_ok(n, options);
    cr_expect_str_eq(result.method, "join");
    cr_expect_str_eq(result.plan, "halves");
    cr_expect_str_eq(result.work_name, "pairs");
    return result;
}

/* The first count solves all units; the second one finds them in the ledger. */
static void count_twice(int n, const char *kernel, nq_tables tables) {
    const char *file = in_folder("file");
    nq_options options = {.size = sizeof(nq_options),
                          .method = "join",
                          .threads = 1 + n % 3,
                          .kernel = kernel,
                          .tables = tables,
                          .ledger = file};
    nq_result first = join_ok(n, &options);
    cr_expect(first.complete && first.verdict == NQ_VERIFIED &&
                  first.solutions == published[n] && first.units_recorded == 0,
              "n = %d, kernel %s: %" PRIu64, n, kernel, first.solutions);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), (int64_t)first.units);
    options.method = NULL; /* as in the ledger */
    nq_result again = join_ok(n, &options);
    cr_expect(again.complete && again.verdict == NQ_VERIFIED &&
                  again.solutions == published[n] && again.work == first.work &&
                  again.units_recorded == again.units && again.threads == 0,
              "n = %d, kernel %s: %" PRIu64, n, kernel, again.solutions);
    struct ledger_info info;
    cr_expect_eq(nqi_ledger_show(file, &info, NULL, 0), NQ_OK, "%s", nq_error_message());
    cr_expect(info.current && info.n == n && info.depth == 0 && info.verdict == NQ_VERIFIED &&
              info.work == first.work && info.units == first.units &&
              info.units_done == first.units && info.share == 1);
    cr_expect_str_eq(info.method, "join");
    cr_expect_str_eq(info.plan, "halves");
    cr_expect_str_eq(info.work_name, "pairs");
    cr_assert_eq(remove(file), 0);
}

Test(join_durable, units_are_solved_once) {
    const struct matcher *matcher;
    for (size_t m = 0; (matcher = matcher_here(m)) != NULL; m++)
        for (int n = 1; n <= 14; n += n < 10 ? 3 : 1)
            count_twice(n, matcher->impl.name, n % 2 == 0 ? NQ_TABLES_AUTO : NQ_TABLES_NONE);
}

static bool stop_later(const nq_progress *progress, void *context) {
    /* While tables are made, no work is done yet. */
    return progress->work == 0 || --*(int *)context > 0;
}

static const char *any_kernel(void) {
    size_t count = 0;
    while (matcher_here(count) != NULL)
        count++;
    return matcher_here((size_t)rand() % count)->impl.name;
}

/* Stops and continues a count until it is complete, each time with other threads and another
 * kernel, with tables or without. */
static void stop_and_go(int n, int most_calls) {
    const char *file = in_folder("file");
    nq_result whole = join_ok(n, &(nq_options){.size = sizeof(nq_options), .method = "join"}),
              result = NQ_RESULT_INIT;
    uint64_t recorded = 0;
    int runs = 0;
    for (nq_status status = NQ_CANCELLED; status != NQ_OK; runs++) {
        int calls = most_calls;
        const nq_options options = {.size = sizeof(nq_options),
                                    .threads = 1 + runs % 4,
                                    .method = runs % 2 == 0 ? "join" : NULL,
                                    .plan = runs % 3 == 0 ? "halves" : NULL,
                                    .tables = runs % 2 == 0 ? NQ_TABLES_AUTO : NQ_TABLES_NONE,
                                    .ledger = file,
                                    .kernel = any_kernel(),
                                    .progress = stop_later,
                                    .progress_context = &calls,
                                    .progress_seconds = 1e-9};
        status = continue_count(n, &options, whole.units, &recorded, &result);
        cr_expect(strcmp(result.method, "join") == 0 && strcmp(result.plan, "halves") == 0 &&
                  strcmp(result.kernel, options.kernel) == 0);
    }
    cr_expect_gt(runs, 2);
    cr_expect(result.complete && result.verdict == NQ_VERIFIED);
    cr_expect(result.solutions == whole.solutions && result.work == whole.work);
}

Test(join_durable, a_stopped_count_continues_for_even_n) {
    stop_and_go(16, 60);
}
Test(join_durable, a_stopped_count_continues_for_odd_n) {
    stop_and_go(15, 120);
}

Test(join_durable, shards_make_the_whole_count) {
    for (int shards = 1; shards <= 3; shards += 2)
        for (int n = 0; n <= 12; n += n < 9 ? 9 : 1)
            count_shards(n,
                         &(nq_options){.size = sizeof(nq_options),
                                       .method = "join",
                                       .kernel = any_kernel()},
                         shards);
}

/* n = 9 has many units, with the middle queen in five columns. */
enum { N = 9 };
static struct audit_result result;
static struct difference difference; /* the first one */

static const char *record(const char *kernel) {
    const char *file = in_folder("file");
    join_ok(
        N, &(nq_options){
               .size = sizeof(nq_options), .method = "join", .kernel = kernel, .ledger = file});
    return file;
}

static nq_status audit(const char *file, double share, const nq_options *options) {
    memset(&result, 0x5a, sizeof result);
    return nqi_ledger_audit(file, share, options, &result, &difference, 1);
}

Test(join_durable, an_audit_by_any_kernel_finds_no_difference) {
    const struct matcher *recorder, *auditor;
    for (size_t r = 0; (recorder = matcher_here(r)) != NULL; r++) {
        const char *file = record(recorder->impl.name);
        for (size_t a = 0; (auditor = matcher_here(a)) != NULL; a++)
            for (int threads = 1; threads <= 3; threads++) {
                const nq_options options = {.size = sizeof(nq_options),
                                            .kernel = auditor->impl.name,
                                            .threads = threads};
                cr_expect_eq(audit(file, 1, &options), NQ_OK, "%s", nq_error_message());
                cr_expect(result.n == N && result.differences == 0 &&
                          result.units_audited == result.units_recorded &&
                          result.same_kernel == (a == r ? result.units_recorded : 0));
            }
        cr_expect_eq(audit(file, 1, NULL), NQ_OK, "%s", nq_error_message());
        cr_expect_eq(result.same_kernel, matcher_here(1) == NULL ? result.units_recorded : 0);
        cr_expect_eq(audit(file, 0.1,
                           &(nq_options){.size = sizeof(nq_options), .tables = NQ_TABLES_NONE}),
                     NQ_OK, "%s", nq_error_message());
        cr_expect_gt(result.units_audited, 0);
        cr_assert_eq(remove(file), 0);
    }
}

static void expect_found(const char *file, int column, int64_t more) {
    const int64_t unit = 11;
    const char *names[] = {[UNIT_SOLUTIONS] = "solutions", [UNIT_WORK] = "work"};
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT %s FROM unit WHERE id = %d", names[column], (int)unit);
    int64_t right = ask_sql(file, sql);
    falsify(file, TABLE_UNIT, unit, column, right + more);
    cr_expect_eq(audit(file, 1, NULL), NQ_DISAGREE, "%s", nq_error_message());
    cr_expect_eq(result.differences, 1);
    const struct difference *d = &difference;
    cr_expect_eq(d->unit, unit);
    if (column == UNIT_SOLUTIONS)
        cr_expect(d->solutions == (uint64_t)right &&
                  d->recorded_solutions == (uint64_t)(right + more));
    else
        cr_expect(d->work == (uint64_t)right && d->recorded_work == (uint64_t)(right + more));
    falsify(file, TABLE_UNIT, unit, column, right);
    cr_expect_eq(audit(file, 1, NULL), NQ_OK, "%s", nq_error_message());
}

Test(join_durable, an_audit_finds_a_falsified_row) {
    const char *file = record("scalar64");
    expect_found(file, UNIT_SOLUTIONS, 1);
    expect_found(file, UNIT_WORK, 1);
    expect_found(file, UNIT_WORK, -1);
    expect_found(file, UNIT_SOLUTIONS, INT64_C(1) << 40);
}

Test(join_durable, search_cannot_continue_a_ledger_of_join) {
    const char *file = record(NULL);
    expect_refused(
        N, &(nq_options){.size = sizeof(nq_options), .method = "search", .ledger = file},
        NQ_LEDGER_OTHER, file);
    expect_refused(
        N,
        &(nq_options){.size = sizeof(nq_options), .method = "join", .depth = 2, .ledger = file},
        NQ_BAD_OPTION, "join");
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        nq_options options = {.size = sizeof(nq_options),
                              .method = "search",
                              .plan = nqi_plan_at(p)->name,
                              .ledger = file};
        expect_refused(N, &options, NQ_LEDGER_OTHER, file);
        options.method = "join";
        expect_refused(N, &options, NQ_BAD_OPTION, "join");
    }
}

Test(join_durable, join_cannot_continue_a_ledger_of_search) {
    for (size_t p = 0; nqi_plan_at(p) != NULL; p++) {
        const char *file = in_folder("file");
        const nq_options options = {.size = sizeof(nq_options),
                                    .method = "search",
                                    .plan = nqi_plan_at(p)->name,
                                    .ledger = file};
        nq_result searched = NQ_RESULT_INIT;
        cr_assert_eq(nq_count_solutions(N, &options, &searched), NQ_OK, "%s",
                     nq_error_message());
        expect_refused(
            N, &(nq_options){.size = sizeof(nq_options), .method = "join", .ledger = file},
            NQ_LEDGER_OTHER, file);
        expect_refused(
            N,
            &(nq_options){
                .size = sizeof(nq_options), .method = "join", .plan = "halves", .ledger = file},
            NQ_LEDGER_OTHER, file);
        cr_assert_eq(remove(file), 0);
    }
}

Test(join_durable, units_of_another_version_are_refused) {
    const char *file = record(NULL);
    run_sql(file, "DELETE FROM unit; DELETE FROM run");
    falsify(file, TABLE_JOB, 1, JOB_VERSION, ask_sql(file, "SELECT plan_version FROM job") + 1);
    expect_refused(N, &(nq_options){.size = sizeof(nq_options), .ledger = file},
                   NQ_LEDGER_OTHER, file);
    expect_refused(N,
                   &(nq_options){.size = sizeof(nq_options), .method = "join", .ledger = file},
                   NQ_LEDGER_OTHER, file);
}
