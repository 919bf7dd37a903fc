/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include "ledgers.h"

#include <criterion/criterion.h>
#include <string.h>

void expect_status(nq_status status, nq_status expected, const char *named) {
    cr_expect_eq(status, expected, "%s: %s, '%s'", named, nq_status_text(status),
                 nq_error_message());
    if (expected == NQ_OK)
        cr_expect_str_empty(nq_error_message());
    else
        cr_expect_not_null(strstr(nq_error_message(), named), "'%s' lacks '%s'",
                           nq_error_message(), named);
}

nq_result count_ok(int n, const nq_options *options) {
    nq_result result = NQ_RESULT_INIT;
    expect_status(nq_count_solutions(n, options, &result), NQ_OK, "a count");
    cr_assert_eq(result.job.n, n, "n = %d", n);
    return result;
}

void expect_refusal(int n, const nq_options *options, nq_status expected, const char *named) {
    nq_result result = {
        .size = sizeof result, .solutions = 7, .units = 7, .job.method = "rubbish"};
    expect_status(nq_count_solutions(n, options, &result), expected, named);
    cr_expect(result.job.n == n && result.solutions == 0 && result.verdict == NQ_UNVERIFIED &&
                  !result.complete && result.units_done == 0,
              "n = %d, %s", n, named);
}

void expect_refused(int n, const nq_options *options, nq_status expected, const char *named) {
    struct bytes before = bytes_of(options->ledger);
    expect_refusal(n, options, expected, named);
    cr_expect(unchanged(options->ledger, before), "the ledger has changed");
    cr_expect_eq(files_in_folder(), 1);
}
