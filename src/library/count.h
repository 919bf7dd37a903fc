/* SPDX-License-Identifier: MIT */
/* Counts whose units are solved by several processes. */
#ifndef LIBRARY_COUNT_H
#define LIBRARY_COUNT_H

#include "run/run.h"

struct executor {
    /* Solves the selected units and returns a status, both as nqi_run_job does. After a failure
     * `failure` may explain the status. */
    nq_status (*execute)(void *context, struct solver *solver,
                         const struct selection *selection, const struct run_options *options,
                         struct totals *totals, struct failure *failure);
    void *context;
};

/* Like nq_count_solutions(), but the executor solves the units. NULL: this process does. After
 * a failure `failure`, which must be empty before, says what was wrong. */
nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result, struct failure *failure);

#endif
