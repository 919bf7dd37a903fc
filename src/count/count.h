/* SPDX-License-Identifier: MIT */
/* A count: what it needs before its first unit is solved (the threads, the units, and the
 * ledger that records them), and counts whose units are solved by several processes. */
#ifndef COUNT_COUNT_H
#define COUNT_COUNT_H

#include "ledger/ledger.h"
#include "machine/team.h"
#include "methods/methods.h"
#include "run/run.h"

struct setup {
    nq_options options; /* completed from the ledger, whose names live until it is closed */
    uint32_t squares[NQ_MAX_N]; /* of options.board that may be used, by rows; if it is given */
    struct team team;
    struct partition *partition;
    struct solver *solver;
    struct ledger *ledger;       /* NULL: none */
    struct recording *recording; /* of the run under way in the ledger; NULL: none */
    struct recorded recorded;
    struct selection selection;
    bool distributed; /* other processes count, too */
};

/* Checks n and the options, which must outlive it, forms the team, makes the units' solver, and
 * opens the ledger. Release with nqi_setup_free, even after a failure. Returns NQ_OK, or, with
 * a reason in `failure`, NQ_BAD_N; NQ_BAD_OPTION: the shard is out of range; NQ_LEDGER_OTHER:
 * the ledger is for another n or method; NQ_NO_MEMORY, without a sentence; or a
 * status of nqi_team_form, nqi_solver_open, nqi_ledger_open or nqi_recorded_sum. */
nq_status nqi_setup_make(int n, const nq_options *options, struct setup *setup,
                         struct failure *failure);
void nqi_setup_free(struct setup *setup);

/* Writes n and the status text to `failure` if a failure has left it empty. Returns the
 * status. */
nq_status nqi_fail_for_n(nq_status status, int n, struct failure *failure);

/* Solves the units of a count together with other processes. */
struct executor {
    /* In the place of nqi_run_solve. A status other than NQ_OK, which `failure` may explain,
     * ends the count. */
    nq_status (*execute)(void *context, struct run *run, const struct setup *setup,
                         struct failure *failure);
    void *context;
    /* NULL: the selection. Else this process solves a part, for `sink`. */
    const struct source *source;
    struct sink sink;
};

/* Like nq_count_solutions(), but the executor solves the units. NULL: this process does. After
 * a failure `failure`, which must be empty before, says what was wrong. */
nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result, struct failure *failure);

#endif
