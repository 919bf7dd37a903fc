/* Counts with a ledger, by both methods: read again, stopped and continued, and in shards.
 * Counts that do not go with their ledger are refused, and the ledger stays as it was. */
#include "counts.h"
#include "implementations.h"
#include "ledger/show.h"
#include "ledgers.h"
#include "library/setup.h"
#include "oracle.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

TestSuite(durable, .init = folder_make, .fini = folder_remove);

/* The first count solves all units; the second one finds them in the ledger, and what they were
 * counted with. */
static void count_twice(int n, const char *plan, int depth, const char *kernel) {
    const char *file = in_folder("file");
    const nq_result first = count_ok(n, OPTIONS(.threads = 2, .plan = plan, .depth = depth,
                                                .kernel = kernel, .ledger = file));
    const nq_result again = count_ok(n, OPTIONS(.ledger = file));
    cr_expect(first.complete && again.complete && first.verdict == NQ_VERIFIED &&
                  again.verdict == NQ_VERIFIED && first.solutions == published[n] &&
                  again.solutions == published[n] && first.units_recorded == 0 &&
                  again.units_recorded == again.units && again.units_done == first.units &&
                  again.work == first.work && again.threads == 0,
              "n = %d, plan %s, kernel %s: %" PRIu64, n, plan, kernel, again.solutions);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), (int64_t)first.units);
    cr_expect(first.units == 0 || (first.seconds_recorded == 0 && again.seconds_recorded > 0));
    cr_expect_eq(files_in_folder(), 1);
    cr_assert_eq(remove(file), 0);
}

/* Some plans have no units for n = 2 and 3. */
Test(durable, units_are_solved_once) {
    for (int n = 0; n <= 13; n += n < 3 ? 1 : 5) {
        for (struct way way = {0}; next_way(&way);)
            for (const struct kernel *k = NULL; (k = kernel_after(k)) != NULL;)
                count_twice(n, way.plan->name, way.depth, k->impl.name);
        for (const struct implementation *k = NULL;
             (k = implementation_after(nqi_completer_list, k)) != NULL;)
            count_twice(n, "orbits", 0, k->name);
    }
}

/* Stops and continues a count until it is complete, each time with other threads and another
 * kernel, and with what was chosen named or left open. */
static void stop_and_go(int n, const char *plan, int depth, int most_calls,
                        const struct implementation *const *kernels) {
    const char *file = in_folder("file");
    const nq_result whole = count_ok(n, OPTIONS(.plan = plan, .depth = depth));
    nq_result result = NQ_RESULT_INIT;
    const struct implementation *kernel = NULL;
    uint64_t recorded = 0;
    double seconds = 0;
    int runs = 0;
    for (nq_status status = NQ_CANCELLED; status != NQ_OK; runs++) {
        struct watch w = {.stop_at = most_calls};
        kernel = implementation_after(kernels, kernel);
        if (kernel == NULL)
            kernel = implementation_after(kernels, NULL);
        const nq_options *options =
            OPTIONS(.threads = 1 + runs % 4, .plan = runs % 2 == 0 ? plan : NULL,
                    .depth = runs % 3 == 0 ? depth : 0, .ledger = file, .kernel = kernel->name,
                    WATCHED_BY(&w));
        status = nq_count_solutions(n, options, &result);
        cr_assert(status == NQ_OK || status == NQ_CANCELLED, "%s", nq_error_message());
        cr_expect(result.units == whole.units && result.units_recorded == recorded &&
                  result.units_done > recorded);
        recorded = result.units_done;
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), (int64_t)recorded);
        cr_expect_str_eq(result.job.plan, plan);
        cr_expect_str_eq(result.kernel, kernel->name);
        cr_expect(!w.wrong && result.job.depth == depth &&
                  (runs == 0 || result.seconds_recorded > seconds));
        seconds = result.seconds_recorded;
        cr_expect(status == NQ_OK || (!result.complete && result.solutions == 0 &&
                                      result.verdict == NQ_UNVERIFIED));
    }
    cr_expect_gt(runs, 2);
    cr_expect(result.complete && result.verdict == NQ_VERIFIED &&
              result.solutions == whole.solutions && result.work == whole.work);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 1"), runs);
    cr_assert_eq(remove(file), 0);
}

Test(durable, a_stopped_count_continues) {
    stop_and_go(16, "cross", 0, 25, nqi_kernel_list);
    stop_and_go(15, "cross", 0, 120, nqi_kernel_list);
    stop_and_go(14, "rows", 3, 150, nqi_kernel_list);
    stop_and_go(16, "orbits", 0, 60, nqi_completer_list);
    stop_and_go(15, "orbits", 0, 120, nqi_completer_list);
}

