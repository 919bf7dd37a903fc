#include "counts.h"
#include "ledger/merge.h"
#include "ledger/show.h"

#include "ledgers.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

nq_result count_ok(int n, const nq_options *options) {
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(n, options, &result);
    cr_assert_eq(status, NQ_OK, "n = %d: %s, %s", n, nq_status_text(status),
                 nq_error_message());
    cr_expect_str_empty(nq_error_message());
    return result;
}

void count_shards(int n, const nq_options *way, int shards) {
    nq_result whole = count_ok(n, way);
    cr_expect_eq(whole.solutions, published[n]);
    const char *shared = in_folder("shared"), *parts[16];
    uint64_t solutions = 0, work = 0, units = 0;
    cr_assert_leq(shards, 16);
    for (int shard = shards; shard >= 1; shard--) {
        char name[16];
        nq_options options = *way;
        options.threads = 2;
        options.tables = shard % 2 == 0 ? NQ_TABLES_AUTO : NQ_TABLES_NONE;
        options.shard = shard;
        options.shards = shards;
        nq_result part = count_ok(n, &options);
        cr_expect_eq(part.complete, part.units_done == whole.units);
        if (!part.complete)
            cr_expect_eq(part.verdict, NQ_UNVERIFIED);
        cr_expect_eq(part.units_done, part.units);
        solutions += part.solutions;
        work += part.work;
        units += part.units;

        snprintf(name, sizeof name, "part%d", shard);
        options.ledger = parts[shard - 1] = in_folder(name);
        nq_result kept = count_ok(n, &options);
        cr_expect(kept.solutions == part.solutions && kept.units_done == part.units &&
                      kept.units == whole.units && kept.complete == part.complete &&
                      kept.work == part.work,
                  "n = %d, shard %d of %d", n, shard, shards);
        options.ledger = shared;
        nq_result sum = count_ok(n, &options);
        cr_expect(sum.solutions == solutions && sum.units_done == units && sum.work == work &&
                      sum.complete == (units == whole.units),
                  "n = %d, shard %d of %d: %" PRIu64 " units", n, shard, shards,
                  sum.units_done);
    }
    cr_expect(solutions == published[n] && work == whole.work && units == whole.units,
              "n = %d, %d shards: %" PRIu64 " solutions", n, shards, solutions);

    const char *merged = in_folder("merged");
    nq_status status = nqi_ledger_merge(parts, (size_t)shards, merged);
    cr_assert_eq(status, NQ_OK, "n = %d, %d shards: %s", n, shards, nq_error_message());
    const char *complete[] = {shared, merged};
    for (int i = 0; i < 2; i++) {
        nq_result result =
            count_ok(n, &(nq_options){.size = sizeof(nq_options), .ledger = complete[i]});
        cr_expect(result.complete && result.verdict == NQ_VERIFIED &&
                      result.solutions == published[n] && result.work == whole.work &&
                      result.units_recorded == whole.units,
                  "n = %d, %d shards, %s: %" PRIu64 " solutions", n, shards, complete[i],
                  result.solutions);
        cr_assert_eq(remove(complete[i]), 0);
    }
    for (int shard = 0; shard < shards; shard++)
        cr_assert_eq(remove(parts[shard]), 0);
}

nq_status continue_count(int n, const nq_options *options, uint64_t units, uint64_t *recorded,
                         nq_result *result) {
    nq_status status = nq_count_solutions(n, options, result);
    cr_assert(status == NQ_OK || status == NQ_CANCELLED, "%s, %s", nq_status_text(status),
              nq_error_message());
    cr_expect_eq(result->units, units);
    cr_expect_eq(result->units_recorded, *recorded);
    cr_assert_gt(result->units_done, *recorded);
    *recorded = result->units_done;
    cr_expect_eq(ask_sql(options->ledger, "SELECT count(*) FROM unit"), (int64_t)*recorded);
    return status;
}

void expect_refused(int n, const nq_options *options, nq_status expected, const char *why) {
    struct bytes before = bytes_of(options->ledger);
    nq_result result = NQ_RESULT_INIT;
    nq_status status = nq_count_solutions(n, options, &result);
    cr_expect_eq(status, expected, "%s: %s", nq_status_text(status), nq_error_message());
    cr_expect_not_null(strstr(nq_error_message(), why), "%s", nq_error_message());
    cr_expect(result.solutions == 0 && !result.complete);
    cr_expect(unchanged(options->ledger, before), "the ledger has changed");
    cr_expect_eq(files_in_folder(), 1);
}
