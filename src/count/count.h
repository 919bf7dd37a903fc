/* SPDX-License-Identifier: MIT */
/* A count, as other folders see it. A setup is all that must be decided before the first unit
 * is solved. An executor lets several processes solve the units of one count. */
#ifndef COUNT_COUNT_H
#define COUNT_COUNT_H

#include "ledger/ledger.h"
#include "machine/team.h"
#include "methods/methods.h"
#include "run/run.h"

struct setup {
    nq_options options; /* the caller's; `method` may come from the ledger, and is then valid
                           until the ledger is closed */
    uint32_t squares[NQ_MAX_N]; /* allowed squares of each row, if options.board is not NULL */
    struct team team;
    struct partition *partition;
    struct solver *solver;
    struct ledger *ledger;       /* NULL if the options have none */
    struct recording *recording; /* records the run under way; NULL if none is under way */
    struct recorded recorded;    /* what the ledger held before the run */
    struct selection selection;  /* the units to solve */
    bool distributed;            /* other processes count as well */
};

/* Makes a setup: checks n and the options, opens the ledger, forms the team, divides the board
 * into units, makes their solver, and selects the units to solve. The strings of the options
 * must outlive the setup. Release it with nqi_setup_free(), even after a failure.
 *
 * Returns NQ_OK; NQ_BAD_N; NQ_BAD_OPTION; NQ_LEDGER_OTHER if the ledger is for another n or
 * method; NQ_NO_MEMORY, which `failure` may leave unexplained; or a status of nqi_team_form,
 * nqi_solver_open, nqi_ledger_open, nqi_ledger_match_job or nqi_recorded_sum. */
nq_status nqi_setup_make(int n, const nq_options *options, struct setup *setup,
                         struct failure *failure);
void nqi_setup_free(struct setup *setup);

/* If the status is a failure that has no sentence yet, writes one that has n and the text of
 * the status. Returns the status. */
nq_status nqi_fail_for_n(nq_status status, int n, struct failure *failure);

/* How the units of a count are solved together with other processes. */
struct executor {
    /* Called instead of nqi_run_solve(). A status other than NQ_OK, which `failure` may
     * explain, ends the count. */
    nq_status (*execute)(void *context, struct run *run, const struct setup *setup,
                         struct failure *failure);
    void *context;
    /* If `source` is NULL, this process solves the selection. Else it solves the units that the
     * source hands out, which are a part of the count, and passes their results to `sink`. */
    const struct source *source;
    struct sink sink;
};

/* Does what nq_count_solutions() does, except that the executor solves the units, or this
 * process if `executor` is NULL. `failure` must be empty; after a failure it has a sentence. */
nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result, struct failure *failure);

#endif