/* The whole count must be the sum of the shards, and must be in the ledger that they share, and
 * in their own ledgers merged. */
static void count_shards(int n, const char *plan, int depth, int shards) {
    const nq_result whole = count_ok(n, OPTIONS(.plan = plan, .depth = depth));
    const char *shared = in_folder("shared"), *merged = in_folder("merged"), *parts[8];
    uint64_t solutions = 0, work = 0, units = 0;
    for (int shard = shards; shard >= 1; shard--) {
        char name[16];
        snprintf(name, sizeof name, "part%d", shard);
        parts[shard - 1] = in_folder(name);
        nq_options options =
            *OPTIONS(.plan = plan, .depth = depth, .threads = 2, .shard = shard,
                     .shards = shards, .ledger = parts[shard - 1]);
        const nq_result part = count_ok(n, &options);
        solutions += part.solutions;
        work += part.work;
        units += part.units_done;
        options.ledger = shared;
        const nq_result sum = count_ok(n, &options);
        cr_expect(
            part.units == whole.units && part.complete == (part.units_done == part.units) &&
                sum.solutions == solutions && sum.units_done == units && sum.work == work &&
                sum.complete == (units == whole.units),
            "n = %d, shard %d of %d: %" PRIu64 " units", n, shard, shards, sum.units_done);
        options.ledger = NULL;
        const nq_result alone = count_ok(n, &options);
        cr_expect(alone.solutions == part.solutions && alone.units == part.units_done &&
                  alone.units_done == alone.units && alone.work == part.work);
    }
    expect_status(nqi_ledger_merge(parts, (size_t)shards, merged), NQ_OK, "merge");
    const char *const complete[] = {shared, merged};
    for (int i = 0; i < 2; i++) {
        const nq_result result = count_ok(n, OPTIONS(.ledger = complete[i]));
        cr_expect(result.complete && result.verdict == NQ_VERIFIED &&
                      result.solutions == published[n] && result.work == whole.work &&
                      result.units_recorded == whole.units && units == whole.units,
                  "n = %d, %d shards, %s: %" PRIu64 " solutions", n, shards, complete[i],
                  result.solutions);
    }
    folder_remove();
    folder_make();
}

/* A script that merges the ledgers of all shards must find those of shards without units, too.
 */
Test(durable, shards_make_the_whole_count) {
    for (int shards = 1; shards <= 3; shards += 2) {
        count_shards(10, "cross", 0, shards);
        count_shards(11, "rows", 2, shards);
        count_shards(12, "orbits", 0, shards);
        count_shards(11, "orbits", 0, shards);
    }
    count_shards(8, "cross", 0, 7);
    count_shards(0, "orbits", 0, 3);
}

Test(durable, shards_out_of_range_are_refused) {
    static const int wrong[][2] = {
        {0, 1},   {1, 0},  {2, 1}, {-1, 1},
        {-1, -1}, {1, -1}, {5, 4}, {NQ_MAX_SHARDS + 1, NQ_MAX_SHARDS + 1}};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        const nq_options *options =
            OPTIONS(.shard = wrong[i][0], .shards = wrong[i][1], .ledger = in_folder("file"));
        char named[64];
        snprintf(named, sizeof named, "shard %d of %d", wrong[i][0], wrong[i][1]);
        expect_refusal(8, options, NQ_BAD_OPTION, named);
        expect_status(nqi_setup_try(options), NQ_BAD_OPTION, named);
        cr_expect_eq(files_in_folder(), 0);
    }
    cr_expect_eq(count_ok(8, OPTIONS(.shard = NQ_MAX_SHARDS, .shards = NQ_MAX_SHARDS)).units,
                 0);
}

/* A ledger of a part of n = 8. */
static const char *record(const char *plan, int depth) {
    const char *file = in_folder("file");
    count_ok(8, OPTIONS(.plan = plan, .depth = depth, .shard = 1, .shards = 2, .ledger = file));
    return file;
}

Test(durable, a_ledger_of_another_n_is_refused) {
    const char *file = record("cross", 0);
    for (int n = -1; n <= NQ_MAX_N + 1; n += n < 6 ? 7 : n < 10 ? 1 : 6)
        if (n != 8)
            expect_refused(n, OPTIONS(.ledger = file),
                           n < 0 || n > NQ_MAX_N ? NQ_BAD_N : NQ_LEDGER_OTHER, "n = ");
}

