/* SPDX-License-Identifier: MIT */
/* Counts with a ledger, by both methods: read again, stopped and continued. Shards, and counts
 * that do not go with their ledger, are tested with the program. */
#include "counts.h"
#include "folder.h"
#include "implementations.h"
#include "search/search.h"
#include "watch.h"

#include <criterion/criterion.h>
#include <stdio.h>

TestSuite(durable, .init = folder_make, .fini = folder_remove);

/* Stops and continues a count until it is complete, each time with other threads and another
 * kernel, and with what was chosen named or left open. Once more, and no unit is solved. */
static void stop_and_go(int n, const char *plan, int most_calls,
                        const struct implementation *const *kernels) {
    const char *file = in_folder("file");
    const nq_result whole = count_ok(n, OPTIONS(.plan = plan));
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
                    .ledger = file, .kernel = kernel->name, WATCHED_BY(&w));
        status = nq_count_solutions(n, options, &result);
        cr_assert(status == NQ_OK || status == NQ_CANCELLED, "%s", nq_error_message());
        cr_expect(result.units == whole.units && result.units_recorded == recorded &&
                  result.units_done > recorded);
        recorded = result.units_done;
        cr_expect_eq(ask_sql(file, "SELECT count(*) FROM unit"), (int64_t)recorded);
        cr_expect_str_eq(result.job.plan, plan);
        cr_expect_str_eq(result.kernel, kernel->name);
        cr_expect(!w.wrong && (runs == 0 || result.seconds_recorded > seconds));
        seconds = result.seconds_recorded;
        cr_expect(status == NQ_OK ||
                  (!result.complete && result.solutions == 0 && w.calls == most_calls &&
                   result.verdict == NQ_UNVERIFIED));
    }
    cr_expect_gt(runs, 2);
    cr_expect(result.complete && result.verdict == NQ_VERIFIED &&
              result.solutions == whole.solutions && result.work == whole.work);
    cr_expect_eq(ask_sql(file, "SELECT count(*) FROM run WHERE state = 1"), runs);
    const nq_result again = count_ok(n, OPTIONS(.ledger = file));
    cr_expect(again.complete && again.solutions == whole.solutions && again.threads == 0 &&
              again.units_recorded == again.units && again.work == whole.work);
    cr_expect_eq(files_in_folder(), 1);
    cr_assert_eq(remove(file), 0);
}

Test(durable, a_stopped_count_continues) {
    stop_and_go(14, "rows", 150, nqi_method_search.kernels);
    stop_and_go(16, "orbits", 60, nqi_completer_list);
    stop_and_go(15, "orbits", 120, nqi_completer_list);
}

Test(durable, a_shard_may_have_no_unit) {
    cr_expect_eq(count_ok(8, OPTIONS(.shard = NQ_MAX_SHARDS, .shards = NQ_MAX_SHARDS)).units,
                 0);
}
