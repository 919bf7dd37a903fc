/* SPDX-License-Identifier: MIT */
/* Calls of the library: their options, how they end, and counts with ledgers in the test's
 * folder. */
#ifndef UNIT_COUNTS_H
#define UNIT_COUNTS_H

#include "length.h"

#include <nqueens.h>

/* Options with these members: OPTIONS(.threads = 2). */
#define OPTIONS(...) (&(nq_options){.size = sizeof(nq_options), __VA_ARGS__})

/* The call must have ended so, with a message that names `named`; with none after NQ_OK. */
void expect_status(nq_status status, nq_status expected, const char *named);

/* A count that must succeed. */
nq_result count_ok(int n, const nq_options *options);

/* A count that must end so, with a message that names `named`, and whose result must then be
 * empty. */
void expect_refusal(int n, const nq_options *options, nq_status expected, const char *named);

/* The same with a ledger, the folder's only file, which must stay as it was. */
void expect_refused(int n, const nq_options *options, nq_status expected, const char *named);

#endif