/* Each way of counting can be continued in itself alone, whether it is named or not. */
Test(durable, another_way_of_counting_is_refused) {
    static const struct {
        const char *method, *plan;
        int depth;
    } ways[] = {{"search", "cross", 0},
                {"search", "rows", 2},
                {"search", "rows", 3},
                {"colours", "orbits", 0}};
    for (size_t is = 0; is < LENGTH(ways); is++) {
        const char *file = record(ways[is].plan, ways[is].depth);
        for (size_t i = 0; i < LENGTH(ways); i++)
            if (i != is)
                expect_refused(8,
                               OPTIONS(.method = ways[i].method, .plan = ways[i].plan,
                                       .depth = ways[i].depth, .ledger = file),
                               NQ_LEDGER_OTHER, file);
        const nq_options *const open[] = {OPTIONS(.ledger = file),
                                          OPTIONS(.plan = ways[is].plan, .ledger = file),
                                          OPTIONS(.depth = ways[is].depth, .ledger = file),
                                          OPTIONS(.method = ways[is].method, .ledger = file)};
        for (size_t i = 0; i < LENGTH(open); i++) {
            const nq_result result = count_ok(8, open[i]);
            cr_expect_str_eq(result.job.plan, ways[is].plan);
            cr_expect(result.job.depth == ways[is].depth && result.solutions == 92);
        }
        cr_assert_eq(remove(file), 0);
    }
    const char *file = record("rows", 3);
    expect_refused(8, OPTIONS(.depth = 2, .ledger = file), NQ_LEDGER_OTHER, file);
    expect_refused(8, OPTIONS(.depth = 9, .ledger = file), NQ_BAD_OPTION, "9");
}

/* The ledger is at fault, not an option: so the status is not NQ_BAD_OPTION. */
Test(durable, units_that_this_version_does_not_know_are_refused) {
    const char *const plans[] = {"cross", "orbits"};
    for (size_t i = 0; i < LENGTH(plans); i++) {
        const char *file = record(plans[i], 0);
        const int64_t version = ask_sql(file, "SELECT plan_version FROM job"),
                      units = ask_sql(file, "SELECT units FROM job");
        run_sql(file, "DELETE FROM unit; DELETE FROM run");
        falsify(file, TABLE_JOB, 1, JOB_VERSION, version + 1);
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        expect_refused(8, OPTIONS(.plan = plans[i], .ledger = file), NQ_LEDGER_OTHER, file);
        falsify(file, TABLE_JOB, 1, JOB_VERSION, version);
        falsify(file, TABLE_JOB, 1, JOB_UNITS, units + 1);
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        falsify(file, TABLE_JOB, 1, JOB_UNITS, units);
        falsify_text(file, TABLE_JOB, 1, JOB_PLAN, "spiral");
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        falsify_text(file, TABLE_JOB, 1, JOB_METHOD, "guess");
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER, file);
        expect_refused(8, OPTIONS(.method = "search", .ledger = file), NQ_LEDGER_OTHER, file);
        falsify_text(file, TABLE_JOB, 1, JOB_METHOD, "join");
        expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_OTHER,
                       "method join, last in commit");
        cr_assert_eq(remove(file), 0);
    }
}

/* A file left behind would be in the way of the next count. */
Test(durable, wrong_options_change_no_ledger_and_make_none) {
    const nq_options *const wrong[] = {OPTIONS(.ledger = in_folder("file"), .plan = "spiral"),
                                       OPTIONS(.ledger = in_folder("file"), .threads = -1)};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        expect_refusal(8, wrong[i], NQ_BAD_OPTION, "");
        cr_expect_eq(files_in_folder(), 0);
    }
    record("cross", 0);
    for (size_t i = 0; i < LENGTH(wrong); i++)
        expect_refused(8, wrong[i], NQ_BAD_OPTION, "");
}

Test(durable, unusable_ledgers_are_refused) {
    const char *file = in_folder("file");
    expect_refusal(8, OPTIONS(.ledger = folder()), NQ_LEDGER_IO, folder());
    record("cross", 0);
    struct holder holder = hold(file, NULL);
    expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_BUSY, file);
    holder_end(&holder);
    run_sql(file, "UPDATE unit SET solutions = solutions + 1");
    expect_refused(8, OPTIONS(.ledger = file), NQ_LEDGER_DAMAGED, "checksum");
}

/* The ledger is complete and its checksums are right, but its total is wrong. */
Test(durable, a_wrong_total_is_reported) {
    const char *file = record("cross", 0);
    count_ok(8, OPTIONS(.ledger = file));
    const int64_t solutions = ask_sql(file, "SELECT solutions FROM unit WHERE id = 1");
    falsify(file, TABLE_UNIT, 1, UNIT_SOLUTIONS, solutions + 1);
    nq_result result = NQ_RESULT_INIT;
    expect_status(nq_count_solutions(8, OPTIONS(.ledger = file), &result), NQ_MISMATCH, "92");
    cr_expect(result.verdict == NQ_WRONG && result.complete && result.solutions > 92);
}
