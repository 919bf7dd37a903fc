/* SPDX-License-Identifier: MIT */
/* Ledgers in the test's folder, to falsify. */
#ifndef UNIT_LEDGERS_H
#define UNIT_LEDGERS_H

#include "folder.h"
#include "ledger/database.h"

/* Run SQL on a file, past the library. ask_sql: returns the number that a SELECT yields. */
void run_sql(const char *file, const char *sql);
int64_t ask_sql(const char *file, const char *sql);

/* Give a column of a ledger's row another value, and the row the matching checksum, so that
 * only the value is wrong. */
void falsify(const char *file, enum table_id table, int64_t id, int column, int64_t number);
void falsify_text(const char *file, enum table_id table, int64_t id, int column,
                  const char *text);

/* Ledgers of a job made up for the test, with n = 9. Messages go to `failure.text`. */
extern struct failure failure;
extern const struct partition made_up_job;
struct ledger *open_ok(const char *file, enum ledger_use use);
nq_status add_unit(struct ledger *ledger, int64_t id);
nq_status commit(struct ledger *ledger);
/* Adds the job, and units 0, 3 and 6. Unit i has 5 i solutions and 7 i nodes. */
void fill(struct ledger *ledger);
/* Makes a ledger of a job with units first..end - 1, like those of fill(), and returns its
 * file. */
const char *make_ledger_of(const struct partition *job, const char *name, int64_t first,
                           int64_t end);
/* Makes a ledger, fills it, and returns its file. */
const char *make_ledger(const char *name);
/* The number of rows in a table. */
int rows_in(struct ledger *ledger, enum table_id table);
/* The call must have ended so, with `named` in failure.text, which is then emptied. */
void expect_failure(nq_status status, nq_status expected, const char *named);
/* Opening must fail with that status, and with the file and `why` in failure.text. */
void expect_not_opened(const char *file, enum ledger_use use, nq_status expected,
                       const char *why);

#endif
