/* Counts whose units are solved by several processes. */
#ifndef LIBRARY_EXECUTOR_H
#define LIBRARY_EXECUTOR_H

#include "run/run.h"

struct executor {
    /* Solves the selected units and returns a status, both as nqi_run_job does. After a failure
     * detail[0..size-1] may explain the status. */
    nq_status (*execute)(void *context, struct solver *solver,
                         const struct selection *selection, const struct run_options *options,
                         struct totals *totals, char *detail, size_t size);
    void *context;
};

/* Like nq_count_solutions(), but the executor solves the units. NULL: this process does. After
 * a failure detail[0..size-1], which must be empty before, says what was wrong. */
nq_status nqi_count_on(const struct executor *executor, int n, const nq_options *options,
                       nq_result *result, char *detail, size_t size);

#endif
