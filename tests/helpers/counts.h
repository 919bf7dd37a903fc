/* SPDX-License-Identifier: MIT */
/* Calls of the library: their options, how they end, and the ledgers that they leave. */
#ifndef HELPERS_COUNTS_H
#define HELPERS_COUNTS_H

#include "ledger/ledger.h"

#include <nqueens.h>

/* Options with these members: OPTIONS(.threads = 2). */
#define OPTIONS(...) (&(nq_options){.size = sizeof(nq_options), __VA_ARGS__})

/* Unsets the variables that OpenMP and hwloc heed: the user's settings must not decide what is
 * tested. */
void forget_settings(void);

/* The call must have ended so, with a message that names `named`; with none after NQ_OK. */
void expect_status(nq_status status, nq_status expected, const char *named);

/* A count that must succeed. */
nq_result count_ok(int n, const nq_options *options);

/* A count that must end so, with a message that names `named`, and whose result must then be
 * empty. */
void expect_refusal(int n, const nq_options *options, nq_status expected, const char *named);

/* The number that a SELECT on a ledger yields. */
int64_t ask_sql(const char *file, const char *sql);

/* Opens a ledger, which must succeed. Messages of internal functions go to ledger_failure.text.
 */
struct ledger *open_ok(const char *file, enum ledger_use use);
extern struct failure ledger_failure;

#endif
