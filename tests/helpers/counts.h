/* SPDX-License-Identifier: MIT */
/* Calls of the library: their options, how they end, and the ledgers that they leave. */
#ifndef HELPERS_COUNTS_H
#define HELPERS_COUNTS_H

#include "core/arrays.h"
#include "ledger/ledger.h"

#include <criterion/criterion.h>
#include <nqueens.h>
#include <stdlib.h>
#include <string.h>

/* Options with these members: OPTIONS(.threads = 2). */
#define OPTIONS(...) (&(nq_options){.size = sizeof(nq_options), __VA_ARGS__})

/* Unsets the variables that OpenMP and hwloc heed: the user's settings must not decide what is
 * tested. */
static inline void forget_settings(void) {
    const char *const names[] = {"OMP_PROC_BIND",   "OMP_PLACES",      "GOMP_CPU_AFFINITY",
                                 "OMP_NUM_THREADS", "HWLOC_SYNTHETIC", "HWLOC_XMLFILE",
                                 "HWLOC_THISSYSTEM"};
    for (size_t i = 0; i < LENGTH(names); i++)
        unsetenv(names[i]);
}

/* Expects that a call ended with this status, and that its message contains `named`. After
 * NQ_OK the message must be empty. */
static inline void expect_status(nq_status status, nq_status expected, const char *named) {
    cr_expect_eq(status, expected, "%s: %s, '%s'", named, nq_status_text(status),
                 nq_error_message());
    if (expected == NQ_OK)
        cr_expect_str_empty(nq_error_message());
    else
        cr_expect_not_null(strstr(nq_error_message(), named), "'%s' lacks '%s'",
                           nq_error_message(), named);
}

/* Counts solutions. The call must succeed. */
static inline nq_result count_ok(int n, const nq_options *options) {
    nq_result result = NQ_RESULT_INIT;
    expect_status(nq_count_solutions(n, options, &result), NQ_OK, "a count");
    cr_assert_eq(result.job.n, n, "n = %d", n);
    return result;
}

/* Counts. Expects this status, a message that contains `named`, and an empty result. */
static inline void expect_refusal(int n, const nq_options *options, nq_status expected,
                                  const char *named) {
    nq_result result = {
        .size = sizeof result, .solutions = 7, .units = 7, .job.method = "rubbish"};
    expect_status(nq_count_solutions(n, options, &result), expected, named);
    cr_expect(result.job.n == n && result.solutions == 0 && result.verdict == NQ_UNVERIFIED &&
                  !result.complete && result.units_done == 0,
              "n = %d, %s", n, named);
}

/* Where the ledger's internal functions say why they failed. */
static struct failure ledger_failure;

/* Opens a ledger, which must succeed. */
static inline struct ledger *open_ok(const char *file, enum ledger_use use) {
    struct ledger *ledger;
    const nq_status status = nqi_ledger_open(file, use, &ledger, &ledger_failure);
    cr_assert_eq(status, NQ_OK, "%s: %s", nq_status_text(status), ledger_failure.text);
    return ledger;
}

#endif
