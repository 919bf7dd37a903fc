/* What a count needs before its first unit is solved: the threads, the units, and the ledger
 * that records them. */
#ifndef LIBRARY_SETUP_H
#define LIBRARY_SETUP_H

#include "ledger/recorded.h"
#include "library/request.h"
#include "run/selection.h"

struct setup {
    struct count_request request; /* completed from the ledger */
    bool ledger_chose;            /* method, plan and depth are all from the ledger */
    struct team team;
    struct partition *partition;
    struct solver *solver;
    struct ledger *ledger; /* NULL: none */
    struct recorded recorded;
    struct selection selection;
};

/* Checks the request, forms the team, makes the units' solver, and opens the ledger. Release
 * with nqi_setup_free, even after a failure. Returns NQ_OK, or, with a reason in `failure`,
 * NQ_BAD_OPTION: the shard is out of range; NQ_LEDGER_OTHER: the ledger is for another n,
 * method, plan or depth; NQ_NO_MEMORY, without a sentence; or a status of nqi_team_form,
 * nqi_solver_open, nqi_ledger_open or nqi_recorded_read. */
nq_status nqi_setup_make(const struct count_request *request, struct setup *setup,
                         struct failure *failure);
void nqi_setup_free(struct setup *setup);

/* Writes n and the status text to `failure` if a failure has left it empty. Returns the
 * status. */
nq_status nqi_name_n(nq_status status, int n, struct failure *failure);

#endif
